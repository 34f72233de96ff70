internal import Delivering
internal import Dispatch
internal import Locking
internal import Services

/// The deliveries that a manager has not received yet.
///
/// Any thread appends; the thread where the manager was made takes them out. It holds
/// ``defaultCapacity`` locations and other notices. Above ``defaultThreshold`` a recording waits. A
/// receiver does not: the oldest locations are dropped for new ones, and counted.
final class ManagerQueue: ScheduledQueue {
  fileprivate struct State {
    /// The latest entries, oldest first.
    var incoming: [Delivery] = []
    /// The entries before them, newest first: the oldest is taken from the end.
    var outgoing: [Delivery] = []
    var weight = 0
    var isScheduled = false
    var isClosed = false
    /// Whether anything was taken out so far.
    var isTaken = false
    /// Whether nothing was taken out for long while the queue was full.
    var isStalled = false
    var callDepth = 0
    var dropped = 0
    var waiters: [DispatchSemaphore] = []
  }

  static let defaultCapacity = 10_000
  /// Entries in a queue above which a recording waits.
  ///
  /// That is far more than a thread gets at a time, and little enough that a thousand queues take a few
  /// megabytes. The rest of the capacity is for sources that cannot wait.
  static let defaultThreshold = 500
  /// How long a recording waits for a manager whose thread takes nothing, seconds of real time.
  ///
  /// The thread may never run its loop again, and other managers need the same source.
  private static let patience = 5.0

  let target: DeliveryTarget
  private let capacity: Int
  private let threshold: Int
  private let counter: FullQueueCounter?
  private let state = Mutex(State())
  /// Safe without a lock: it is set once, before another thread has the queue, and loading a weak
  /// reference is atomic.
  nonisolated(unsafe) private weak var manager: CLLocationManager?

  init(target: DeliveryTarget, capacity: Int = defaultCapacity, counter: FullQueueCounter? = nil) {
    self.target = target
    self.capacity = capacity
    self.counter = counter
    threshold = min(capacity / 2, Self.defaultThreshold)
  }

  /// Sets the manager, once.
  func setManager(_ manager: CLLocationManager) { self.manager = manager }

  /// Locations dropped because they were not taken in time.
  var droppedCount: Int { state.withLock { $0.dropped } }

  /// Whether the manager's delegate is being called now.
  var isDelivering: Bool { state.withLock { $0.callDepth > 0 } }

  // MARK: In

  /// Appends a delivery; calls no client code.
  func put(_ delivery: Delivery) {
    let isNew = change { state in
      guard !state.isClosed else { return false }
      let isNew = state.append(delivery)
      while state.weight > capacity { state.dropOldest() }
      guard isNew, target.schedulesEach || !state.isScheduled else { return false }
      state.isScheduled = true
      return true
    }
    if isNew { target.schedule(self) }
  }

  /// Removes the matching deliveries that are still waiting.
  func withdraw(where matches: (Delivery) -> Bool) {
    change { state in
      for delivery in state.incoming + state.outgoing where matches(delivery) {
        state.weight -= delivery.weight
      }
      state.incoming.removeAll(where: matches)
      state.outgoing.removeAll(where: matches)
    }
  }

  /// Drops all entries and accepts no further ones.
  func close() {
    change { state in
      state.isClosed = true
      state.incoming = []
      state.outgoing = []
      state.weight = 0
    }
  }

  /// Waits while there are more entries than the threshold, unless the manager's thread is stalled.
  func waitUntilDrained() {
    let semaphore: DispatchSemaphore? = state.withLock { state in
      guard state.weight > threshold, !state.isStalled else { return nil }
      let semaphore = DispatchSemaphore(value: 0)
      state.waiters.append(semaphore)
      return semaphore
    }
    guard let semaphore, semaphore.wait(timeout: .now() + Self.patience) == .timedOut else {
      return
    }
    state.withLock { state in
      state.waiters.removeAll { $0 === semaphore }
      state.isStalled = true
    }
  }

  // MARK: The thread

  /// How long a thread may leave its first delivery before the log says so, seconds of real time.
  private static let threadPatience = 10

