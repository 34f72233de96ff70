import Foundation
import Testing

/// What the stories about evidence show, whatever the figures are.
@Suite("Evidence")
struct EvidenceTests {
  /// How often each fence of the story was entered or left.
  private func crossings(_ story: Story) throws -> [String: Int] {
    try Said.events(story).reduce(into: [:]) { $0[$1.fence, default: 0] += 1 }
  }

  @Test("on one noisy walk plain geometry reports many crossings, and evidence the two true ones")
  func flapping() throws {
    let counts = try crossings(.named("decisions"))
    for rule in ["eager", "balanced", "strict"] { #expect(counts[rule] == 2, "\(rule)") }
    #expect(try #require(counts["naive"]) >= 10)
  }

  @Test("a rule that requires more evidence decides later")
  func patience() throws {
    let enters = try Said.events(.named("decisions")).filter { $0.what.contains(" enter ") }
    let sure = try ["eager", "balanced", "strict"].map { rule in
      try #require(enters.first { $0.fence == rule }?.decided)
    }
    #expect(sure == sure.sorted())
    #expect(sure.first != sure.last)
  }

  @Test("outliers of a kilometre and more are not a change of place")
  func significantChanges() throws {
    let story = try Story.named("significant-change")
    struct Line: Decodable {
      var type: String
      var time: String
      var latitude: Double
      var longitude: Double
    }
    let changes = try story.golden.split(separator: "\n")
      .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
      .filter { $0.type == "significant-change" }
    #expect(changes.count >= 6)
    // He rests from 13:00 to 13:40 and from 14:01 to 14:46.
    #expect(changes.allSatisfy { $0.time > "2026-05-19T13:40" })
    #expect(!changes.contains { "2026-05-19T14:02"..."2026-05-19T14:46" ~= $0.time })
    for (one, next) in zip(changes, changes.dropFirst()) {
      #expect(try Said.date(next.time).timeIntervalSince(Said.date(one.time)) >= 300)
      let north = (next.latitude - one.latitude) * 111_200
      let east = (next.longitude - one.longitude) * 111_320 * 0.625
      #expect((north * north + east * east).squareRoot() > 950)
    }
  }

  @Test("late fixes give the events of ordered ones, within seconds")
  func lateFixes() throws {
    let story = try Story.named("late-fixes")
    let ordered = try Said.events(log: story.replay(track: story.path("ordered.csv")))
    let late = try Said.events(story)
    #expect(late.map(\.what) == ordered.map(\.what))
    for (late, ordered) in zip(late, ordered) {
      #expect(abs(late.time.timeIntervalSince(ordered.time)) < 2, "\(late.what)")
    }
  }

  @Test("the visits of a day are the true ones, each with its times")
  func visits() throws {
    let story = try Story.named("visits")
    let said = try Stay.said(story).filter { $0.confidence > 0.5 }
    let truth = try Stay.truth(story)
    #expect(said.count == truth.count)
    for (said, truth) in zip(said, truth) {
      #expect(said.isArrivalSeen == (truth.arrival != nil))
      #expect((said.departure == nil) == (truth.departure == nil))
      for (time, truth) in [(said.arrival, truth.arrival), (said.departure, truth.departure)] {
        guard let time, let truth else { continue }
        #expect(abs(time.timeIntervalSince(truth)) < 60)
      }
      #expect(abs(said.latitude - truth.latitude) < 3e-4)
      #expect(abs(said.longitude - truth.longitude) < 4e-4)
    }
  }
}

/// A visit as the log leaves it, or a true stay.
private struct Stay {
  var arrival: Date?
  var departure: Date?
  var latitude: Double
  var longitude: Double
  var isArrivalSeen = true
  var confidence = 1.0

  /// The last line of each visit, in the order of the first ones.
  static func said(_ story: Story) throws -> [Stay] {
    struct Line: Decodable {
      var type: String
      var id: String
      var latitude: Double
      var longitude: Double
      var confidence: Double?
      var arrival: String?
      var departure: String?
      var arrivalSeen: Bool?
    }
    var ids: [String] = []
    var stays: [String: Stay] = [:]
    for text in story.golden.split(separator: "\n") {
      let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
      guard line.type == "visit" else { continue }
      if stays[line.id] == nil { ids.append(line.id) }
      stays[line.id] = Stay(
        arrival: try line.arrival.map(Said.date), departure: try line.departure.map(Said.date),
        latitude: line.latitude, longitude: line.longitude,
        isArrivalSeen: line.arrivalSeen ?? true, confidence: line.confidence ?? 0)
    }
    return ids.compactMap { stays[$0] }
  }

  static func truth(_ story: Story) throws -> [Stay] {
    let text = try String(contentsOfFile: story.path("visits.csv"), encoding: .utf8)
    return try text.split(separator: "\n").dropFirst().map { row in
      let cells = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let times = try cells[..<2].map { $0.isEmpty ? nil : try Said.date($0) }
      return Stay(
        arrival: times[0], departure: times[1], latitude: try #require(Double(cells[2])),
        longitude: try #require(Double(cells[3])))
    }
  }
}
