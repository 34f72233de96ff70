import Foundation
import Session
import Synchronization
import Testing

@testable import Serving

/// A server on a port of its own that plays tables of fixes on a thread of its own.
final class Broadcast: Sendable {
  let server: FeedServer
  private let files: [(String, String)]
  private let told: Lines
  private let outcome = Mutex<ServingError?>(nil)
  private let isOver = DispatchSemaphore(value: 0)

  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  /// `fixes` says how many fixes, a second apart, each file has.
  init(fixes: KeyValuePairs<String, Int>, _ change: (inout FeedLimits) -> Void = { _ in }) throws {
    var limits = FeedLimits()
    limits.linger = .milliseconds(20)
    change(&limits)
    let told = Lines()
    self.told = told
    files = fixes.map { ("\($0).csv", table((0..<$1).map(Double.init))) }
    let devices = fixes.map { ServedDevice(name: $0.key, activated: noon) }
    server = try FeedServer(on: ListenAddress(port: 0), devices: devices, limits: limits) { line in
      told.all.withLock { $0.append(line) }
    }
  }

  deinit { server.shutDown() }

  /// What was told of clients.
  var warnings: [String] { told.all.withLock { $0 } }

  func client(receiveBuffer: Int32? = nil) throws -> Socket {
    try Socket(server.addresses[0], receiveBuffer: receiveBuffer)
  }

  /// A client that is being served from now on.
  func watcher(_ form: String = "\"json\":true", receiveBuffer: Int32? = nil) throws -> Socket {
    let socket = try client(receiveBuffer: receiveBuffer)
    socket.watch(form)
    try #require(try socket.line(of: "WATCH") != nil)
    return socket
  }

  /// Begins to play; at once, or when the first client watches.
  func play(waits: Bool = false, pace: Pace = .unlimited) {
    Thread.detachNewThread { [self] in
      defer { isOver.signal() }
      do {
        var playback = try Shelf(files).playback()
        _ = playback.takeNewDevices()
        if waits { try server.waitForWatcher() }
        try server.play(&playback, pace: pace)
      } catch {
        outcome.withLock { $0 = error as? ServingError }
      }
    }
  }

  /// Waits for the end, and gives what went wrong, if anything did.
  func end() -> ServingError? {
    isOver.wait()
    return outcome.withLock { $0 }
  }
}
