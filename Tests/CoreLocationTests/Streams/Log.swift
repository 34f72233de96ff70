import Locking

/// What happened, in the order in which it did, from any task.
final class Log: Sendable {
  private let state = Mutex<[String]>([])

  var lines: [String] { state.withLock(\.self) }

  func add(_ line: String) { state.withLock { $0.append(line) } }
}
