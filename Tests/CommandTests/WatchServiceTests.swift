import Foundation
import Glibc
import TestSupport
import Testing

/// `watch` as a service of systemd: the messages that sd_notify(3) describes, from the program itself.
@Suite("watch under a service manager", .timeLimit(.minutes(90)))
struct WatchServiceTests {
  /// A datagram socket in the place of systemd's.
  private final class Manager {
    let path: String
    private let descriptor: Int32
    private var messages: [String] = []

    init(in runner: CommandRunner) throws {
      path = runner.folder.appendingPathComponent("notify").path
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let name = Array(path.utf8)
      try #require(name.count < MemoryLayout.size(ofValue: address.sun_path))
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
      let code = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(code == 0)
    }

    deinit { close(descriptor) }

    /// Whether no message waits.
    var isSilent: Bool {
      recv(descriptor, nil, 0, Int32(MSG_DONTWAIT | MSG_PEEK)) < 0
    }

    /// Waits for a message with a line of this beginning.
    func expect(_ line: String) throws {
      try blockUntil("\(line) among \(messages)") {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return false }
        messages.append(String(decoding: bytes[..<count], as: UTF8.self))
        return messages.last?.split(separator: "\n").contains { $0.hasPrefix(line) } == true
      }
    }
  }

  private let runner: CommandRunner
  private let gpsd: ScriptedGPSD
  private let manager: Manager

  init() throws {
    runner = try CommandRunner()
    gpsd = try ScriptedGPSD()
    manager = try Manager(in: runner)
  }

  @Test("READY, then WATCHDOG at the requested interval, and STOPPING at the end")
  func life() throws {
    let watch = try runner.start(
      ["watch", gpsd.address, "--fence", "gate=0,0,80", "--output", "events"],
      environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "200000"])
    try manager.expect("READY=1")
    let client = try gpsd.client()
    try manager.expect("STATUS=")
    for _ in 0..<3 { try manager.expect("WATCHDOG=1") }
    client.say(#"{"class":"TPV","device":"/dev/ttyUSB0","mode":1}"#)
    try manager.expect("WATCHDOG=1")
    watch.send(SIGTERM)
    try manager.expect("STOPPING=1")
    #expect(try watch.finish().code == 0)
  }

  @Test("READY is sent without a gpsd, which may start later")
  func withoutGPSD() throws {
    let watch = try runner.start(
      ["watch", "gpsd://127.0.0.1:1", "--fence", "gate=0,0,80", "--output", "events"],
      environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "200000"])
    try manager.expect("READY=1")
    try manager.expect("WATCHDOG=1")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
  }

  @Test("with an invalid config READY is never sent")
  func badConfig() throws {
    try runner.write("bad.yaml", "fences: 1\n")
    let watch = try runner.start(
      ["watch", gpsd.address, "--config", "bad.yaml"],
      environment: ["NOTIFY_SOCKET": manager.path])
    #expect(try watch.finish().code == 78)
    #expect(manager.isSilent)
  }
}
