internal import Glibc

/// A socket address of the system.
struct SocketAddress: Sendable, Hashable {
  let family: Int32
  /// A sockaddr of that family.
  let bytes: [UInt8]

  init(_ info: addrinfo) {
    family = info.ai_family
    bytes = Array(UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
  }

  /// The addresses of a host, in the order to try them (RFC 6724).
  ///
  /// It blocks until name servers answer, unless `isNumeric`.
  static func all(
    host: String, port: UInt16, isNumeric: Bool
  ) throws(ResolverError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV | (isNumeric ? AI_NUMERICHOST : 0)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard code == 0 else { throw ResolverError(code: code) }
    var addresses: [SocketAddress] = []
    var next = list
    while let info = next?.pointee, addresses.count < mostAddresses {
      if info.ai_addr != nil { addresses.append(SocketAddress(info)) }
      next = info.ai_next
    }
    guard !addresses.isEmpty else { throw ResolverError(code: EAI_NONAME) }
    return addresses
  }

  /// More are not tried: each would get too little time.
  private static let mostAddresses = 8

  /// Calls `body` with a pointer to the address, for system calls.
  func withAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result? {
    bytes.withUnsafeBytes { raw in
      // A copy with the alignment of the largest address.
      var storage = sockaddr_storage()
      return withUnsafeMutableBytes(of: &storage) { target in
        guard raw.count <= target.count else { return nil }
        target.copyMemory(from: raw)
        return target.baseAddress.map {
          body(
            UnsafePointer($0.assumingMemoryBound(to: sockaddr.self)), socklen_t(raw.count))
        }
      }
    }
  }
}

/// An error of getaddrinfo(3).
struct ResolverError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Its error code.
  let code: Int32

  var description: String { String(cString: gai_strerror(code)) }
}
