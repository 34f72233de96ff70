/// The address that a server listens on.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// A name or an address; nil for this machine alone, by IPv4 and by IPv6.
  package var host: String?
  /// 0 for any free port.
  package var port: Int

  /// gpsd's port, registered with IANA.
  package static let defaultPort = 2947

  package init(host: String? = nil, port: Int = defaultPort) {
    self.host = host
    self.port = port
  }

  /// Parses `HOST:PORT`, `[IPV6]:PORT`, `HOST` or `:PORT`; nil for any other text.
  package init?(_ text: String) {
    // By scalars: after a letter that joins the next one a colon is not a character of its own.
    let text = text[...].unicodeScalars
    var (host, port): (Substring.UnicodeScalarView, Substring.UnicodeScalarView?) = (text, nil)
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[..<end].dropFirst()
      let rest = text[end...].dropFirst()
      guard rest.first ?? ":" == ":", host.contains(":") else { return nil }
      port = rest.isEmpty ? nil : rest.dropFirst()
    } else if let colon = text.firstIndex(of: ":") {
      (host, port) = (text[..<colon], text[colon...].dropFirst())
    } else if text.isEmpty {
      return nil
    }
    var number = Self.defaultPort
    if let port {
      guard port.allSatisfy({ ("0"..."9").contains($0) }), let value = UInt16(String(port)) else {
        return nil
      }
      number = Int(value)
    }
    guard !host.contains(where: Self.isInvalid(inHost:)) else { return nil }
    let name = String(host)
    self.init(host: name.isEmpty || name == "localhost" ? nil : name, port: number)
  }

  /// Parses `PORT` or `HOST:PORT` of the live map, which has no usual port; nil for any other text.
  package init?(web text: String) {
    let isPort = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let hasPort = text.hasPrefix("[") ? text.contains("]:") : text.contains(":")
    guard isPort || hasPort else { return nil }
    self.init(isPort ? ":\(text)" : text)
  }

  /// Whether the address is one that this machine alone can reach.
  package var isLocal: Bool {
    guard let host else { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return host == "::1"
      || (parts.count == 4 && parts.allSatisfy { UInt8($0) != nil } && parts[0] == "127")
  }

  /// Whether neither a name nor an address can contain a character.
  private static func isInvalid(inHost scalar: Unicode.Scalar) -> Bool {
    scalar.value <= 0x20 || scalar.value == 0x7F || scalar.properties.isWhitespace
      || "/[]".unicodeScalars.contains(scalar)
  }

  /// The address as HOST:PORT: `127.0.0.1:2947`, `[::1]:2947`.
  package var description: String { Self.text(host ?? "127.0.0.1", port) }

  package static func text(_ host: String, _ port: Int) -> String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
