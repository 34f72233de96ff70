internal import Text

/// A request of a client (gpsd_json(5), "Commands").
enum GPSDRequest: Hashable {
  case version
  case devices
  /// The receiver with this path, or all. Settings in it have no effect on a recorded receiver.
  case device(path: String?)
  case poll
  /// A change of the client's policy; nil only queries it.
  case watch(PolicyChange?)
  /// An invalid request, with the error message for the client.
  case invalid(String)
}

/// The members of a WATCH; nil leaves a setting unchanged.
struct PolicyChange: Hashable {
  /// True when the member is missing, as in gpsd.
  var enable = true
  var json: Bool?
  var nmea: Bool?
  var raw: Int?
  var scaled: Bool?
  var timing: Bool?
  var split24: Bool?
  var pps: Bool?
  var device: String?
}

extension GPSDRequest {
  /// Parses one request, given without the semicolon at its end.
  init(parsing bytes: Span<UInt8>) {
    let text = bytes.string.trimmingBlanks
    guard text.hasPrefix("?") else {
      self = .unrecognised(text)
      return
    }
    let parts = text.dropFirst()
      .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0].trimmingBlanks
    let body = parts.count > 1 ? Array(parts[1].utf8) : nil
    do {
      self = try Self.request(name, body) ?? .unrecognised(text)
    } catch {
      self = .invalid("Invalid \(name): \(error.message)")
    }
  }

  private static func request(
    _ name: String, _ body: [UInt8]?
  ) throws(JSONError) -> GPSDRequest? {
    switch name {
    case "VERSION": .version
    case "DEVICES": .devices
    case "POLL": .poll
    case "DEVICE":
      .device(
        path: try body.map { (body) throws(JSONError) in try DeviceQuery(body.span).path } ?? nil)
    case "WATCH":
      .watch(try body.map { (body) throws(JSONError) in try PolicyChange(body.span) })
    default: nil
    }
  }

  /// Most characters of a request that an error message quotes.
  private static let shown = 64

  private static func unrecognised(_ text: String) -> GPSDRequest {
    .invalid("Unrecognized request '\(text.prefix(shown))'")
  }
}
