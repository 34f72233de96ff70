import Foundation
import Testing

@testable import Serving

@Suite("The devices of the live map")
struct WebDevicesTests {
  private func devices(most: Int = 10, positions: Int = 20) -> WebDevices {
    var limits = WebLimits()
    (limits.devices, limits.positions) = (most, positions)
    return WebDevices(limits: limits)
  }

  private func state(_ device: String, _ number: Int = 0, isSource: Bool = false) -> WebState {
    WebState(
      device: device, status: Array("{\"n\":\(number)}".utf8), isSource: isSource)
  }

  private func texts(_ states: [[UInt8]]) -> [String] {
    states.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The numbers and names of the track, as a program reads them.
  private func track(_ devices: WebDevices) throws -> [(name: String, positions: [Int])] {
    let read = try JSONSerialization.jsonObject(with: Data(devices.track))
    return try (try #require(read as? [[String: Any]])).map {
      (try #require($0["device"] as? String), try #require($0["positions"] as? [Int]))
    }
  }

  @Test("have the states of sources in their order, then the others, newest first")
  func order() {
    var devices = devices()
    devices.take(state("boat", 1, isSource: true))
    devices.take(state("dinghy", 2, isSource: true))
    devices.take(state("a", 3))
    devices.take(state("b", 4))
    devices.take(state("a", 5))
    devices.take(state("boat", 6, isSource: true))
    #expect(texts(devices.states) == [6, 2, 5, 4].map { "{\"n\":\($0)}" })
  }

  @Test("of more than the most, the one that changed least recently goes, but none of a source")
  func bounded() {
    var devices = devices(most: 3)
    devices.take(state("boat", 0, isSource: true))
    for number in 1...50 { devices.take(state("ship\(number)", number)) }
    devices.take(state("ship49", 51))
    devices.take(state("ship52", 52))
    #expect(devices.count == 3)
    #expect(texts(devices.states) == [0, 52, 51].map { "{\"n\":\($0)}" })
  }

  @Test(
    "a stream that lags gets the present state of what has changed, in parts, and nothing twice")
  func changes() {
    var devices = devices(most: 100)
    for number in 0..<50 { devices.take(state("d\(number)", number)) }
    var (cursor, sent, parts) = (0, [] as [String], 0)
    while true {
      let (messages, last) = devices.changes(after: cursor, opening: 50, bytes: 200)
      guard !messages.isEmpty else { break }
      #expect(messages.map(\.utf8.count).reduce(0, +) < 300 && last > cursor)
      (sent, cursor, parts) = (sent + messages, last, parts + 1)
      if parts == 1 {
        // One that was sent, one that was not, and one that goes.
        devices.take(state("d0", 100))
        devices.take(state("d49", 149))
        devices.forget("d48")
      }
    }
    #expect(parts > 5 && cursor == devices.lastChange)
    func count(_ text: String) -> Int { sent.count { $0.contains(text) } }
    #expect(count("{\"n\":0}") == 1 && count("{\"n\":100}") == 1)
    #expect(count("{\"n\":49}") == 0 && count("{\"n\":149}") == 1)
    #expect(count("{\"n\":48}") == 0)
    #expect(sent.contains("event: forgotten\ndata: {\"device\":\"d48\"}\n\n"))
    #expect(sent.count == 51)
  }

  @Test("a stream that begins hears of no device that went before")
  func opening() {
    var devices = devices()
    devices.take(state("a"))
    devices.forget("a")
    devices.forget("a")
    #expect(devices.changes(after: 0, opening: devices.lastChange, bytes: 100).messages.isEmpty)
    #expect(devices.changes(after: 1, opening: 1, bytes: 100).messages.count == 1)
  }

  @Test("positions of all have one limit: the longest tracks lose their oldest")
  func tracks() throws {
    var devices = devices(positions: 20)
    devices.take(state("short"))
    devices.take([Array("1".utf8), Array("2".utf8)], of: "short")
    devices.take(state("long"))
    devices.take(state("middle"))
    devices.take([Array("9".utf8)], of: "unknown")
    for number in 0..<1_000 {
      devices.take([Array("\(number)".utf8)], of: "long")
      if number % 100 == 0 { devices.take([Array("\(number)".utf8)], of: "middle") }
    }
    let track = try track(devices)
    #expect(track.map(\.name) == ["short", "long", "middle"])
    #expect(track[0].positions == [1, 2])
    #expect(track[1].positions == Array(991..<1_000))
    #expect(track[2].positions == Array(stride(from: 100, through: 900, by: 100)))
    // A device that goes leaves its room to the others.
    devices.forget("long")
    #expect(try self.track(devices).map(\.name) == ["short", "middle"])
  }

  @Test("each of many devices keeps its last position, and all together no more than the limit")
  func crowd() throws {
    var devices = devices(most: 500, positions: 600)
    for round in 0..<4 {
      for number in 0..<500 {
        devices.take(state("ship-\(number)"))
        devices.take([Array("\(round)".utf8)], of: "ship-\(number)")
      }
    }
    let track = try track(devices)
    #expect(track.count == 500 && track.allSatisfy { $0.positions.last == 3 })
    #expect(track.reduce(0) { $0 + $1.positions.count } <= 600)
  }

  @Test(
    "names of devices are escaped", arguments: ["<script>", "\"},{", "a\nb\r\u{0}", "__proto__"])
  func names(name: String) throws {
    var devices = devices()
    devices.take(state(name))
    devices.take([Array("1".utf8)], of: name)
    #expect(try track(devices).map(\.name) == [name])
    devices.forget(name)
    let message = devices.changes(after: 1, opening: 1, bytes: 100).messages.joined()
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 4 && !message.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    let read = try JSONSerialization.jsonObject(with: Data(lines[1].dropFirst(6).utf8))
    #expect((read as? [String: String]) == ["device": name])
  }
}
