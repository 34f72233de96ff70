internal import Glibc

/// Notifies systemd about the state of a service, see sd_notify(3), with datagrams to its socket.
package struct ServiceManager {
  private let address: sockaddr_un
  private let length: socklen_t
  private let descriptor: Int32
  /// The interval of watchdog notifications; nil when systemd expects none.
  package let watchdog: Duration?

  /// Nil when no service manager expects notifications.
  package init?(
    socket path: String? = getenv("NOTIFY_SOCKET").map { String(cString: $0) },
    watchdogMicroseconds: String? = getenv("WATCHDOG_USEC").map { String(cString: $0) }
  ) {
    var bytes = Array((path ?? "").utf8)
    var address = sockaddr_un()
    guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: address.sun_path),
      bytes[0] == UInt8(ascii: "/") || bytes[0] == UInt8(ascii: "@")
    else { return nil }
    // An abstract socket name begins with NUL, which systemd writes as @.
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    self.address = address
    length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    watchdog = watchdogMicroseconds.flatMap(Int64.init).flatMap {
      $0 > 0 ? .microseconds($0) / 2 : nil
    }
  }

  /// Sends assignments such as `READY=1`, one a line; they are lost when the socket is full.
  package func notify(_ text: String) {
    var address = address
    let bytes = Array(text.utf8)
    _ = withUnsafePointer(to: &address) { pointer in
      // sockaddr_un begins like every sockaddr, and `length` is the size of its used part.
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
      }
    }
  }
}
