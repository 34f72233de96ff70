internal import Glibc

/// Tells systemd how a service is (sd_notify(3)), when it is one: a datagram to the socket that it
/// names.
package struct ServiceManager {
  private let address: sockaddr_un
  private let length: socklen_t
  private let descriptor: Int32
  /// How often systemd wants to hear that the program is alive; nil when it does not.
  package let watchdog: Duration?

  /// Nil when the program was not started by a service manager that listens.
  package init?(
    socket path: String? = getenv("NOTIFY_SOCKET").map { String(cString: $0) },
    watchdogMicroseconds: String? = getenv("WATCHDOG_USEC").map { String(cString: $0) }
  ) {
    var bytes = Array((path ?? "").utf8)
    var address = sockaddr_un()
    guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: address.sun_path),
      bytes[0] == UInt8(ascii: "/") || bytes[0] == UInt8(ascii: "@")
    else { return nil }
    // A name outside the file system begins with NUL, which systemd writes as @.
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

  /// Sends assignments such as `READY=1`, one a line; a manager that is busy misses them.
  package func tell(_ text: String) {
    var address = address
    let bytes = Array(text.utf8)
    _ = withUnsafePointer(to: &address) { pointer in
      // sockaddr_un begins as every sockaddr does, and `length` says how much of it counts.
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
      }
    }
  }
}
