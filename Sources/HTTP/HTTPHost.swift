internal import Glibc

/// The host of a URL: a name, or an IP address.
package struct HTTPHost {
  /// In small letters, without brackets and without a dot at its end.
  private let name: String
  /// The 4 or 16 bytes of an address; nil for a name.
  private let address: [UInt8]?

  package init(_ text: String) {
    var text = text.lowercased()
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    if text.hasSuffix(".") { text.removeLast() }
    name = text
    address = Self.bytes(of: text)
  }

  /// Whether it is the machine that runs the program: RFC 6761, section 6.3, RFC 1122 and RFC 4291.
  package var isThisMachine: Bool {
    guard let address else { return name == "localhost" || name.hasSuffix(".localhost") }
    return address.count == 4 ? address[0] == 127 : address == Self.loopback
  }

  /// Whether an item of `no_proxy` names it: a host, a domain, an address, or a network as
  /// `10.0.0.0/8`.
  func isWithin(_ item: some StringProtocol) -> Bool {
    let parts = item.split(separator: "/", maxSplits: 1)
    guard let first = parts.first else { return false }
    let domain = HTTPHost(String(first.hasPrefix(".") ? first.dropFirst() : first[...]))
    guard let address else {
      return parts.count == 1 && !domain.name.isEmpty
        && (name == domain.name || name.hasSuffix("." + domain.name))
    }
    guard let network = domain.address, network.count == address.count else { return false }
    guard parts.count == 2 else { return address == network }
    guard let bits = Int(parts[1]), (0...8 * address.count).contains(bits) else { return false }
    return (0..<bits).allSatisfy { bit in
      (address[bit / 8] ^ network[bit / 8]) & 0x80 >> UInt8(bit % 8) == 0
    }
  }

  private static let loopback: [UInt8] = Array(repeating: 0, count: 15) + [1]
  /// What comes before an IPv4 address that is written as one of IPv6 (RFC 4291, section 2.5.5.2).
  private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

  private static func bytes(of text: String) -> [UInt8]? {
    var (four, sixteen) = (in_addr(), in6_addr())
    // Short forms such as 127.1 too: libcurl takes them.
    if inet_aton(text, &four) != 0 { return withUnsafeBytes(of: &four, Array.init) }
    guard inet_pton(AF_INET6, text, &sixteen) == 1 else { return nil }
    let bytes = withUnsafeBytes(of: &sixteen, Array.init)
    return bytes.starts(with: mapped) ? Array(bytes.dropFirst(12)) : bytes
  }
}
