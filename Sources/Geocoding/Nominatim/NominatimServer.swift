internal import Foundation
internal import HTTP
internal import System

/// The address of a server, and the contact in requests to it.
struct NominatimServer: Sendable, Hashable {
  /// The address without its query, which may be secret, for messages, such as `https://example.org/`.
  let name: String
  /// In small letters.
  let host: String
  private let base: URLComponents
  /// The program and the contact, as servers see them.
  let userAgent: String
  private let email: String?

  /// Validates the address of a server and the contact.
  ///
  /// - Throws: ``GeocoderSettingError`` that shows the address without what may be secret in it.
  init(url: String, contact: String) throws(GeocoderSettingError) {
    (base, host) = try Self.base(url)
    var shown = base
    (shown.query, shown.path) = (nil, base.path + "/")
    name = shown.string ?? "\(base.scheme ?? "")://\(host)/"
    email = try Self.email(contact)
    userAgent = "waymark/\(Release.version) (\(contact))"
  }

  /// Whether requests to it are encrypted.
  var isEncrypted: Bool { base.scheme == "https" }

  /// Whether requests stay on this machine.
  var isThisMachine: Bool { HTTPHost(host).isThisMachine }

  /// The address of the server itself, by which its proxy is chosen.
  var url: URL? { base.url }

  /// Whether it is the server of the OpenStreetMap Foundation.
  var isOpenStreetMap: Bool {
    let host = host.hasSuffix(".") ? String(host.dropLast()) : host
    return host == "openstreetmap.org" || host.hasSuffix(".openstreetmap.org")
  }

  /// The URL of a request; nil only if it cannot be written.
  func url(_ command: String, _ items: [(String, String?)]) -> URL? {
    var components = base
    components.path += "/" + command
    let all = items + [("email", email)]
    let query = all.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }
    components.percentEncodedQuery =
      ([base.percentEncodedQuery].compactMap(\.self) + query).joined(separator: "&")
    return components.url
  }

  /// The address in its parts, and its host in small letters.
  private static func base(_ text: String) throws(GeocoderSettingError) -> (URLComponents, String) {
    let expected = "expected the address of a Nominatim server, such as https://nominatim.example/"
    let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
    guard scheme.map(["https", "http"].contains) ?? true else {
      throw GeocoderSettingError(
        "server", "'\(redacted(text))' is neither https nor http; \(expected)")
    }
    guard let scheme, var components = URLComponents(string: text),
      let host = components.host?.lowercased(), !host.isEmpty,
      host.allSatisfy({ $0.isASCII && !$0.isWhitespace })
    else {
      throw GeocoderSettingError("server", "'\(redacted(text))' is not an address; \(expected)")
    }
    guard components.user == nil, components.password == nil, components.fragment == nil else {
      throw GeocoderSettingError(
        "server", "an address with a name, a password or a fragment cannot be used; \(expected)")
    }
    while components.path.hasSuffix("/") { components.path.removeLast() }
    if components.percentEncodedQuery?.isEmpty == true { components.percentEncodedQuery = nil }
    components.scheme = scheme
    return (components, host.trimmingCharacters(in: ["[", "]"]))
  }

  /// An invalid address for a message, with `…` in place of what may be secret: the name and the
  /// password, the query and the fragment.
  private static func redacted(_ text: String) -> String {
    let end = text.firstIndex { $0 == "?" || $0 == "#" }
    var shown = text[..<(end ?? text.endIndex)]
    if let at = shown.lastIndex(of: "@") {
      let start = shown[..<at].firstRange(of: "//")?.upperBound ?? shown.startIndex
      shown.replaceSubrange(start..<at, with: "…")
    }
    return String(shown) + (end.map { "\(text[$0])…" } ?? "")
  }

  /// The contact if it is an e-mail address; nil if it is a URL.
  private static func email(_ contact: String) throws(GeocoderSettingError) -> String? {
    // No space and nothing that ends the comment in the header.
    let isPlain =
      contact.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && !contact.contains { "()\\".contains($0) }
    if isPlain, let url = URLComponents(string: contact), let scheme = url.scheme?.lowercased(),
      scheme == "https" || scheme == "http", url.host?.isEmpty == false
    {
      return nil
    }
    let parts = contact.split(separator: "@", omittingEmptySubsequences: false)
    guard !contact.isEmpty else {
      throw GeocoderSettingError(
        "contact",
        "it is empty; give an e-mail address or a URL, by which the operator can reach you")
    }
    guard isPlain, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), !contact.contains("/")
    else {
      throw GeocoderSettingError(
        "contact", "'\(contact)' is not a contact; expected an e-mail address or a URL of yours")
    }
    return contact
  }
}
