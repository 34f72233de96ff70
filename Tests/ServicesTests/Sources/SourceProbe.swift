import Dispatch
import Foundation
import GPSD
import Receivers
import Glibc
import Locking
import Services
import TestSupport
import Text
import Traces
import Tracking

/// Takes what a source says, and lets a test wait for it.
final class SourceProbe: Sendable {
  private let said = Mutex<[SourceSignal]>([])
  private let bell = DispatchSemaphore(value: 0)

  var signals: [SourceSignal] { said.withLock { $0 } }

  /// Takes a signal.
  func take(_ signal: SourceSignal) {
    said.withLock { $0.append(signal) }
    bell.signal()
  }

  /// Waits until what was said is as wanted; false when it never is.
  func wait(until isWanted: ([SourceSignal]) -> Bool) -> Bool {
    while !isWanted(signals) {
      if !bell.waitInTime() { return false }
    }
    return true
  }

  /// Waits for so many fixes.
  func wait(fixes count: Int) -> Bool { wait { $0.fixTimes.count >= count } }
  /// Waits until a status was said so many times.
  func wait(_ status: SourceStatus, times: Int = 1) -> Bool {
    wait { $0.count { $0 == .status(status) } >= times }
  }
}

extension [SourceSignal] {
  /// Seconds of the fixes, after 2025-03-10T08:00:00Z.
  var fixTimes: [Double?] {
    compactMap {
      guard case .fix(let fix, _) = $0 else { return nil }
      return .some(fix.time?.seconds(since: .start))
    }
  }

  /// Seconds of what the source said of the time.
  var times: [Double] {
    compactMap { if case .time(let time) = $0 { time.seconds(since: .start) } else { nil } }
  }

  /// Seconds of what it said of the clock.
  var clocks: [Double] {
    compactMap { if case .clock(let time) = $0 { time.seconds(since: .start) } else { nil } }
  }

  /// Fixes and headings in their order, with seconds after the start.
  var order: [String] {
    func seconds(_ time: Timestamp?) -> String {
      time.map { number($0.seconds(since: .start)) } ?? "-"
    }
    func number(_ number: Double) -> String {
      number == number.rounded() ? "\(Int(number))" : "\(number)"
    }
    return compactMap { signal in
      switch signal {
      case .fix(let fix, _): "fix \(seconds(fix.time))"
      case .heading(let heading):
        "heading \(number(heading.geographic ?? -1)) at \(seconds(heading.time))"
      case .status(.ended): "end"
      default: nil
      }
    }
  }

  var statuses: [SourceStatus] {
    compactMap { if case .status(let status) = $0 { status } else { nil } }
  }

  /// Why it was not available, each time.
  var outages: [String] {
    statuses.compactMap { if case .unavailable(let reason) = $0 { reason } else { nil } }
  }

  var warnings: [String] {
    compactMap { if case .warning(let text) = $0 { text } else { nil } }
  }

  /// When it began, by its own clock.
  var beginnings: [Timestamp] {
    compactMap { if case .began(let time) = $0 { time } else { nil } }
  }
}

extension Timestamp {
  /// When the journeys of the tests begin: 2025-03-10T08:00:00Z.
  static let start = Timestamp(nanoseconds: 1_741_593_600_000_000_000)
}

/// A deadline that a test sets.
final class SourceDeadline: Sendable {
  private let time = Mutex<Timestamp?>(nil)

  var value: Timestamp? {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
}

/// Says when it goes: what held it is no more.
final class SourceToken: Sendable {
  let gone: DispatchSemaphore

  init(_ gone: DispatchSemaphore) { self.gone = gone }
  deinit { gone.signal() }

  func hold() {}
}

/// Files in a folder of their own.
final class SourceFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "waymark-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and gives its path.
  func write(_ name: String, _ text: String) throws -> String {
    try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
    return "\(path)/\(name)"
  }

  /// Writes a table of fixes on the equator, at so many seconds after the start.
  func table(_ seconds: [Int], name: String = "trip.csv") throws -> String {
    let rows = seconds.map { "\(1_741_593_600 + $0),0,\(Double($0) * 1e-4)\n" }
    return try write(name, "time,latitude,longitude\n" + rows.joined())
  }

  /// A text without the folder.
  func short(_ text: String) -> String { text.replacingOccurrences(of: path + "/", with: "") }
}

// MARK: gpsd

extension FakeServer {
  var address: GPSDAddress { GPSDAddress(host: "127.0.0.1", port: port) }

  /// Takes the next connection and agrees to report.
  func serve() throws -> FakePeer {
    let peer = try accept()
    peer.send(GPSDLines.others[0] + "\r\n")
    guard peer.hears("?WATCH=") else { throw FakeServerError(code: ETIMEDOUT) }
    peer.send(#"{"class":"DEVICES","devices":[]}"# + "\r\n")
    peer.send(#"{"class":"WATCH","enable":true,"json":true}"# + "\r\n")
    return peer
  }

  /// An address where nobody listens.
  static func nowhere() throws -> GPSDAddress {
    let server = try FakeServer()
    return server.address
  }
}

extension FakePeer {
  /// Waits for a request of the client's.
  func hears(_ request: String) -> Bool {
    var heard = ""
    while !heard.contains(request) {
      guard wait(forRoom: false) else { return false }
      heard += received()
    }
    return true
  }

  /// Sends a fix of a receiver that stands on the equator.
  func report(_ seconds: [Double]) {
    send(
      seconds.map { second in
        var time: [UInt8] = []
        TimeText.append(Timestamp.start.advanced(bySeconds: second), to: &time)
        return #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":""#
          + String(decoding: time, as: UTF8.self)
          + #"","lat":0.000000000,"lon":\#(second * 1e-4),"speed":11.1,"eph":9.5}"# + "\r\n"
      }.joined())
  }

  /// Waits until the client has closed the connection.
  func isClosed() -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while poll(&request, 1, 60_000) == 1 {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count == 0 || count < 0 && errno == ECONNRESET { return true }
    }
    return false
  }
}
