internal import Dispatch
internal import Locking
internal import Services

/// What a manager has not been told yet.
///
/// Any thread puts something in; it is taken out where the manager was made. It holds
/// ``usualCapacity`` locations and other notices. A source that can wait is made to wait when there
/// are more than ``usualMark``; else the oldest locations go for new ones, and are counted.
final class Inbox: Sendable {
  fileprivate struct State {
    /// What came last, oldest first.
    var incoming: [Delivery] = []
    /// What came before that, newest first, so that the oldest is taken from the end.
    var outgoing: [Delivery] = []
    var weight = 0
    var isScheduled = false
    var isClosed = false
    /// Nobody took anything out for long, though it was full.
    var isStalled = false
    var callDepth = 0
    var dropped = 0
    var waiters: [DispatchSemaphore] = []
  }

  static let usualCapacity = 10_000
  /// So much may lie in an inbox before a source waits.
  ///
  /// It is far more than a thread gets at a time, and so little that a thousand inboxes take a few
  /// megabytes. The rest of the capacity is for those who are not waited for.
  static let usualMark = 500
  /// So long a source waits for a manager whose thread takes nothing, seconds of real time.
  ///
  /// A thread may never run its loop again, and others wait for the same source.
  private static let patience = 5.0

  let target: DeliveryTarget
  private let capacity: Int
  private let mark: Int
  private let room: Room?
  private let state = Mutex(State())
  /// Unsafe only in name: it is set once, before the inbox is known to any other thread, and to load
  /// a weak reference is atomic.
  nonisolated(unsafe) private weak var manager: CLLocationManager?

  init(target: DeliveryTarget, capacity: Int = usualCapacity, room: Room? = nil) {
    self.target = target
    self.capacity = capacity
    self.room = room
    mark = min(capacity / 2, Self.usualMark)
  }

  /// Says whose it is, once.
  func adopt(_ manager: CLLocationManager) { self.manager = manager }

  /// Locations that went because nobody took them in time.
  var droppedCount: Int { state.withLock { $0.dropped } }

  /// Whether the manager's delegate is being called just now.
  var isTelling: Bool { state.withLock { $0.callDepth > 0 } }

  // MARK: In

  /// Puts something in; it calls nobody.
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

  /// Takes back what was not delivered yet and fits.
  func withdraw(where fits: (Delivery) -> Bool) {
    change { state in
      for delivery in state.incoming + state.outgoing where fits(delivery) {
        state.weight -= delivery.weight
      }
      state.incoming.removeAll(where: fits)
      state.outgoing.removeAll(where: fits)
    }
  }

  /// Takes nothing more.
  func close() {
    change { state in
      state.isClosed = true
      state.incoming = []
      state.outgoing = []
      state.weight = 0
    }
  }

  /// Waits while there is more than a source may put in, unless its thread has stopped taking.
  func waitForRoom() {
    let semaphore: DispatchSemaphore? = state.withLock { state in
      guard state.weight > mark, !state.isStalled else { return nil }
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

  // MARK: Out

  /// Delivers what is there now.
  ///
  /// What comes meanwhile is scheduled anew, so that a thread gets on with other things too.
  func drain() {
    let count = state.withLock { state in
      state.isScheduled = false
      return state.incoming.count + state.outgoing.count
    }
    for _ in 0..<count { deliverNext() }
  }

  /// Delivers the oldest entry; no lock is held meanwhile.
  func deliverNext() {
    let delivery = change { state in
      state.isStalled = false
      let delivery = state.popFirst()
      if delivery != nil { state.callDepth += 1 }
      return delivery
    }
    guard let delivery else { return }
    // A manager that is gone wants nothing.
    manager?.handle(delivery)
    state.withLock { $0.callDepth -= 1 }
  }

  /// Changes what there is, and wakes those who wait for room when there is some.
  @discardableResult
  private func change<R: Sendable>(_ body: (inout State) -> R) -> R {
    let (result, waiters): (R, [DispatchSemaphore]) = state.withLock { state in
      let wasCrowded = state.weight > mark
      let result = body(&state)
      let isCrowded = state.weight > mark
      // While the lock is held, so that the count is never below 0.
      if isCrowded != wasCrowded { room?.note(isCrowded: isCrowded) }
      guard !isCrowded, !state.waiters.isEmpty else { return (result, []) }
      defer { state.waiters = [] }
      return (result, state.waiters)
    }
    waiters.forEach { $0.signal() }
    return result
  }
}

extension Inbox.State {
  /// Whether there is a new entry; else the locations joined those of the last one.
  fileprivate mutating func append(_ delivery: Delivery) -> Bool {
    weight += delivery.weight
    if let last = incoming.indices.last, incoming[last].merge(delivery) { return false }
    incoming.append(delivery)
    return true
  }

  fileprivate mutating func popFirst() -> Delivery? {
    turnAround()
    guard let delivery = outgoing.popLast() else { return nil }
    weight -= delivery.weight
    return delivery
  }

  /// The oldest location goes, or the oldest entry where there are no locations.
  fileprivate mutating func dropOldest() {
    turnAround()
    dropped += 1
    weight -= 1
    if let place = outgoing.lastIndex(where: { $0.standardCount > 0 }) {
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
