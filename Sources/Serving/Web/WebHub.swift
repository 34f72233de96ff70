internal import NIOCore

/// What the server of a live run keeps, and its streams.
///
/// It is used on one event loop only.
final class WebHub: ServerHub {
  let token: WebToken?
  let limits: WebLimits
  let pages: [String: WebPage]
  let tiles: WebTiles?
  let paths: Set<String>

  private(set) var state = WebState(status: Array("{}\n".utf8), metrics: [])
  /// The fences, as the page draws them.
  private(set) var fences = Array("{\"fences\":[]}\n".utf8)
  /// The last events, as many as ``WebLimits/events``, with their reasons.
  private var kept = WebMessages()
  private var lastNumber = 0
  /// The last positions, each a JSON array.
  private var positions: [[UInt8]] = []
  /// Distinguishes the events of this run from those of the one before, whose numbers were the same.
  private let run: String
  private var clients: [ObjectIdentifier: WebConnection] = [:]
  private var heart: RepeatedTask?
  private let warn: @Sendable (String) -> Void

  init(
    _ loop: any EventLoop, token: WebToken?, pages: [WebPage], tiles: WebTiles?, limits: WebLimits,
    run: String,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.token = token
    self.limits = limits
    self.pages = Dictionary(pages.map { ($0.path, $0) }) { first, _ in first }
    self.tiles = tiles
    self.paths = Set(pages.map(\.path))
    self.run = run
    self.warn = warn
    let beat = TimeAmount(limits.beat)
    // The timer keeps the hub until it is stopped.
    let hub = NIOLoopBound(self, eventLoop: loop)
    heart = loop.scheduleRepeatedTask(initialDelay: beat, delay: beat) { _ in hub.value.pulse() }
  }

  // MARK: Clients

  /// Adds a connection; false when there are too many.
  func add(_ client: WebConnection) -> Bool {
    guard clients.count < limits.clients else { return false }
    clients[ObjectIdentifier(client)] = client
    return true
  }

  func remove(_ client: WebConnection) { clients[ObjectIdentifier(client)] = nil }

  func stop() {
    heart?.cancel()
    for client in clients.values { client.drop() }
  }

  /// Keeps streams open, and closes connections that ask for nothing.
  private func pulse() {
    for client in Array(clients.values) {
      if client.isStreaming {
        send(ByteBuffer(string: ": \n\n"), to: client)
      } else if client.isIdle() {
        client.drop()
      }
    }
  }

  // MARK: What is published

  /// Keeps what was published, and sends it to all streams.
  func send(_ batch: WebInbox.Batch) {
    var text = ""
    positions += batch.positions
    // In steps, so that not every position moves all others.
    if positions.count > limits.positions + limits.positions / 10 {
      positions.removeFirst(positions.count - limits.positions)
    }
    if let state = batch.state {
      self.state = state
      text += statusEvent
    }
    if let fences = batch.fences {
      self.fences = fences
      // They may be many, so a page loads them when it can.
      text += "event: fences\ndata: changed\n\n"
    }
    if batch.unsent > 0 {
      warn("\(batch.unsent) events came faster than the server sends, and are on no page")
    }
    for message in batch.messages {
      lastNumber += 1
      _ = kept.append(message, most: limits.events)
      text += serverSentEvent(message, lastNumber)
    }
    if !text.isEmpty { broadcast(text) }
  }

  private func broadcast(_ text: String) {
    // All clients share its bytes.
    let buffer = ByteBuffer(string: text)
    for client in Array(clients.values) where client.isStreaming { send(buffer, to: client) }
  }

  private func send(_ text: ByteBuffer, to client: WebConnection) {
    guard client.isWritable else {
      warn("\(client.name): dropped, as it does not read what it asked for")
      return client.drop()
    }
    client.stream(text)
  }

  private var statusEvent: String {
    "event: status\ndata: \(String(decoding: state.status.dropLast(), as: UTF8.self))\n\n"
  }

  private func serverSentEvent(_ message: WebMessage, _ number: Int) -> String {
    "id: \(id(number))\nevent: \(message.kind)\n"
      + "data: \(String(decoding: message.line.dropLast(), as: UTF8.self))\n\n"
  }

  private func id(_ number: Int) -> String { "\(run)-\(number)" }

  // MARK: What is asked for

  /// The kept messages after an id, with their numbers; all when the id is of another run, or no longer
  /// kept.
  private func messages(since id: String?) -> Zip2Sequence<Range<Int>, ArraySlice<WebMessage>> {
    let messages = kept.messages
    var first = lastNumber - messages.count + 1
    if let id, id.hasPrefix("\(run)-"), let number = Int(id.dropFirst(run.utf8.count + 1)) {
      first = min(max(first, number + 1), lastNumber + 1)
    }
    return zip(first..<lastNumber + 1, messages.suffix(lastNumber + 1 - first))
  }

  /// The beginning of a stream: the status, and the events and reasons after an id.
  func opening(since id: String?) -> String {
    var text = "retry: 2000\n\n" + statusEvent
    for (number, message) in messages(since: id) { text += serverSentEvent(message, number) }
    return text
  }

  /// The kept events after an id, as JSON lines, and the id of the last message.
  func lines(since id: String?) -> (bytes: [UInt8], last: String) {
    let events = messages(since: id).filter { $1.kind == .event }
    return (events.flatMap { $1.line }, self.id(lastNumber))
  }

  /// The kept positions as a JSON array.
  var track: [UInt8] {
    var text = Array("[".utf8)
    for (index, position) in positions.suffix(limits.positions).enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text += position
    }
    return text + Array("]\n".utf8)
  }
}
