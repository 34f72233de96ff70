/// Which task is meant, as long as it runs.
///
/// A task that begins later may get the name of one that has ended: who remembers a name forgets it
/// when what the task iterated over goes (``Backpressure/left(_:)``).
struct TaskName: Sendable, Hashable {
  private let hash: Int

  /// The task that runs this code; outside of tasks a name that no task has.
  static var current: TaskName {
    withUnsafeCurrentTask { TaskName(hash: $0?.hashValue ?? 0) }
  }
}
