internal import Services

/// The clients of a service that get notices, in the order of their IDs.
struct Recipients: Sendable {
  /// A client that gets notices.
  enum Recipient: Sendable {
    /// A manager with its queue.
    case manager(ManagerQueue)
    /// Any other client; the closure stores the notice.
    case listener(@Sendable (Notice) -> Void)

    /// The queue of a manager.
    var queue: ManagerQueue? { if case .manager(let queue) = self { queue } else { nil } }
  }

  private var entries: [(id: ClientID, recipient: Recipient)] = []
  /// The index after the last recipient: notices to many clients come in this order.
  private var next = 0

  var count: Int { entries.count }
  var managerQueues: [ManagerQueue] { entries.compactMap(\.recipient.queue) }

  subscript(id: ClientID) -> Recipient? { place(of: id).map { entries[$0].recipient } }

  /// Adds a client, whose ID is greater than all before.
  mutating func add(_ recipient: Recipient, as id: ClientID) {
    entries.append((id, recipient))
  }

  /// Removes a client and returns it.
  mutating func remove(_ id: ClientID) -> Recipient? {
    next = 0
    return place(of: id).map { entries.remove(at: $0).recipient }
  }

  /// Delivers notices, except those for removed clients.
  mutating func deliver(_ notices: [AddressedNotice]) {
    var converter = DeliveryConverter()
    for addressed in notices { deliver(addressed, &converter) }
  }

  private mutating func deliver(_ addressed: AddressedNotice, _ converter: inout DeliveryConverter)
  {
    if next >= entries.count || entries[next].id != addressed.to {
      guard let place = place(of: addressed.to) else { return }
      next = place
    }
    switch entries[next].recipient {
    case .manager(let queue): queue.put(converter(addressed.notice))
    case .listener(let receive): receive(addressed.notice)
    }
    next += 1
  }

  private func place(of id: ClientID) -> Int? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id.number < id.number { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].id == id ? low : nil
  }
}