  /// Logs a line if the manager's thread does not run its loop.
  func checkThread(log: ServiceLog) {
    guard case .runLoop = target else { return }
    let patience = DispatchTime.now() + .seconds(Self.threadPatience)
    DispatchQueue.global().asyncAfter(deadline: patience) { [weak self] in
      if let line = self?.complaint { log(line) }
    }
  }

  /// What is wrong with the manager's thread; nil once it has taken something.
  var complaint: String? {
    state.withLock { state in
      guard !state.isTaken, !state.isClosed, state.weight > 0 else { return nil }
      return
        "a location manager gets nothing, because the thread on which it was made does not run its "
        + "RunLoop; make it on the main thread, or run the loop there"
    }
  }

  // MARK: Out

  /// Delivers the entries that are there now.
  ///
  /// Later entries are scheduled separately, so the thread can do other work in between.
  package func drain() {
    let count = state.withLock { state in
      state.isScheduled = false
      return state.incoming.count + state.outgoing.count
    }
    for _ in 0..<count { deliverNext() }
  }

  /// Delivers the oldest entry, without holding a lock.
  package func deliverNext() {
    let delivery = change { state in
      state.isStalled = false
      state.isTaken = true
      let delivery = state.popFirst()
      if delivery != nil { state.callDepth += 1 }
      return delivery
    }
    guard let delivery else { return }
    // Nothing is delivered to a manager that was released.
    manager?.handle(delivery)
    state.withLock { $0.callDepth -= 1 }
  }

  /// Changes the entries, and wakes waiting sources when the threshold is no longer exceeded.
  @discardableResult
  private func change<R: Sendable>(_ body: (inout State) -> R) -> R {
    let (result, waiters): (R, [DispatchSemaphore]) = state.withLock { state in
      let wasFull = state.weight > threshold
      let result = body(&state)
      let isFull = state.weight > threshold
      // While the lock is held: otherwise the count could fall below 0.
      if isFull != wasFull { counter?.queueChanged(isFull: isFull) }
      guard !isFull, !state.waiters.isEmpty else { return (result, []) }
      defer { state.waiters = [] }
      return (result, state.waiters)
    }
    waiters.forEach { $0.signal() }
    return result
  }
}

extension ManagerQueue.State {
  /// Appends a delivery; false if its locations were merged into the last entry.
  fileprivate mutating func append(_ delivery: Delivery) -> Bool {
    weight += delivery.weight
    if let last = incoming.indices.last, incoming[last].merge(delivery) { return false }
    incoming.append(delivery)
    return true
  }

  fileprivate mutating func popFirst() -> Delivery? {
    // The usual entry of a replay is alone: it needs no second array, and the first keeps its room.
    if outgoing.isEmpty, incoming.count == 1 {
      let delivery = incoming.removeLast()
      weight -= delivery.weight
      return delivery
    }
    turnAround()
    guard let delivery = outgoing.popLast() else { return nil }
    weight -= delivery.weight
    return delivery
  }

  /// Drops the oldest heading, the oldest location without one, or the oldest entry without both.
  fileprivate mutating func dropOldest() {
    turnAround()
    dropped += 1
    weight -= 1
    if let place = outgoing.lastIndex(where: \.isHeading) {
      outgoing.remove(at: place)
    } else if let place = incoming.firstIndex(where: \.isHeading) {
      incoming.remove(at: place)
    } else if let place = outgoing.lastIndex(where: { $0.standardCount > 0 }) {
      outgoing[place].dropFirstLocation()
      if outgoing[place].standardCount == 0 { outgoing.remove(at: place) }
    } else if let place = incoming.firstIndex(where: { $0.standardCount > 0 }) {
      incoming[place].dropFirstLocation()
      if incoming[place].standardCount == 0 { incoming.remove(at: place) }
    } else if let oldest = outgoing.popLast() {
      weight -= oldest.weight - 1
    }
  }

  private mutating func turnAround() {
    guard outgoing.isEmpty else { return }
    outgoing = incoming.reversed()
    incoming = []
  }
}
