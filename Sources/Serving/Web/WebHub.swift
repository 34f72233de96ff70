internal import NIOCore

/// What the server of a live run keeps, and its streams.
///
/// It is used on one event loop only.
final class WebHub: ServerHub {
  let token: WebToken?
  let limits: WebLimits
  let pages: [String: WebPage]
  let paths: Set<String>

  private(set) var state = WebState(status: Array("{}\n".utf8), metrics: [])
  /// The fences, as the page draws them.
  private(set) var fences = Array("{\"fences\":[]}\n".utf8)
  /// The last events with their numbers; as many as ``WebLimits/events``.
  private var events: [(number: Int, line: [UInt8])] = []
  private var lastNumber = 0
  /// The last positions, each a JSON array.
  private var positions: [[UInt8]] = []
  /// Distinguishes the events of this run from those of the one before, whose numbers were the same.
  private let run: String
  private var clients: [ObjectIdentifier: WebConnection] = [:]
  private var heart: RepeatedTask?
  private let warn: @Sendable (String) -> Void

  init(
    _ loop: any EventLoop, token: WebToken?, pages: [WebPage], limits: WebLimits, run: String,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.token = token
    self.limits = limits
    self.pages = Dictionary(pages.map { ($0.path, $0) }) { first, _ in first }
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
        send(": \n\n", to: client)
      } else if client.isIdle() {
        client.drop()
      }
    }
  }

  // MARK: What is published

  func publish(_ state: WebState) {
    self.state = state
    if let position = state.position {
      positions.append(position)
      // In steps, so that not every position moves all others.
      if positions.count > limits.positions + limits.positions / 10 {
        positions.removeFirst(positions.count - limits.positions)
      }
    }
    broadcast(
      "event: status\ndata: \(String(decoding: state.status.dropLast(), as: UTF8.self))\n\n")
  }

  func publish(fences: [UInt8]) {
    self.fences = fences
    // They may be many, so a page loads them when it can.
    broadcast("event: fences\ndata: changed\n\n")
  }

  func publish(events lines: [[UInt8]]) {
    for line in lines {
      lastNumber += 1
      events.append((lastNumber, line))
      if events.count > limits.events { events.removeFirst() }
      broadcast(Self.message(id(lastNumber), line))
    }
  }

  private func broadcast(_ text: String) {
    for client in Array(clients.values) where client.isStreaming { send(text, to: client) }
  }

  private func send(_ text: String, to client: WebConnection) {
    guard client.isWritable else {
      warn("\(client.name): dropped, as it does not read what it asked for")
      return client.drop()
    }
    client.stream(text)
  }

  private static func message(_ id: String, _ line: [UInt8]) -> String {
    "id: \(id)\nevent: event\ndata: \(String(decoding: line.dropLast(), as: UTF8.self))\n\n"
  }

  private func id(_ number: Int) -> String { "\(run)-\(number)" }

  // MARK: What is asked for

  /// The kept events after an id; all when the id is of another run, or no longer kept.
  private func events(since id: String?) -> ArraySlice<(number: Int, line: [UInt8])> {
    guard let id, id.hasPrefix("\(run)-"), let number = Int(id.dropFirst(run.utf8.count + 1)) else {
      return events[...]
    }
    return events.drop { $0.number <= number }
  }

  /// The beginning of a stream: the status, and the events after an id.
  func opening(since id: String?) -> String {
    var text = "retry: 2000\n\n"
    text += "event: status\ndata: \(String(decoding: state.status.dropLast(), as: UTF8.self))\n\n"
    for event in events(since: id) { text += Self.message(self.id(event.number), event.line) }
    return text
  }

  /// The kept events after an id, as JSON lines, and the id of the last.
  func lines(since id: String?) -> (bytes: [UInt8], last: String) {
    (events(since: id).flatMap(\.line), self.id(lastNumber))
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
