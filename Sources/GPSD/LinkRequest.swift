internal import Text

/// Requests to gpsd (gpsd_json(5)).
enum LinkRequest {
  static let devices = Array("?DEVICES;\n".utf8)

  /// Requests reports as JSON, of one receiver or of all.
  static func watch(device: String?) -> [UInt8] {
    var request = Array("?WATCH={\"enable\":true,\"json\":true".utf8)
    if let device {
      request += ",\"device\":".utf8
      JSONText.append(device, to: &request)
    }
    request += "};\n".utf8
    return request
  }
}
