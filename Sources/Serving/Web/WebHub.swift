internal import NIOCore
internal import Text

/// What the server of a live run keeps, and its streams.
///
/// It is used on one event loop only.
final class WebHub: ServerHub {
  /// How far a stream is that lags behind what is kept: it gets the rest in parts, as it reads.
  struct Cursor {
    /// The number of the last event or reason that it has.
    var message: Int
    /// The number of the last change of a device that it has.
    var change: Int
    /// Devices that went until this change need not be named.
    let opening: Int
    /// The fences that it knows.
    let fences: Int
    /// Whether positions were left out: of a device that changed more than once it gets the last one.
    var lacksPositions = false
  }

  let token: WebToken?
  let limits: WebLimits
  let pages: [String: WebPage]
  let tiles: WebTiles?
  let paths: Set<String>

  private(set) var run = WebRun(status: Array("{}".utf8), metrics: [])
  /// The fences, as the page draws them.
  private(set) var fences = Array("{\"fences\":[]}\n".utf8)
  /// How often they have changed.
  private var fencesChange = 0
  private var devices: WebDevices
  /// Whether the status is a list of devices.
  private let listsDevices: Bool
  /// The last events, as many as ``WebLimits/events``, with their reasons.
  private var kept = WebMessages()
  private var lastNumber = 0
  /// Distinguishes the events of this run from those of the one before, whose numbers were the same.
  private let name: String
  private var clients: [ObjectIdentifier: WebConnection] = [:]
  private var heart: RepeatedTask?
  private let warn: @Sendable (String) -> Void

