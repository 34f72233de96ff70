internal import Glibc
internal import System

/// A stream socket that never blocks and never raises SIGPIPE; it is closed with the object.
final class LinkSocket {
  enum Received: Hashable {
    case bytes(Int)
    /// No data for now.
    case nothing
    case end
    case failed(SystemError)
  }

  let descriptor: Int32

  /// Starts to connect; the socket becomes writable when it has connected or failed.
  init(connectingTo address: SocketAddress) throws(SystemError) {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor = socket(address.family, kind, 0)
    guard descriptor >= 0 else { throw .last }
    let descriptor = descriptor
    let code = address.withAddress { connect(descriptor, $0, $1) == 0 ? 0 : errno } ?? EINVAL
    // connect(2) continues after a signal.
    guard code == 0 || code == EINPROGRESS || code == EINTR else { throw SystemError(code: code) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Checks the result of connecting, once the socket is writable.
  func checkConnected() throws(SystemError) {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { throw .last }
    guard code == 0 else { throw SystemError(code: code) }
    // On the local machine, a connection to a port without a listener may connect to itself
    // (simultaneous open, RFC 9293 §3.5).
    guard name(getsockname) != name(getpeername) else { throw SystemError(code: ECONNREFUSED) }
  }

  /// Reads the available bytes, up to the size of `buffer`.
  func receive(into buffer: inout [UInt8]) -> Received {
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      if errno == EAGAIN || errno == EWOULDBLOCK { return .nothing }
      if errno != EINTR { return .failed(.last) }
    }
  }

  /// Sends as many of `bytes` as the system accepts, and removes them.
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
    _ call: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> [UInt8] {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { raw in
      guard let base = raw.baseAddress,
        call(descriptor, base.assumingMemoryBound(to: sockaddr.self), &size) == 0
      else { return [] }
      return Array(raw.prefix(Int(size)))
    }
  }
}
