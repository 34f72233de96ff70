/// Where a server listens.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// A name or an address; nil for this machine alone, by IPv4 and by IPv6.
  package var host: String?
  /// 0 for any that is free.
  package var port: Int

  /// gpsd's port, as IANA has it.
  package static let defaultPort = 2947

  package init(host: String? = nil, port: Int = defaultPort) {
    self.host = host
    self.port = port
  }

  /// Reads `HOST:PORT`, `[IPV6]:PORT`, `HOST` or `:PORT`; nil when it is none of these.
  package init?(_ text: String) {
    // By scalars: a colon that follows a letter which joins what comes next would be no character.
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
    guard !host.contains(where: Self.isNever(inHost:)) else { return nil }
    let name = String(host)
    self.init(host: name.isEmpty || name == "localhost" ? nil : name, port: number)
  }

  /// Whether a character is in no host, be it a name or an address.
  private static func isNever(inHost scalar: Unicode.Scalar) -> Bool {
    scalar.value <= 0x20 || scalar.value == 0x7F || scalar.properties.isWhitespace
      || "/[]".unicodeScalars.contains(scalar)
  }

  /// As in an address: `127.0.0.1:2947`, `[::1]:2947`.
  package var description: String { Self.text(host ?? "127.0.0.1", port) }

  static func text(_ host: String, _ port: Int) -> String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
