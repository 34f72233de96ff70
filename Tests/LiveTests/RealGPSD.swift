import Foundation
import Glibc

/// A real gpsd on a port of its own, in the foreground and not as root.
///
/// As root gpsd becomes another user and can then not remove what it made (shared memory, files).
final class RealGPSD {
  let port: UInt16
  private let program: Program
  private let control: String?

  /// Starts it with these devices, and waits until it listens.
  ///
  /// A device is opened when the first client watches, or at once when `eagerly`. `control` is the
  /// path of a socket through which devices come and go.
  init(
    _ devices: [String], port: UInt16? = nil, eagerly: Bool = false, control: String? = nil
  ) throws {
    let port = try port ?? Self.freePort()
    self.port = port
    self.control = control
    var command = ["gpsd", "-N"] + (eagerly ? ["-n"] : []) + ["-S", "\(port)"]
    if let control { command += ["-F", control] }
    command += devices
    if getuid() == 0 {
      command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + command
    }
    program = try Program(
      command[0], Array(command.dropFirst()),
      environment: ["GPSD_SHM_KEY": String(0x4770_0000 + Int(port))])
    // gpsd says nowhere that it listens.
    try Program.wait("gpsd to listen") { Self.isTaken(port) }
  }

  deinit {
    program.signal(SIGTERM)
    // One that was stopped ends when it goes on.
    program.signal(SIGCONT)
  }

  /// Whether it can be run here.
  static var isInstalled: Bool { Program.isInstalled("gpsd", "setpriv") }

  var address: String { "gpsd://127.0.0.1:\(port)" }

  func signal(_ number: Int32) { program.signal(number) }

  /// Ends it with a signal, and waits for its end.
  func end(_ signal: Int32) throws {
    program.signal(signal)
    _ = try program.end()
  }

  /// Adds a device (`+path`) or removes one (`-path`) while it runs.
  func tell(_ request: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (control ?? "").utf8) }
    let isConnected = withUnsafeBytes(of: &address) { bytes in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
        return false
      }
      return connect(descriptor, start, socklen_t(bytes.count)) == 0
    }
    let text = Array("\(request)\r\n".utf8)
    guard isConnected, write(descriptor, text, text.count) == text.count else {
      throw Program.Failure(description: "gpsd's control socket: errno \(errno)")
    }
    let answer = LineReader(FileHandle(fileDescriptor: descriptor)).next()
    guard answer == "OK" else {
      throw Program.Failure(description: "gpsd said \(answer ?? "nothing") to \(request)")
    }
  }

  /// A port of 127.0.0.1 that is free now.
  static func freePort() throws -> UInt16 {
    let (descriptor, port) = try bind(SOCK_STREAM)
    close(descriptor)
    return port
  }

  /// Binds a socket to a free port of 127.0.0.1; others may bind it as well if it is shared.
  static func bind(
    _ kind: __socket_type, isShared: Bool = false
  ) throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32((kind.rawValue | SOCK_CLOEXEC.rawValue)), 0)
    var shared: Int32 = isShared ? 1 : 0
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &shared, socklen_t(MemoryLayout<Int32>.size))
    var address = loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 }
      return Glibc.bind(descriptor, start, size) == 0 ? getsockname(descriptor, start, &size) : -1
    }
    guard status == 0 else {
      close(descriptor)
      throw Program.Failure(description: "no port is free")
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
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

  static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
