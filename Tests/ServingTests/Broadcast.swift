import Session
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Serving

/// A server on a free port that plays tables of fixes on its own thread.
final class Broadcast: Sendable {
  let server: FeedServer
  private let files: [(String, String)]
  private let lines: Lines
  private let outcome = Mutex<ServingError?>(nil)
  private let isOver = DispatchSemaphore(value: 0)

  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  /// - Parameter fixes: The names of the files, and how many fixes each has, a second apart.
  init(
    fixes: KeyValuePairs<String, Int>,
    on places: [ListenPlace] = [.address(ListenAddress(port: 0))],
    _ change: (inout FeedLimits) -> Void = { _ in }
  ) throws {
    var limits = FeedLimits()
    limits.linger = .milliseconds(20)
    change(&limits)
    let lines = Lines()
    self.lines = lines
    files = fixes.map { ("\($0).csv", table((0..<$1).map(Double.init))) }
    let devices = fixes.map { ServedDevice(name: $0.key, activated: noon) }
    server = try FeedServer(
      on: places, registry: DeviceRegistry(devices: devices), limits: limits
    ) { line in
      lines.all.withLock { $0.append(line) }
    }
  }

  deinit { server.shutDown() }

  /// The warnings about clients.
  var warnings: [String] { lines.all.withLock { $0 } }

  func client(receiveBuffer: Int32? = nil) throws -> Socket {
    try Socket(server.addresses[0], receiveBuffer: receiveBuffer)
  }

  /// A client that already watches.
  func watcher(_ form: String = "\"json\":true", receiveBuffer: Int32? = nil) throws -> Socket {
    let socket = try client(receiveBuffer: receiveBuffer)
    socket.watch(form)
    try #require(try socket.line(of: "WATCH") != nil)
    return socket
  }

  /// Starts to play: at once, or when the first client watches.
  func play(waits: Bool = false, pace: Pacer = .unlimited) {
    Thread.detachNewThread { [self] in
      defer { isOver.signal() }
      do {
        var playback = try TraceFolder(files).playback()
        _ = playback.takeNewDevices()
        if waits { try server.waitForWatcher() }
        try server.play(&playback, pace: pace)
      } catch {
        outcome.withLock { $0 = error as? ServingError }
      }
    }
  }

  /// Waits for the end; returns the error, if any.
  func end() -> ServingError? {
    #expect(isOver.waitInTime())
    return outcome.withLock { $0 }
  }
}
