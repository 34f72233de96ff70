import Foundation
import Glibc
import Session
import TestSupport
import Testing
import Tracking

@testable import Serving

@Suite("A socket that is a file", .timeLimit(.minutes(90)))
struct SocketFileTests {
  private let folder: ScratchFolder
  private let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("gnss.sock")
  }

  private func server(_ path: String) throws -> FeedServer {
    var limits = FeedLimits()
    limits.linger = .milliseconds(20)
    return try FeedServer(
      on: [.file(path)],
      registry: DeviceRegistry(devices: [ServedDevice(name: "track", activated: noon)]),
      limits: limits
    ) { _ in }
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : nil
  }

  @Test("gives sentences to whoever connects, without a request, and goes with the server")
  func sentences() throws {
    let broadcast = try Broadcast(
      fixes: ["track": 2], on: [.file(path), .address(ListenAddress(port: 0))])
    #expect(broadcast.server.addresses.first == "unix:\(path)")
    #expect(!broadcast.server.isPublic)
    #expect(mode(path).map { $0 & 0o777 } == 0o666)
    let socket = try Socket(file: path)
    // An answer: the server has the client.
    socket.send("?VERSION;")
    _ = try socket.line()
    let other = try Socket(broadcast.server.addresses[1])
    other.watch()
    _ = try other.line(of: "WATCH")
    broadcast.play()
    #expect(
      try socket.rest().map { String($0.prefix(6)) } == ["$GPRMC", "$GPGGA", "$GPRMC", "$GPGGA"])
    #expect(try other.rest().count == 2)
    #expect(broadcast.end() == nil)
    #expect(mode(path) == nil)
  }

  @Test("answers a client of gpsd too")
  func requests() throws {
    let server = try server(path)
    defer { server.shutDown() }
    let socket = try Socket(file: path)
    socket.send("?VERSION;\n")
    #expect(try socket.line()?.hasPrefix("{\"class\":\"VERSION\"") == true)
  }

  @Test("that a killed program left is replaced")
  func stale() throws {
    let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    try bind(left, path)
    close(left)
    #expect(mode(path) != nil)
    let server = try server(path)
    #expect(try Socket(file: path).send("?POLL;"))
    server.shutDown()
    #expect(mode(path) == nil)
  }

  @Test("of another program, a file or a link stays as it is, and is refused")
  func foreign() throws {
    let first = try server(path)
    defer { first.shutDown() }
    try folder.write("file", "precious")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: path)
    for (name, reason) in [
      ("gnss.sock", "another program listens there; stop that, or choose another path"),
      ("file", "there is a file that is no socket; remove it, or choose another path"),
      ("link", "there is a file that is no socket; remove it, or choose another path"),
      (String(repeating: "x", count: 108), "the path has "),
      ("no/such/folder", "no such file or directory"),
    ] {
      let error = #expect(throws: ServingError.self) { try server(folder.file(name)) }
      let text = "cannot listen on unix:\(folder.file(name)): \(reason)"
      #expect(
        error?.description.lowercased().hasPrefix(text.lowercased()) == true,
        "\(error.debugDescription)")
    }
    #expect(try String(contentsOfFile: folder.file("file"), encoding: .utf8) == "precious")
    #expect(try Socket(file: path).send("?POLL;"))
  }

  @Test("that another program put in its place stays when the server ends")
  func replaced() throws {
    let server = try server(path)
    unlink(path)
    let other = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(other) }
    try bind(other, path)
    server.shutDown()
    #expect(mode(path) != nil)
  }

  @Test(
    "is named by unix:PATH",
    arguments: [
      ("unix:/run/x.sock", "unix:/run/x.sock"), ("unix:", nil), ("127.0.0.1:0", "127.0.0.1:0"),
      ("here:there", nil),
    ] as [(String, String?)])
  func parsing(text: String, expected: String?) {
    #expect(ListenPlace(text)?.description == expected)
  }

  private func bind(_ descriptor: Int32, _ path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0)
  }
}
