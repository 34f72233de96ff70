import Foundation
import Glibc

/// A real gpsd on a port of its own, in the foreground and not as root.
///
/// As root gpsd becomes another user and can then not remove what it made (shared memory, files).
final class RealGPSD {
  let port: UInt16
  private let program: Program

  /// Starts it with these devices, and waits until it listens.
  ///
  /// A device is opened when the first client watches, or at once when `eagerly`.
  init(_ devices: [String], eagerly: Bool = false) throws {
    let port = try Self.freePort()
    self.port = port
    var command = ["gpsd", "-N"] + (eagerly ? ["-n"] : []) + ["-S", "\(port)"] + devices
    if getuid() == 0 {
      command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + command
    }
    program = try Program(
      command[0], Array(command.dropFirst()),
      environment: ["GPSD_SHM_KEY": String(0x4770_0000 + Int(port))])
    try waitUntilItListens()
  }

  deinit { program.signal(SIGTERM) }

  /// Whether it can be run here.
  static var isInstalled: Bool { Program.isInstalled("gpsd", "setpriv") }

  private func waitUntilItListens() throws {
    let deadline = ContinuousClock.now + .seconds(Program.patience)
    while !Self.isTaken(port) {
      guard ContinuousClock.now < deadline else {
        throw Program.Failure(description: "gpsd does not listen: \(program.errors.last)")
      }
      // gpsd says nowhere that it listens; a few milliseconds are for it to get there.
      poll(nil, 0, 2)
    }
  }

  /// A port of 127.0.0.1 that is free now.
  static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 }
      return bind(descriptor, start, size) == 0 ? getsockname(descriptor, start, &size) : -1
    }
    guard status == 0 else { throw Program.Failure(description: "no port is free") }
    return UInt16(bigEndian: address.sin_port)
  }

  private static func isTaken(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(port)
    return withUnsafeMutableBytes(of: &address) { bytes in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
        return false
      }
      return connect(descriptor, start, socklen_t(bytes.count)) == 0
    }
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
