internal import Glibc

/// Waits with poll(2) until one of a few descriptors is ready.
///
/// Descriptors may have any number, and a wait allocates no memory.
///
///     poller.removeAll()
///     let slot = poller.add(descriptor, .read)
///     poller.wait(until: deadline)
///     if poller.ready(slot).contains(.read) { … }
package struct Poller {
  /// Operations to wait for, or that are ready.
  package struct Readiness: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package static let read = Readiness(rawValue: 1)
    package static let write = Readiness(rawValue: 2)

    package init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  private var requests: [pollfd] = []

  package init() {}

  /// Removes all descriptors.
  package mutating func removeAll() { requests.removeAll(keepingCapacity: true) }

  /// Adds a descriptor for the next wait; nil takes a slot that is never ready.
  package mutating func add(_ descriptor: Int32?, _ readiness: Readiness) -> Int {
    var events: Int32 = 0
    if readiness.contains(.read) { events |= Int32(POLLIN) }
    if readiness.contains(.write) { events |= Int32(POLLOUT) }
    // poll(2) skips descriptors below 0.
    requests.append(pollfd(fd: descriptor ?? -1, events: Int16(events), revents: 0))
    return requests.count - 1
  }

  /// Waits until a descriptor is ready or the deadline has passed; nil waits without a limit.
  ///
  /// A signal may end the wait early.
  package mutating func wait(until deadline: ContinuousClock.Instant?) {
    let timeout = deadline.map { Self.milliseconds($0 - .now) } ?? -1
    let count = poll(&requests, nfds_t(requests.count), timeout)
    guard count < 0 else { return }
    // A signal came (EINTR), or the kernel lacks memory for now: nothing is ready.
    for index in requests.indices { requests[index].revents = 0 }
  }

  /// The operations that the descriptor in `slot` is ready for.
  ///
  /// After an error or a hang-up it is ready for all of them, so the next call on it returns the
  /// error.
  package func ready(_ slot: Int) -> Readiness {
    let found = Int32(requests[slot].revents)
    let asked = Int32(requests[slot].events)
    let isBroken = found & (Int32(POLLERR) | Int32(POLLHUP) | Int32(POLLNVAL)) != 0
    var ready: Readiness = []
    if found & Int32(POLLIN) != 0 || isBroken && asked & Int32(POLLIN) != 0 { ready.insert(.read) }
    if found & Int32(POLLOUT) != 0 || isBroken && asked & Int32(POLLOUT) != 0 {
      ready.insert(.write)
    }
    return ready
  }

  /// Rounded up, so the deadline has passed when the wait ends, and limited to the range of poll(2).
  private static func milliseconds(_ duration: Duration) -> Int32 {
    guard duration > .zero else { return 0 }
    let (seconds, attoseconds) = duration.components
    guard seconds < 1_000_000 else { return .max }
    let unit: Int64 = 1_000_000_000_000_000
    return Int32(seconds * 1_000 + (attoseconds + unit - 1) / unit)
  }
}
