/// Which task is meant, as long as it runs.
struct TaskName: Sendable, Hashable {
  private let hash: Int

  /// The task that runs this code; outside of tasks a name that no task has.
  static var current: TaskName {
    withUnsafeCurrentTask { TaskName(hash: $0?.hashValue ?? 0) }
  }
}
