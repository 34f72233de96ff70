internal import Text

/// What a run has published and the server's thread has not sent yet; it is bounded.
struct WebInbox: Sendable {
  /// What is sent together.
  struct Batch: Sendable {
    /// Devices that went before the states came.
    var forgotten: [String] = []
    /// The newest state of each device, in the order in which the devices first changed.
    var states: [WebState] = []
    var tracks: WebTracks
    var run: WebRun?
    var fences: [UInt8]?
    var messages: [WebMessage] = []
    /// The events that went unsent, as more came than could be sent.
    var unsent = 0
  }

  let limits: WebLimits
  private var batch: Batch
  /// Where the state of a device is in the batch.
  private var places: [ExactText: Int] = [:]
  private var messages = WebMessages()
  /// Whether the server's thread will take the next batch.
  private var isAwaited = false

  init(limits: WebLimits) {
    self.limits = limits
    batch = Batch(tracks: WebTracks(most: limits.positions))
  }

  /// Adds a state, in place of one of the same device that was not sent.
  mutating func add(_ state: WebState) {
    let name = ExactText(state.device)
    if let place = places[name] {
      batch.states[place] = state
    } else {
      if batch.states.count >= limits.devices { remove(batch.states[0].device) }
      places[name] = batch.states.count
      batch.states.append(state)
    }
    for position in state.positions { batch.tracks.append(position, of: state.device) }
  }

  mutating func add(_ run: WebRun) { batch.run = run }

  /// Adds that a device is forgotten; its states until now are not sent.
  mutating func add(forgotten device: String) {
    remove(device)
    batch.forgotten.append(device)
    if batch.forgotten.count > limits.devices { batch.forgotten.removeFirst() }
  }

  private mutating func remove(_ device: String) {
    batch.tracks.remove(device)
    guard let place = places.removeValue(forKey: ExactText(device)) else { return }
    batch.states.remove(at: place)
    for index in batch.states[place...].indices {
      places[ExactText(batch.states[index].device)] = index
    }
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
    defer {
      batch = Batch(tracks: WebTracks(most: limits.positions))
      places.removeAll()
    }
    batch.messages = messages.take(bytes: limits.backlog / 8)
    isAwaited = !messages.messages.isEmpty
    return (batch, isAwaited)
  }
}