  init(
    _ loop: any EventLoop, token: WebToken?, pages: [WebPage], tiles: WebTiles?,
    listsDevices: Bool, limits: WebLimits, run name: String,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.token = token
    self.limits = limits
    self.pages = Dictionary(pages.map { ($0.path, $0) }) { first, _ in first }
    self.tiles = tiles
    self.paths = Set(pages.map(\.path))
    self.listsDevices = listsDevices
    self.name = name
    self.warn = warn
    devices = WebDevices(limits: limits)
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

  /// Keeps streams open, and closes connections that ask for nothing, or do not read what they asked for.
  private func pulse() {
    for client in Array(clients.values) {
      let isStill = client.isStill()
      if client.isStreaming, client.isWritable {
        client.stream(ByteBuffer(string: ": \n\n"))
      } else if isStill {
        if client.isStreaming {
          warn("\(client.name): dropped, as it does not read what it asked for")
        }
        client.drop()
      }
    }
  }

  // MARK: What is published

  /// Keeps what was published, and sends it to all streams.
  func send(_ batch: WebInbox.Batch) {
    let before = cursor
    for device in batch.forgotten { devices.forget(device) }
    let tracks = batch.tracks.all()
    var bursts = ""
    for state in batch.states {
      devices.take(state)
      guard let positions = tracks[ExactText(state.device)] else { continue }
      devices.take(positions, of: state.device)
      // Its state has the last one alone, also where several states met.
      if positions.count > 1 {
        bursts += WebDevices.message(positions, of: state.device)
      }
    }
    if let run = batch.run { self.run = run }
    if let fences = batch.fences {
      self.fences = fences
      fencesChange += 1
    }
    if batch.unsent > 0 {
      warn("\(batch.unsent) events came faster than the server sends, and are on no page")
    }
    for message in batch.messages {
      lastNumber += 1
      _ = kept.append(message, most: limits.events)
    }
    broadcast(
      since: before, bursts: bursts, hasPositions: !tracks.isEmpty, hasRun: batch.run != nil)
  }

  /// Sends what has come to all streams; those that lag get it as they read.
  ///
  /// - Parameter bursts: Positions, for streams that do not lag: for others a state has the last one.
  private func broadcast(
    since before: Cursor, bursts: String, hasPositions: Bool, hasRun: Bool
  ) {
    let streams = clients.values.filter(\.isStreaming)
    guard !streams.isEmpty else { return }
    var cursor = before
    var text = part(after: &cursor, bytes: limits.backlog / 4)
    let isWhole = cursor.message == lastNumber && cursor.change == devices.lastChange
    if isWhole {
      cursor.lacksPositions = bursts.utf8.count >= limits.backlog / 4
      if !cursor.lacksPositions { text += bursts }
      text += end(cursor, hasRun: hasRun)
    }
    guard !text.isEmpty else { return }
    // All clients share its bytes.
    let buffer = ByteBuffer(string: text)
    var behind = before
    behind.lacksPositions = !bursts.isEmpty
    for client in streams {
      if client.cursor != nil {
        if hasPositions { client.cursor?.lacksPositions = true }
      } else if isWhole, client.isWritable {
        client.stream(buffer)
      } else {
        client.lag(from: behind)
        resume(client)
      }
    }
  }

  /// Begins a stream: the states of all devices, the events and reasons after an id, and the state of the run.
  func begin(_ client: WebConnection, since id: String?) {
    client.stream(ByteBuffer(string: "retry: 2000\n\n"))
    client.lag(
      from: Cursor(
        message: number(before: id), change: 0, opening: devices.lastChange,
        fences: fencesChange))
    resume(client)
  }

  /// Sends a stream what it lacks, as far as it reads.
  func resume(_ client: WebConnection) {
    while client.isWritable, var cursor = client.cursor {
      let text = part(after: &cursor, bytes: limits.backlog / 16)
      // The client may be called again while it sends.
      client.cursor = text.isEmpty ? nil : cursor
      client.stream(ByteBuffer(string: text.isEmpty ? end(cursor, hasRun: true) : text))
    }
  }

  /// The present state, as that of a stream that lacks nothing.
  private var cursor: Cursor {
    Cursor(
      message: lastNumber, change: devices.lastChange, opening: devices.lastChange,
      fences: fencesChange)
  }

  /// A part of what a stream lacks, of about as many bytes of devices and of events; empty when it lacks
  /// neither.
  private func part(after cursor: inout Cursor, bytes: Int) -> String {
    let (changes, last) = devices.changes(
      after: cursor.change, opening: cursor.opening, bytes: bytes)
    cursor.change = last
    var text = changes.joined()
    let events = text.utf8.count
    for (number, message) in messages(after: cursor.message) {
      guard text.utf8.count - events < bytes else { break }
      text += serverSentEvent(message, number)
      cursor.message = number
    }
    return text
  }

  /// What a stream gets when it has all else.
  private func end(_ cursor: Cursor, hasRun: Bool) -> String {
    var text = ""
    if hasRun { text += "event: run\ndata: \(String(decoding: run.status, as: UTF8.self))\n\n" }
    // They may be many, so a page loads them when it can.
    if cursor.fences != fencesChange { text += "event: fences\ndata: changed\n\n" }
    if cursor.lacksPositions { text += "event: tracks\ndata: changed\n\n" }
    return text
  }

  private func serverSentEvent(_ message: WebMessage, _ number: Int) -> String {
    "id: \(id(number))\nevent: \(message.kind)\n"
      + "data: \(String(decoding: message.line.dropLast(), as: UTF8.self))\n\n"
  }

  private func id(_ number: Int) -> String { "\(name)-\(number)" }

  // MARK: What is asked for

  /// The number of the message with an id; one before all others when the id is of another run.
  private func number(before id: String?) -> Int {
    guard let id, id.hasPrefix("\(name)-") else { return 0 }
    return Int(id.dropFirst(name.utf8.count + 1)).map { min($0, lastNumber) } ?? 0
  }

  /// The kept messages after a number, with their numbers.
  private func messages(after number: Int) -> Zip2Sequence<Range<Int>, ArraySlice<WebMessage>> {
    let messages = kept.messages
    let first = max(lastNumber - messages.count, number) + 1
    return zip(first..<lastNumber + 1, messages.suffix(lastNumber + 1 - first))
  }

  /// The kept events after an id, as JSON lines, and the id of the last message.
  func lines(since id: String?) -> (bytes: [UInt8], last: String) {
    let events = messages(after: number(before: id)).filter { $1.kind == .event }
    return (events.flatMap { $1.line }, self.id(lastNumber))
  }

  /// The kept positions of all devices as JSON.
  var track: [UInt8] { devices.track }

  /// The object of the status file, with all devices that are kept.
  var status: [UInt8] {
    let states = devices.states
    let end = run.status.dropFirst()
    guard listsDevices else { return (states.first?.dropLast() ?? []).joined(end) }
    var text = Array("{\"sources\":[".utf8)
    text += states.joined(separator: [UInt8(ascii: ",")])
    return (text + [UInt8(ascii: "]")])[...].joined(end)
  }
}

extension ArraySlice<UInt8> {
  /// An object without its end, and the members of another, as a line.
  fileprivate func joined(_ end: Self) -> [UInt8] {
    let separator = isEmpty ? "{" : end.count > 1 ? "," : ""
    return self + Array(separator.utf8) + end + [UInt8(ascii: "\n")]
  }
}
