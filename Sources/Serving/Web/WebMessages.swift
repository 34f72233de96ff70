/// What a message of the stream with an id is about; its name there.
enum WebMessageKind: String, Sendable { case event, reason }

/// A message of the stream: a line of JSON.
struct WebMessage: Sendable {
  var kind: WebMessageKind
  var line: [UInt8]
}

/// The newest events, and the reasons among them.
struct WebMessages: Sendable {
  private(set) var messages: [WebMessage] = []
  private var eventCount = 0

  /// Adds a message; of more than `most` events, the oldest go, each with its reasons.
  ///
  /// - Returns: how many events went.
  mutating func append(_ message: WebMessage, most: Int) -> Int {
    messages.append(message)
    if message.kind == .event { eventCount += 1 }
    let before = eventCount
    while eventCount > most { removeFirst() }
    if eventCount < before { while messages.first?.kind == .reason { removeFirst() } }
    return before - eventCount
  }

  /// Removes and returns the first messages, of `bytes` in all, and at least one.
  mutating func take(bytes: Int) -> [WebMessage] {
    var (count, sum) = (0, 0)
    while count < messages.count, sum < bytes {
      sum += messages[count].line.count
      count += 1
    }
    defer {
      eventCount -= messages.prefix(count).count { $0.kind == .event }
      messages.removeFirst(count)
    }
    return Array(messages.prefix(count))
  }

  private mutating func removeFirst() {
    if messages.removeFirst().kind == .event { eventCount -= 1 }
  }
}
