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

/// What a run has published and the server's thread has not sent yet; it is bounded.
struct WebInbox: Sendable {
  /// What is sent together.
  struct Batch: Sendable {
    var state: WebState?
    var positions: [[UInt8]] = []
    var fences: [UInt8]?
    var messages: [WebMessage] = []
    /// The events that went unsent, as more came than could be sent.
    var unsent = 0
  }

  let limits: WebLimits
  private var batch = Batch()
  private var messages = WebMessages()
  /// Whether the server's thread will take the next batch.
  private var isAwaited = false

  init(limits: WebLimits) { self.limits = limits }

  /// Adds a state, in place of one that was not sent.
  mutating func add(_ state: WebState) {
    batch.state = state
    guard let position = state.position else { return }
    batch.positions.append(position)
    if batch.positions.count > limits.positions { batch.positions.removeFirst() }
  }

  mutating func add(fences: [UInt8]) { batch.fences = fences }

  mutating func add(_ lines: [[UInt8]], _ kind: WebMessageKind) {
    for line in lines {
      batch.unsent += messages.append(WebMessage(kind: kind, line: line), most: limits.events)
    }
  }

  /// Whether the server's thread must be called for what was added.
  mutating func await() -> Bool {
    defer { isAwaited = true }
    return !isAwaited
  }

  /// Removes and returns what is sent next, and whether more is to follow.
  mutating func takeBatch() -> (batch: Batch, hasMore: Bool) {
    defer { batch = Batch() }
    batch.messages = messages.take(bytes: limits.backlog / 8)
    isAwaited = !messages.messages.isEmpty
    return (batch, isAwaited)
  }
}
