extension GPSDAddress {
  /// The names of devices at several addresses: the given ones, else the hosts.
  ///
  /// Where several have one host, the receiver's name or the port is appended.
  package static func deviceNames(
    _ sources: [(address: GPSDAddress, device: String?)]
  ) -> [String] {
    let unnamed = sources.filter { $0.device == nil }.map(\.address)
    return sources.map { address, device in
      if let device { return device }
      let neighbours = unnamed.filter { $0.host == address.host }
      guard neighbours.count > 1 else { return address.host }
      let receiver = address.device?.split(separator: "/").last.map(String.init)
      return "\(address.host)-\(receiver ?? "\(address.port)")"
    }
  }
}
