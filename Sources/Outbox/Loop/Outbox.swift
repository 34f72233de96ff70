package import Foundation
internal import Locking
package import Session
package import Storing
internal import System

/// Delivers the events of a store to all receivers, each on a thread of its own.
package final class Outbox: EventDelivery {
  /// Makes the courier of a receiver; throws what is wrong with its settings, such as a damaged secret.
  package typealias CourierMaker = @Sendable (ReceiverSettings) throws -> any Courier

  /// Why events cannot be delivered.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String

    init(description: String) { self.description = description }

    /// A receiver has no courier, because of its files or a library.
    package init(_ receiver: ReceiverSettings, _ reason: any Error) {
      description = "deliver: \(receiver.name): \(reason)"
    }
  }

  private struct State: Sendable {
    var messages: [String] = []
    /// Receivers whose threads run.
    var running: Set<String> = []
    /// Receivers that have nothing to deliver, or have to wait for long before they can.
    var resting: Set<String> = []
    /// Counts the calls of ``ring()``, so that a thread that rests since before one does not count.
    var rings = 0
  }

  /// The fences of the run.
  package let fences: CurrentFences
  private let receivers: [ReceiverSettings]
  private let flags: [StopFlag]
  private let queue: OutboxQueue
  /// Held while events are delivered, so that two programs do not deliver the same ones.
  private let lock: FileLock
  private let state = Mutex(State())
  private let watch: QueueWatch
  private let messages: Waker

  /// How long the end of the threads is waited for, seconds.
  private static let patience = 10.0
  /// ``drain(_:)`` waits for attempts that are due within so many seconds: a fault that is over soon
  /// leaves nothing behind.
  private static let longestDrainedWait = 20.0

  /// Opens the queues of a store; ``start(zone:_:)`` begins to deliver.
  ///
  /// Call it before events are stored: a receiver that the store does not know begins after its last
  /// event.
  ///
  /// - Throws: ``Failure`` when another program delivers from this store, or the system refuses
  ///   files; `EntryStoreError` for a store that cannot be used.
  package init(
    _ receivers: [ReceiverSettings], store path: String, fences: CurrentFences
  ) throws {
    self.receivers = receivers
    self.fences = fences
    do throws(FileLock.Failure) {
      lock = try FileLock(path + StoreSettings.lockSuffix)
    } catch {
      switch error {
      case .held:
        throw Failure(
          description: "\(path): another program delivers the events of this store; "
            + "stop it, or name another store")
      case .refused(let reason):
        throw Failure(
          description: "\(path)\(StoreSettings.lockSuffix): cannot be locked: \(reason.reason)")
      }
    }
    queue = try OutboxQueue(path)
    watch = try QueueWatch(queue, Set(receivers.map(\.name)))
    flags = try receivers.map { _ in try StopFlag() }
    messages = try Waker()
    try queue.activate(receivers.map { ($0.name, $0.filter) })
  }

  /// Starts the thread of each receiver.
  package func start(zone: TimeZone, _ make: CourierMaker) throws {
    for (receiver, flag) in zip(receivers, flags) {
      let courier: any Courier
      do {
        courier = try make(receiver)
      } catch {
        throw Failure(receiver, error)
      }
      let job = Handover(courier)
      state.withLock { _ = $0.running.insert(receiver.name) }
      try DetachedThread.start { [self] in
        let loop = ReceiverLoop(receiver, queue, job.take(), zone: zone, report: report)
        run(loop, receiver.name, flag)
      }
    }
  }

  private func run(_ loop: ReceiverLoop, _ name: String, _ flag: StopFlag) {
    while !flag.isSet {
      let rings = state.withLock { state in
        state.resting.remove(name)
        return state.rings
      }
      let next = loop.step(until: flag)
      guard next != .again else { continue }
      if !Self.isSoon(next) {
        state.withLock { if $0.rings == rings { $0.resting.insert(name) } }
      }
      loop.rest(next, flag)
    }
    loop.close()
    state.withLock { _ = $0.running.remove(name) }
  }

  /// Whether the next attempt is worth a wait at the end of a run.
  private static func isSoon(_ next: ReceiverLoop.Next) -> Bool {
    guard case .wait(let seconds) = next else { return false }
    return seconds <= longestDrainedWait
  }

  private func report(_ message: String) {
    state.withLock { state in
      state.messages.append(message)
      messages.wake()
    }
  }

  // MARK: From other threads

  /// Reports that there are more events.
  package func ring() {
    state.withLock { state in
      state.rings += 1
      state.resting.removeAll()
    }
    for flag in flags { flag.ring() }
  }

  package var descriptor: Int32 { messages.descriptor }

  package func takeMessages() -> [String] {
    state.withLock { state in
      // Called at every turn of a live run, mostly without any.
      guard !state.messages.isEmpty else { return [] }
      messages.clear()
      defer { state.messages.removeAll() }
      return state.messages
    }
  }

  /// Waits until every receiver has all events, or has to wait for long for its next attempt.
  ///
  /// - Returns: The receivers for which events wait.
  package func drain(_ report: (String) -> Void) throws -> [OutboxQueue.Overview] {
    var poller = Poller()
    while true {
      for message in takeMessages() { report(message) }
      if state.withLock({ $0.resting.isSuperset(of: $0.running) }) { break }
      poller.removeAll()
      _ = poller.add(messages.descriptor, .read)
      poller.wait(until: .now + .milliseconds(20))
    }
    let names = Set(receivers.map(\.name))
    return try queue.overview().filter { names.contains($0.name) && $0.waiting > 0 }
  }

  package func watchQueues() throws { try watch.start() }

  package var queues: [DeliveryQueue] { watch.queues }

  package func stop() {
    watch.stop()
    for flag in flags { flag.stop() }
    let end = ContinuousClock.now + .seconds(Self.patience)
    var poller = Poller()
    while state.withLock({ !$0.running.isEmpty }), ContinuousClock.now < end {
      poller.removeAll()
      poller.wait(until: .now + .milliseconds(5))
    }
  }
}

/// Hands a courier to the one thread that uses it.
///
/// Unchecked because couriers are for one thread: ``take()`` is called once, on that thread, after the
/// other one has let go of it.
private final class Handover: @unchecked Sendable {
  private let courier: any Courier

  init(_ courier: any Courier) { self.courier = courier }

  func take() -> any Courier { courier }
}
