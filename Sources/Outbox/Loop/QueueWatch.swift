internal import Foundation
internal import Locking
internal import Session
internal import Storing
internal import System

/// Looks at the queues of a store from time to time, on a thread of its own: what waits is counted, which
/// takes long when much waits.
final class QueueWatch: Sendable {
  private let queue: OutboxQueue
  /// The receivers of the config.
  private let names: Set<String>
  private let flag: StopFlag
  private let last = Mutex<[DeliveryQueue]>([])

  /// The shortest time between two looks, and its share of the time that a look takes.
  private static let interval = Duration.seconds(2)
  private static let pausesPerLook = 20

  init(_ queue: OutboxQueue, _ names: Set<String>) throws(SystemError) {
    self.queue = queue
    self.names = names
    flag = try StopFlag()
  }

  /// The last look.
  var queues: [DeliveryQueue] { last.withLock { $0 } }

  func start() throws(SystemError) {
    try DetachedThread.start { [self] in
      var poller = Poller()
      while !flag.isSet {
        let start = ContinuousClock.now
        look()
        let end = ContinuousClock.now
        let pause = max(Self.interval, (end - start) * Self.pausesPerLook)
        poller.removeAll()
        _ = poller.add(flag.descriptor, .read)
        poller.wait(until: end + pause)
      }
    }
  }

  func stop() { flag.stop() }

  /// A store that cannot be read keeps the last look; the receivers report why.
  private func look() {
    guard let found = try? queue.overview() else { return }
    let queues = found.filter { names.contains($0.name) }.map { receiver in
      DeliveryQueue(
        name: receiver.name, waiting: receiver.waiting,
        oldest: receiver.waiting > 0 ? receiver.oldest : nil, delivered: receiver.delivered,
        dead: receiver.dead, error: receiver.position.error,
        nextAttempt: receiver.waiting > 0 ? receiver.position.nextAttempt : nil)
    }
    last.withLock { $0 = queues }
  }
}
