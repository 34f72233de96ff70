/// The identity of a task while it runs.
///
/// A later task may get the ID of one that has ended. So a stored ID is forgotten when the buffer that
/// the task used is closed (``Backpressure/taskLeft(_:)``).
package struct TaskID: Sendable, Hashable {
  private let hash: Int

  /// The current task; outside of tasks an ID that no task has.
  package static var current: TaskID {
    withUnsafeCurrentTask { TaskID(hash: $0?.hashValue ?? 0) }
  }
}
