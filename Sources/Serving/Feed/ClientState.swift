internal import Text

/// The protocol state of one client, without a socket: bytes in, answers out.
struct ClientState {
  private(set) var policy: ClientPolicy
  /// Whether a request was too long; the connection must be closed after the answer.
  private(set) var isOversized = false
  private var requests = RequestReader()

  init(policy: ClientPolicy = ClientPolicy()) {
    self.policy = policy
  }

  /// Takes bytes that the client sent.
  mutating func take(_ bytes: some Sequence<UInt8>) {
    if !isOversized { requests.take(bytes) }
  }

  /// Appends the answer to the next request; false when there is none.
  mutating func answer(from registry: DeviceRegistry, to buffer: inout [UInt8]) -> Bool {
    guard !isOversized, let result = requests.next() else { return false }
    switch result {
    case .request(let request): answer(request, from: registry, to: &buffer)
    case .oversized:
      isOversized = true
      let limit = RequestReader.longest
      appendError("a request of more than \(limit) bytes; expected ';' at its end", to: &buffer)
    }
    return true
  }

  private mutating func answer(
    _ request: GPSDRequest, from registry: DeviceRegistry, to buffer: inout [UInt8]
  ) {
    switch request {
    case .version: buffer.append(contentsOf: registry.greeting)
    case .devices: registry.appendDevices(to: &buffer)
    case .poll: registry.appendPoll(to: &buffer)
    case .device(let path): answerDevice(path, from: registry, to: &buffer)
    case .watch(let change): answerWatch(change, from: registry, to: &buffer)
    case .invalid(let message): appendError(message, to: &buffer)
    }
  }

  private func answerDevice(
    _ path: String?, from registry: DeviceRegistry, to buffer: inout [UInt8]
  ) {
    var wanted = registry.devices.indices
    if let path {
      guard let index = registry.index(of: path) else {
        return appendError("No such device as \(path)", to: &buffer)
      }
      wanted = index..<(index + 1)
    }
    for index in wanted {
      registry.appendDevice(index, to: &buffer)
      buffer.append(contentsOf: "\r\n".utf8)
    }
  }

  private mutating func answerWatch(
    _ change: PolicyChange?, from registry: DeviceRegistry, to buffer: inout [UInt8]
  ) {
    if let path = change?.device, registry.index(of: path) == nil {
      appendError("No such device as \(path)", to: &buffer)
      return
    }
    if let change { policy.take(change) }
    registry.appendDevices(to: &buffer)
    policy.append(to: &buffer)
  }

  private func appendError(_ message: String, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: "{\"class\":\"ERROR\",\"message\":".utf8)
    JSONText.append(message, to: &buffer)
    buffer.append(contentsOf: "}\r\n".utf8)
  }
}
