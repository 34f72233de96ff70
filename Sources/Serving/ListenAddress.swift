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
    var (host, port): (Substring, Substring?) = (text[...], nil)
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":"), host.contains(":") else { return nil }
      port = rest.isEmpty ? nil : rest.dropFirst()
    } else if let colon = text.firstIndex(of: ":") {
      (host, port) = (text[..<colon], text[text.index(after: colon)...])
    } else if text.isEmpty {
      return nil
    }
    var number = Self.defaultPort
    if let port {
      guard let value = UInt16(port), port.first != "+" else { return nil }
      number = Int(value)
    }
    guard !host.contains(where: { $0.isWhitespace || $0 == "/" }) else { return nil }
    self.init(host: host.isEmpty || host == "localhost" ? nil : String(host), port: number)
  }

  /// As in an address: `127.0.0.1:2947`, `[::1]:2947`.
  package var description: String { Self.text(host ?? "127.0.0.1", port) }

  static func text(_ host: String, _ port: Int) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
