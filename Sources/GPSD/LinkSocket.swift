internal import Glibc
internal import System

/// A stream socket that never blocks and never raises SIGPIPE; closed at the end of its life.
final class LinkSocket {
  enum Received: Hashable {
    case bytes(Int)
    /// Nothing more is there for now.
    case nothing
    case end
    case fault(SystemError)
  }

  let descriptor: Int32

  /// Begins to connect; the socket is writable when that has ended, one way or the other.
  init(connectingTo address: SocketAddress) throws(SystemError) {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor = socket(address.family, kind, 0)
    guard descriptor >= 0 else { throw .last }
    let descriptor = descriptor
    let code = address.withAddress { connect(descriptor, $0, $1) == 0 ? 0 : errno } ?? EINVAL
    // A connect that a signal cut short goes on by itself.
    guard code == 0 || code == EINPROGRESS || code == EINTR else { throw SystemError(code: code) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// How connecting ended; asked when the socket is writable.
  func checkConnected() throws(SystemError) {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { throw .last }
    guard code == 0 else { throw SystemError(code: code) }
    // On one machine a connect to a port on which nobody listens may meet itself (simultaneous
    // open, RFC 9293 §3.5).
    guard name(getsockname) != name(getpeername) else { throw SystemError(code: ECONNREFUSED) }
  }

  /// Reads what is there, up to the size of `buffer`.
  func receive(into buffer: inout [UInt8]) -> Received {
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      if errno == EAGAIN || errno == EWOULDBLOCK { return .nothing }
      if errno != EINTR { return .fault(.last) }
    }
  }

  /// Writes as many of `bytes` as there is room for, and removes them.
  func send(_ bytes: inout [UInt8]) throws(SystemError) {
    while !bytes.isEmpty {
      let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      if count >= 0 {
        bytes.removeFirst(count)
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        return
      } else if errno != EINTR {
        throw .last
      }
    }
  }

  private func name(
    _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> [UInt8] {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { raw in
      guard let base = raw.baseAddress,
        ask(descriptor, base.assumingMemoryBound(to: sockaddr.self), &size) == 0
      else { return [] }
      return Array(raw.prefix(Int(size)))
    }
  }
}
