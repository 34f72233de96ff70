/// The address of a receiver: `gpsd://HOST[:PORT][/DEVICE]`.
enum ConfigurationSource {
  /// Whether `text` is such an address.
  ///
  /// HOST is a name, an IPv4 address or an IPv6 address in
  /// brackets; DEVICE is a path such as `/dev/ttyUSB0`.
  static func isValid(_ text: String) -> Bool {
    guard text.hasPrefix("gpsd://"), !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      return false
    }
    let authority = text.dropFirst("gpsd://".count).prefix { $0 != "/" }
    guard authority.first == "[" else {
      let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
      return parts.count <= 2 && parts.first.map(isHost) == true
        && parts.dropFirst().allSatisfy(isPort)
    }
    guard let end = authority.firstIndex(of: "]") else { return false }
    let port = authority[end...].dropFirst()
    return isNumericHost(authority[..<end].dropFirst())
      && (port.isEmpty || port.first == ":" && isPort(port.dropFirst()))
  }

  private static func isHost(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "-._".contains($0) }
  }

  private static func isNumericHost(_ text: Substring) -> Bool {
    text.contains(":") && text.allSatisfy { $0.isHexDigit || ":.%".contains($0) || $0.isLetter }
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } && (UInt16(text) ?? 0) > 0
  }
}
