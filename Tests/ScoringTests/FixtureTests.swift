import Glibc
import Testing
import Traces
import Tracking

@testable import Scoring

/// The world in Fixtures, whose scores were computed by hand.
@Suite("Scores of a day that were computed by hand")
struct FixtureTests {
  private let truth: Truth
  private let events: EventList

  init() throws {
    truth = try Truth(.all, read: { try Fixture.bytes("world/" + $0) }, fail: { $0 })
    events = try EventList(try Fixture.bytes("events.jsonl"), file: "events.jsonl")
  }

  @Test("fences: two hits, three false, and two optional")
  func fences() throws {
    let score = try #require(FenceScorer.score(truth, events, by: nil).scores.first)
    // The enter of 10:00:05 and the exit of 12:00:00 are correct. The second enter, the exit at
    // 18:00 and the exit of g are false; the enter of g is the initial state, that of 13:01 is near
    // an optional crossing.
    #expect(score["required"] == .count(2))
    #expect(score["tp"] == .count(2))
    #expect(score["fp"] == .count(3))
    #expect(score["ignored"] == .count(2))
    #expect(score["P"] == .number(0.4, decimals: 4))
    #expect(score["R"] == .number(1, decimals: 4))
    // 2 fences for a day: one false enter, two false exits.
    #expect(score["false_enter_per_fence_day"] == .number(0.5, decimals: 4))
    #expect(score["false_exit_per_fence_day"] == .number(1, decimals: 4))
    // Errors of 5 s and 0 s: the median between them, 95 % of the way from 0 to 5.
    #expect(score["time_err_med"] == .number(2.5, decimals: 1))
    #expect(score["time_err_p95"] == .number(4.75, decimals: 1))
    // The exit was in a gap of 20 minutes.
    #expect(score["time_err_med_nogap"] == .number(5, decimals: 1))
    // The enter states a sigma of 3 s, the exit states none.
    #expect(score["within_1_sigma"] == .number(0, decimals: 4))
    #expect(score["within_2_sigma"] == .number(1, decimals: 4))
    // Reported 20 s and 10 s after the truth.
    #expect(score["latency_med"] == .number(15, decimals: 1))
  }

  @Test("fences by the reason of the fence")
  func fencesByReason() {
    let scores = FenceScorer.score(truth, events, by: .why).scores
    #expect(scores.map(\.group) == ["pass", "place"])
    #expect(scores.map { $0["fp"] } == [.count(1), .count(2)])
  }

  @Test("visits: one hit, one false, one in optional time")
  func visits() throws {
    let score = try #require(VisitScorer.score(truth, events, by: nil).scores.first)
    #expect(score["tp"] == .count(1))
    #expect(score["fp"] == .count(1))
    #expect(score["ignored"] == .count(1))
    // Arrived 60 s late, left 30 s early; reported 6 minutes after the arrival, 5 after the
    // departure.
    #expect(score["arr_bias"] == .number(60, decimals: 1))
    #expect(score["dep_bias"] == .number(-30, decimals: 1))
    #expect(score["lat_arr_med"] == .number(360, decimals: 1))
    #expect(score["lat_dep_med"] == .number(300, decimals: 1))
    #expect(score["recall_30-120_min"] == .number(1, decimals: 3))
  }

  @Test("significant changes: the third is false")
  func changes() throws {
    let score = try #require(SignificantScorer.score(truth, events, by: nil).scores.first)
    #expect(score["events"] == .count(3))
    #expect(score["false"] == .count(1))
    #expect(score["needed"] == .count(1))
    #expect(score["missed"] == .count(0))
    // The track is 500 m away only at its third point, when the second event came.
    #expect(score["latency_med"] == .number(0, decimals: 1))
  }

  @Test(
    "significant changes by other rules",
    arguments: [(500.0, 86_400.0, 1, 0), (30_000, 300, 2, 0), (22_000, 300, 1, 0), (1, 0, 1, 1)])
  func changesByOtherRules(distance: Double, interval: Double, falses: Int, needed: Int) throws {
    // The path between the first event and the second is 11.1 km; the third did not move.
    var rules = SignificantChangeRules()
    rules.distance = distance
    rules.interval = interval
    let sheet = SignificantScorer.score(truth, events, rules: rules, by: nil)
    let score = try #require(sheet.scores.first)
    #expect(score["false"] == .count(falses))
    #expect(score["needed"] == .count(needed))
  }

  @Test("the calibration error is the mean over the bins, weighted by events")
  func calibration() throws {
    let calibration = Calibration(FenceScorer.score(truth, events, by: nil).predictions)
    // 0.25 of one, 0.535 of two, 0.04 of two.
    let error = try #require(calibration.error)
    #expect(abs(error - 1.4 / 5) < 1e-12)
    #expect(calibration.bins.map(\.count) == [0, 0, 1, 0, 0, 2, 0, 0, 0, 2])
    #expect(calibration.bins[9].accuracy == 1)
  }

  @Test("JSON contains every metric, null for undefined ones")
  func json() throws {
    let none = try EventList([], file: "none")
    let text = ScoreText.json([FenceScorer.score(truth, none, by: nil)])
    #expect(text.hasPrefix("{\"fences\":{\"all\":{\"required\":2,\"tp\":0,\"fp\":0,\"fn\":2,"))
    #expect(text.contains("\"time_err_med\":null"))
    #expect(text.hasSuffix("\"calibration\":{}}"))
  }

  @Test("charts are well-formed and label their axes")
  func charts() {
    let sheets = [
      FenceScorer.score(truth, events, by: nil), VisitScorer.score(truth, events, by: nil),
    ]
    for chart in [ScoreChart.calibration(sheets), ScoreChart.timeErrors(sheets)] {
      #expect(chart.hasPrefix("<?xml"))
      #expect(chart.hasSuffix("</svg>\n"))
      #expect(!chart.contains("nan") && !chart.contains("inf"))
    }
    #expect(ScoreChart.calibration(sheets).contains(">share of correct events</text>"))
    #expect(ScoreChart.timeErrors(sheets).contains(">arrivals (1)</text>"))
  }
}

enum Fixture {
  /// The contents of a file in Fixtures.
  static func bytes(_ name: String) throws -> [UInt8] {
    let folder = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
    return try ByteSource.whole("/\(folder)/Fixtures/\(name)", limit: 1 << 24)
  }
}
