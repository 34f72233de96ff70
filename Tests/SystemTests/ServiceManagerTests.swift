import Foundation
@testable import System
import TestSupport
import Testing

@Suite("Service manager notifications", .timeLimit(.minutes(90)))
struct ServiceManagerTests {
  /// A socket that hears datagrams, at a path or at a name outside the file system.
  private static func listen(_ name: [UInt8]) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    return code == 0 ? descriptor : -1
  }

  private static func hear(_ descriptor: Int32) -> String {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 10_000) == 1 else { return "nothing" }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }

  @Test("a notification arrives, at a path and at an abstract name")
  func told() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/notify"
    let abstract = "waymark-\(UUID().uuidString)"
    let names = [(path, Array(path.utf8)), ("@" + abstract, [0] + Array(abstract.utf8))]
    for (name, bytes) in names {
      let listener = Self.listen(bytes)
      #expect(listener >= 0)
      let manager = try #require(
        ServiceManager(socket: name, watchdogMicroseconds: "60000000"), "\(name)")
      #expect(manager.watchdog == .seconds(30))
      manager.notify("READY=1\nSTATUS=connecting")
      #expect(Self.hear(listener) == "READY=1\nSTATUS=connecting")
      close(listener)
      // Nobody listens any more: that is no trouble of ours.
      manager.notify("STOPPING=1")
    }
  }

  @Test(
    "without a socket there is no service manager",
    arguments: [nil, "", "@", "relative", String(repeating: "/long", count: 30)])
  func none(_ path: String?) {
    #expect(ServiceManager(socket: path, watchdogMicroseconds: nil) == nil)
  }

  @Test("an invalid watchdog interval is ignored", arguments: [nil, "", "0", "-5", "soon"])
  func watchdog(_ text: String?) throws {
    let manager = try #require(ServiceManager(socket: "/nowhere", watchdogMicroseconds: text))
    #expect(manager.watchdog == nil)
  }
}
