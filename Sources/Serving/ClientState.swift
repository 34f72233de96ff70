internal import Traces

/// All that a server has to know of one client: bytes come in, answers go out; no socket.
struct ClientState {
  private(set) var policy = WatchPolicy()
  /// Whether it sent a request without an end: it is answered, and then to be closed.
  private(set) var isHopeless = false
  private var requests = RequestReader()

  /// Takes what the client sent.
  mutating func take(_ bytes: some Sequence<UInt8>) {
    if !isHopeless { requests.take(bytes) }
  }

  /// Appends the answer to the next request; false when there is none.
  mutating func answer(on board: Board, to buffer: inout [UInt8]) -> Bool {
    guard !isHopeless, let piece = requests.next() else { return false }
    switch piece {
    case .request(let request): answer(request, on: board, to: &buffer)
    case .endless:
      isHopeless = true
      let limit = RequestReader.longest
      appendError("a request of more than \(limit) bytes; expected ';' at its end", to: &buffer)
    }
    return true
  }

  private mutating func answer(
    _ request: GPSDRequest, on board: Board, to buffer: inout [UInt8]
  ) {
    switch request {
    case .version: buffer.append(contentsOf: Board.version.utf8)
    case .devices: board.appendDevices(to: &buffer)
    case .poll: board.appendPoll(to: &buffer)
    case .device(let path): answerDevice(path, on: board, to: &buffer)
    case .watch(let change): answerWatch(change, on: board, to: &buffer)
    case .invalid(let message): appendError(message, to: &buffer)
    }
  }

  private func answerDevice(_ path: String?, on board: Board, to buffer: inout [UInt8]) {
    if let path, board.index(of: path) == nil {
      appendError("No such device as \(path)", to: &buffer)
      return
    }
    for (index, device) in board.devices.enumerated() where path == nil || device.path == path {
      board.appendDevice(index, to: &buffer)
      buffer.append(contentsOf: "\r\n".utf8)
    }
  }

  private mutating func answerWatch(
    _ change: WatchChange?, on board: Board, to buffer: inout [UInt8]
  ) {
    if let path = change?.device, board.index(of: path) == nil {
      appendError("No such device as \(path)", to: &buffer)
      return
    }
    if let change { policy.take(change) }
    board.appendDevices(to: &buffer)
    policy.append(to: &buffer)
  }

  private func appendError(_ message: String, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: "{\"class\":\"ERROR\",\"message\":".utf8)
    JSONText.append(message, to: &buffer)
    buffer.append(contentsOf: "}\r\n".utf8)
  }
}
