package import Session

/// Where a server listens: an address of the network, or a socket that is a file.
package enum ListenPlace: Sendable, Hashable, CustomStringConvertible {
  case address(ListenAddress)
  /// The path of a socket; see unix(7).
  case file(String)

  private static let scheme = "unix:"

  /// Parses `unix:PATH`, or an address as ``ListenAddress/init(_:)`` does; nil for any other text.
  package init?(_ text: String) {
    if text.hasPrefix(Self.scheme) {
      let path = String(text.dropFirst(Self.scheme.count))
      guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
      self = .file(path)
    } else if let address = ListenAddress(text) {
      self = .address(address)
    } else {
      return nil
    }
  }

  package var description: String {
    switch self {
    case .address(let address): address.description
    case .file(let path): Self.scheme + path
    }
  }
}
