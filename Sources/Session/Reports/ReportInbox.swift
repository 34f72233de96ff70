internal import Locking
package import System
package import Tracking

/// Reports of devices on their way from the thread that receives them to the run that processes them.
///
/// It is bounded: when too much waits, a report is refused, and its sender tries again later.
package final class ReportInbox: Sendable {
  /// What became of a delivery.
  package enum Receipt: Sendable, Hashable {
    /// It is in the state and in the recording, as far as the run has them.
    case kept
    /// It cannot be kept now; the sender keeps it and sends it again.
    case notKept(reason: String)
    /// It will never be taken.
    case refused(reason: String)
  }

  /// The reports of one message.
  package struct Delivery: Sendable {
    package var reports: [(device: String, fixes: [Fix])]
    /// Called once, on the thread of the run.
    package var answer: @Sendable (Receipt) -> Void
    fileprivate var size: Int
  }

  /// What waits.
  package struct News: Sendable {
    package fileprivate(set) var deliveries: [Delivery] = []
    /// What was wrong with messages that held no reports, the first ones of many.
    package fileprivate(set) var problems: [String] = []
    /// How many such messages there were.
    package fileprivate(set) var problemCount = 0
    /// How many messages of each type had no position, such as transitions.
    package fileprivate(set) var ignored: [String: Int] = [:]
    /// The state of a connection to a server, where there is one; nil when it has not changed.
    package fileprivate(set) var status: String?
    fileprivate var size = 0
  }

  /// Readable while a delivery waits.
  package var descriptor: Int32 { waker.descriptor }
  private let waker: Waker
  private let waiting = Mutex(News())

  /// The most deliveries that wait, the most bytes of messages, and the most problems in words.
  private static let mostDeliveries = 256
  private static let mostBytes = 4 << 20
  private static let mostProblems = 10
  /// The most types that are counted on their own.
  private static let mostTypes = 20

  package init() throws(SystemError) { waker = try Waker() }

  /// Adds the reports of a message of so many bytes; false when too much waits.
  package func offer(
    _ reports: [(device: String, fixes: [Fix])], size: Int,
    answer: @escaping @Sendable (Receipt) -> Void
  ) -> Bool {
    let isAdded = waiting.withLock { waiting in
      guard waiting.deliveries.count < Self.mostDeliveries,
        waiting.size + size <= Self.mostBytes || waiting.deliveries.isEmpty
      else { return false }
      waiting.deliveries.append(Delivery(reports: reports, answer: answer, size: size))
      waiting.size += size
      return true
    }
    if isAdded { waker.wake() }
    return isAdded
  }

  /// Reports what was wrong with a message.
  package func note(problem: String) {
    waiting.withLock { waiting in
      waiting.problemCount += 1
      if waiting.problems.count < Self.mostProblems { waiting.problems.append(problem) }
    }
    waker.wake()
  }

  /// Reports a message without a position, of a type.
  package func note(ignored type: String) {
    waiting.withLock { waiting in
      let isKnown = waiting.ignored.count < Self.mostTypes || waiting.ignored[type] != nil
      waiting.ignored[isKnown ? type : "other", default: 0] += 1
    }
    waker.wake()
  }

  /// Reports a change of the connection to a server.
  package func note(status: String) {
    waiting.withLock { $0.status = status }
    waker.wake()
  }

  /// Removes and returns what waits, in the order in which it came.
  package func take() -> News {
    waker.clear()
    return waiting.withLock { waiting in
      defer { waiting = News() }
      return waiting
    }
  }
}
