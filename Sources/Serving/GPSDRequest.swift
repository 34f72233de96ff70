internal import Traces

/// What a client asks of gpsd (gpsd_json(5), "Commands").
enum GPSDRequest: Hashable {
  case version
  case devices
  /// The receiver with this path, or all; settings are read and not obeyed, as a recorded receiver
  /// has none.
  case device(path: String?)
  case poll
  /// What to watch from now on; nil only asks how it is.
  case watch(WatchChange?)
  /// What cannot be understood, with the answer.
  case invalid(String)
}

/// The members of a WATCH; what is nil stays as it is.
struct WatchChange: Hashable {
  /// gpsd takes a WATCH that does not say as `true`.
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
  /// Reads one request, without the semicolon at its end.
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
      .watch(try body.map { (body) throws(JSONError) in try WatchChange(body.span) })
    default: nil
    }
  }

  /// Characters of a request that are repeated in an answer.
  private static let shown = 64

  private static func unrecognised(_ text: String) -> GPSDRequest {
    .invalid("Unrecognized request '\(text.prefix(shown))'")
  }
}
