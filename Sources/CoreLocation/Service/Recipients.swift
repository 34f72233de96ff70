internal import Services

/// Everybody who is told things by one service, in the order of their numbers.
struct Recipients: Sendable {
  /// Somebody who is told things.
  enum Recipient: Sendable {
    /// A manager, for whom its notices lie here.
    case manager(Inbox)
    /// Somebody who puts a notice away at once.
    case listener(@Sendable (Notice) -> Void)

    /// Where a manager's notices lie.
    var inbox: Inbox? { if case .manager(let inbox) = self { inbox } else { nil } }
  }

  private var entries: [(id: ClientID, recipient: Recipient)] = []
  /// The place after that of the one who was told last: letters to many come in this order.
  private var next = 0

  var count: Int { entries.count }
  var inboxes: [Inbox] { entries.compactMap(\.recipient.inbox) }

  subscript(id: ClientID) -> Recipient? { place(of: id).map { entries[$0].recipient } }

  /// Adds somebody, whose number is above all before.
  mutating func add(_ recipient: Recipient, as id: ClientID) {
    entries.append((id, recipient))
  }

  /// Forgets somebody, and hands it back.
  mutating func remove(_ id: ClientID) -> Recipient? {
    next = 0
    return place(of: id).map { entries.remove(at: $0).recipient }
  }

  /// Puts letters where they are taken, but those for somebody who is gone.
  mutating func deliver(_ letters: [Letter]) {
    var telling = Telling()
    for letter in letters { deliver(letter, &telling) }
  }

  private mutating func deliver(_ letter: Letter, _ telling: inout Telling) {
    if next >= entries.count || entries[next].id != letter.to {
      guard let place = place(of: letter.to) else { return }
      next = place
    }
    switch entries[next].recipient {
    case .manager(let inbox): inbox.put(telling(letter.notice))
    case .listener(let receive): receive(letter.notice)
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
