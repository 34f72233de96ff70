/// The address of a gpsd and optionally one of its receivers: `gpsd://HOST[:PORT][/DEVICE]`.
///
/// HOST is a name, an IPv4 address, or an IPv6 address in brackets. DEVICE is the path of a
/// receiver as gpsd names it: `gpsd://host/dev/ttyUSB0` selects `/dev/ttyUSB0`, and
/// `gpsd://host/udp://:5000` selects `udp://:5000`. Without it, or with a bare slash, all receivers
/// are selected.
package struct GPSDAddress: Sendable, Hashable, CustomStringConvertible {
  /// A name or a numeric address, without brackets.
  package let host: String
  package let port: UInt16
  /// The receiver's path, nil for all receivers.
  package let device: String?

  /// The port that IANA assigned to gpsd.
  package static let standardPort: UInt16 = 2947
  /// gpsd on this machine.
  package static let local = GPSDAddress(host: "localhost")
  /// The form of an address, for messages.
  package static let form = "gpsd://HOST[:PORT][/DEVICE] such as gpsd://localhost:2947"

  private static let scheme = "gpsd://"

  /// Makes an address from valid parts.
  package init(host: String, port: UInt16 = standardPort, device: String? = nil) {
    self.host = host
    self.port = port
    self.device = device
  }

  /// Parses an address.
  ///
  /// - Throws: ``GPSDAddressError`` with the expected form and, if possible, a suggestion.
  package init(parsing text: String) throws(GPSDAddressError) {
    guard let address = Self(text) else { throw GPSDAddressError(found: text) }
    self = address
  }

  /// The address that an invalid text probably means: one that lacks only `gpsd://`.
  static func nearest(to text: String) -> GPSDAddress? { Self(scheme + text) }

  /// Whether it is the usual port of this machine.
  package var isStandardLocal: Bool {
    port == Self.standardPort && ["localhost", "127.0.0.1", "::1"].contains(host)
  }

  /// The address in full, with the port.
  package var description: String {
    let isNumericIPv6 = host.utf8.contains(UInt8(ascii: ":"))
    // The slash before a receiver's URL does not belong to the URL, see device(_:).
    let path = device.map { device in
      let isPath = device.utf8.first == UInt8(ascii: "/") && !Self.isAddress(device)
      return isPath ? device : "/" + device
    }
    return "\(Self.scheme)\(isNumericIPv6 ? "[\(host)]" : host):\(port)\(path ?? "")"
  }

  // By scalars: a colon after a joining letter would not be a character of its own.
  private typealias Scalars = Substring.UnicodeScalarView

  private init?(_ text: String) {
    let scalars = text[...].unicodeScalars
    guard scalars.starts(with: Self.scheme.unicodeScalars),
      !scalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F })
    else { return nil }
    let rest = scalars.dropFirst(Self.scheme.unicodeScalars.count)
    let authority = rest.prefix { $0 != "/" }
    guard let (host, port) = Self.hostAndPort(authority) else { return nil }
    self.init(host: host, port: port, device: Self.device(rest[authority.endIndex...]))
  }

  private static func hostAndPort(_ text: Scalars) -> (String, UInt16)? {
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let host = text[..<end].dropFirst()
      guard isIPv6(host), let port = port(text[end...].dropFirst()) else { return nil }
      return (String(host), port)
    }
    let host = text.prefix { $0 != ":" }
    guard isName(host), let port = port(text[host.endIndex...]) else { return nil }
    return (String(host), port)
  }

  /// The port in `:2947`; the standard port for an empty text.
  private static func port(_ text: Scalars) -> UInt16? {
    if text.isEmpty { return standardPort }
    let digits = text.dropFirst()
    guard text.first == ":", digits.allSatisfy({ ("0"..."9").contains($0) }),
      let port = UInt16(String(digits)), port > 0
    else { return nil }
    return port
  }

  private static func isName(_ text: Scalars) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.properties.isIDContinue || $0 == "-" || $0 == "." }
  }

  private static func isIPv6(_ text: Scalars) -> Bool {
    text.contains(":")
      && text.allSatisfy { $0.properties.isIDContinue || ":.%-".unicodeScalars.contains($0) }
  }

  private static func device(_ path: Scalars) -> String? {
    let name = path.dropFirst()
    guard !name.isEmpty else { return nil }
    return isAddress(String(name)) ? String(name) : String(path)
  }

  /// Whether a receiver's path is a URL, such as `udp://:5000`.
  private static func isAddress(_ device: String) -> Bool {
    device.utf8.contains("://".utf8)
  }
}

/// A text is not a gpsd address.
package struct GPSDAddressError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text.
  package let found: String

  package var description: String {
    "found '\(found)', expected \(GPSDAddress.form)" + (advice.map { "; \($0)" } ?? "")
  }

  /// A suggestion; nil when there is none.
  package var advice: String? { suggestion.map { "did you mean '\($0)'?" } }

  /// Whether a config file was probably meant, whose name could be that of a host.
  package var isConfig: Bool { found.hasSuffix(".yaml") || found.hasSuffix(".yml") }

  /// What was probably meant; nil when there is no such guess.
  private var suggestion: String? {
    if isConfig { return nil }
    // gpsd reads the receiver.
    if found.hasPrefix("/dev/") { return "gpsd://localhost\(found)" }
    return GPSDAddress.nearest(to: found).map { _ in "gpsd://\(found)" }
  }
}
