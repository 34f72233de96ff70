internal import Formats
internal import Foundation

/// A request with a report of a device; without sockets.
///
/// - POST with a message in JSON, or GET and POST with the positions in the query.
/// - The host and the origin are checked as for the live map, so no web page reports positions.
/// - With a token, a request needs it: as `Authorization: Bearer`, as the password of
///   `Authorization: Basic`, or as `token` in the query.
struct IntakeRequest {
  let request: WebRequest

  /// The longest body, bytes.
  static let longestBody = 1 << 20

  /// Why the request is refused whatever its body is, with a status code; nil when it is not.
  func refusal(_ token: WebToken?) -> (code: Int, reason: String)? {
    guard request.method == "POST" || request.method == "GET" else {
      return (405, "only GET and POST are allowed")
    }
    guard request.uri.utf8.count <= WebRequest.longest, let target = WebRequest.Target(request.uri)
    else { return (400, "the address is not understood") }
    if case .refusal(let code, let reason)? = request.refusedHost(token) { return (code, reason) }
    guard let token else { return nil }
    let given = [request.bearer, password, target.query["token"]].compactMap(\.self)
    guard given.contains(where: token.matches) else {
      return (401, "the request needs the token of the server's file")
    }
    return nil
  }

  /// Whether the request has nothing to say: somebody opened the address in a browser.
  var isEmpty: Bool { request.method == "GET" && query.isEmpty }

  /// Reads the positions of the request.
  func message(_ body: [UInt8]) throws(ReportError) -> ReportMessage {
    let query = query
    let sender = sender(query)
    let isJSON = body.first { $0 > 0x20 } == UInt8(ascii: "{")
    if isJSON { return try ReportMessage(json: body, from: sender) }
    let form = String(decoding: body, as: UTF8.self)
    return try ReportMessage(query: query + Self.pairs(form[...]), from: sender)
  }

  /// The names and values of the query, decoded, without the token.
  private var query: [(name: String, value: String)] {
    Self.pairs(WebRequest.Target(request.uri)?.text ?? "").filter { $0.name != "token" }
  }

  /// OwnTracks names the user and the device in headers, and so may an address.
  private func sender(_ query: [(name: String, value: String)]) -> ReportSender {
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
    let (user, device) = (request.value(of: "x-limit-u"), request.value(of: "x-limit-d"))
    if user != nil || device != nil { return ReportSender(user: user, device: device) }
    return ReportSender(user: value("u"), device: value("d") ?? value("device"))
  }

  /// The password of `Authorization: Basic`.
  private var password: String? {
    guard let value = request.value(of: "authorization"), value.hasPrefix("Basic "),
      let bytes = Data(base64Encoded: String(value.dropFirst("Basic ".count)))
    else { return nil }
    let colon = UInt8(ascii: ":")
    let parts = bytes.split(separator: colon, maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : nil
  }

  private static func pairs(_ text: Substring) -> [(name: String, value: String)] {
    text.split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (decoded(String(sides[0])), sides.count == 2 ? decoded(String(sides[1])) : "")
    }
  }

  /// A name or a value as application/x-www-form-urlencoded has it; as it is where it has an invalid escape.
  private static func decoded(_ text: String) -> String {
    let text = text.replacing("+", with: " ")
    return text.removingPercentEncoding ?? text
  }
}
