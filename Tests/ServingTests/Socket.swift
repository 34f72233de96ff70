import Glibc

/// A client under the control of a test, with a limit of a minute for each read and write.
final class Socket {
  private let descriptor: Int32
  private var pending: [UInt8] = []

  struct Failure: Error {
    let call: String
    let code = errno
  }

  /// Connects to `HOST:PORT` or `[::1]:PORT`.
  init(_ address: String, receiveBuffer: Int32? = nil) throws {
    guard let colon = address.lastIndex(of: ":"),
      let port = UInt16(address[address.index(after: colon)...])
    else { throw Failure(call: address) }
    let isIPv6 = address.hasPrefix("[")
    descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    setLimits()
    let status = isIPv6 ? connectIPv6(port) : connectIPv4(port)
    guard status == 0 else { throw Failure(call: "connect") }
  }

  /// Connects to a socket that is a file.
  init(file path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    setLimits()
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    guard connect(&address) == 0 else { throw Failure(call: "connect") }
  }

  private func setLimits() {
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  private func connectIPv4(_ port: UInt16) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return connect(&address)
  }

  private func connectIPv6(_ port: UInt16) -> Int32 {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    return connect(&address)
  }

  private func connect<Address>(_ address: inout Address) -> Int32 {
    withUnsafeBytes(of: &address) { bytes in
      guard let start = bytes.baseAddress else { return -1 }
      return Glibc.connect(
        descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
  }

  /// Sends a whole text; false when the server has closed.
  @discardableResult
  func send(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  func watch(_ form: String = "\"json\":true") {
    send("?WATCH={\"enable\":true,\(form)};\n")
  }

  /// Reads at most `count` bytes; none at the end.
  func read(_ count: Int = 1 << 16) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let got = recv(descriptor, &buffer, count, 0)
    // A server may drop a client by a reset.
    guard got >= 0 || errno == ECONNRESET else { throw Failure(call: "recv") }
    return Array(buffer.prefix(max(got, 0)))
  }

  /// The next line, without its end; nil at the end.
  func line() throws -> String? {
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        defer { pending.removeFirst(end + 1) }
        return String(decoding: pending[..<end].filter { $0 != 0x0D }, as: UTF8.self)
      }
      let more = try read()
      guard !more.isEmpty else { return nil }
      pending += more
    }
  }

  /// The next line of a class.
  func line(of name: String) throws -> String? {
    while let line = try line() {
      if line.hasPrefix("{\"class\":\"\(name)\"") { return line }
    }
    return nil
  }

  /// Everything up to the end, as lines.
  func rest() throws -> [String] {
    var bytes = pending
    pending = []
    while true {
      let more = try read()
      guard !more.isEmpty else { break }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }
}
