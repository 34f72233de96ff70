import Foundation
import Testing

/// The stories' true crossings, which their generator knows, against what the engine says of them.
@Suite("Truth")
struct TruthTests {
  @Test(
    "every true crossing and dwell is reported once, near its time, and nothing else is",
    arguments: Story.all)
  func truth(story: Story) throws {
    let said = try Said.events(story).filter(story.isTrue)
    let truth = try Said.truth(story).filter(story.isTrue)
    #expect(!truth.isEmpty)
    #expect(said.map(\.what) == truth.map(\.what))
    for (event, crossing) in zip(said, truth) {
      let error = abs(event.time.timeIntervalSince(crossing.time))
      #expect(error <= story.tolerance, "\(event.what): \(error) s off")
    }
  }
}

extension Story {
  /// Whether the fence of an event is to be right: two rules are beside the others to be compared.
  fileprivate func isTrue(_ event: Said) -> Bool {
    name != "decisions" || !["apple", "naive"].contains(event.fence)
  }

  /// Seconds by which a crossing may be off: a few for the noise of some metres, more where the
  /// story is about sparse fixes or about a crossing that nobody saw.
  var tolerance: TimeInterval {
    switch name {
    case "reception-gap": 90
    case "sparse-heartbeat": 30
    default: 10
    }
  }
}

/// A crossing or dwell, said or true.
struct Said {
  /// Device, kind and fence.
  var what: String
  /// When it happened.
  var time: Date
  /// When that was sure; nil in a truth.
  var decided: Date?

  var fence: String { what.split(separator: " ").last.map(String.init) ?? "" }

  static func events(_ story: Story) throws -> [Said] { try events(log: story.golden) }

  static func events(log: String) throws -> [Said] {
    struct Line: Decodable {
      var type: String
      var device: String
      var fence: String?
      var time: String?
      var decided: String
      var interpolated: Bool?
    }
    let decoder = JSONDecoder()
    return try sorted(
      log.split(separator: "\n").compactMap { text in
        let line = try decoder.decode(Line.self, from: Data(text.utf8))
        guard ["enter", "exit", "dwell"].contains(line.type), let fence = line.fence,
          let time = line.time
        else { return nil }
        // An enter at first sight is a choice of the config, no crossing.
        if line.type == "enter", line.interpolated == false { return nil }
        return Said(
          what: "\(line.device) \(line.type) \(fence)", time: try date(time),
          decided: try date(line.decided))
      })
  }

  static func truth(_ story: Story) throws -> [Said] {
    let text = try String(contentsOfFile: story.path("truth.csv"), encoding: .utf8)
    let rows = text.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
    let names = try #require(rows.first)
    let device = names.firstIndex(of: "device")
    let type = try #require(names.firstIndex(of: "type"))
    let fence = try #require(names.firstIndex(of: "fence"))
    let time = try #require(names.firstIndex(of: "time"))
    let only = try events(story).first?.what.split(separator: " ").first.map(String.init) ?? ""
    return try sorted(
      rows.dropFirst().map { row in
        Said(
          what: "\(device.map { row[$0] } ?? only) \(row[type]) \(row[fence])",
          time: try date(row[time]))
      })
  }

  /// By device and fence, then time: the order of crossings of different fences may differ by their
  /// errors.
  private static func sorted(_ all: [Said]) -> [Said] {
    all.sorted {
      let (a, b) = ($0.what.split(separator: " "), $1.what.split(separator: " "))
      return (a[0], a[2], $0.time) < (b[0], b[2], $1.time)
    }
  }

  static func date(_ text: String) throws -> Date {
    try Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
