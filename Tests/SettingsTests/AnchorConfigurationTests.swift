import Session
@testable import Settings
import Testing
import Tracking

@Suite("Fences that fixes place")
struct AnchorConfigurationTests {
  private static func read(_ text: String, placesFences: Bool = true) throws(ConfigurationError)
    -> Configuration
  {
    try Configuration(Array(text.utf8), file: "w.yaml", placesFences: placesFences) {
      _ throws(ConfigurationFile.Failure) in throw .notFound
    }
  }

  private static func complaint(_ text: String, placesFences: Bool = true) -> String {
    do {
      _ = try read(text, placesFences: placesFences)
      return "nothing"
    } catch {
      return error.description
    }
  }

  @Test("a small radius and a dwell without effect are warned about as in other fences")
  func warnings() throws {
    let configuration = try Self.read(
      """
      fences:
        - {id: a, center: here, radius: 10 m}
        - {id: b, center: here, radius: 49 m, decision: apple}
        - {id: c, center: here, radius: 50 m, dwell: 60}
        - {id: d, center: here, radius: 50 m, dwell: 60, notify: [dwell]}
      """)
    #expect(
      configuration.diagnostics.map(\.description) == [
        "w.yaml:2:10: warning: the radius of 'a', 10 m, is below 20 m, a receiver's accuracy "
          + "between houses: it may never be sure that a device is inside",
        "w.yaml:3:10: warning: the radius of 'b', 49 m, is below the cushion of 50 m of the "
          + "decision 'apple': it reports an enter halfway to the centre, and an exit 50 m outside",
        "w.yaml:4:10: warning: the dwell time of 'c' has no effect, as its notify does not name "
          + "dwell",
      ])
  }

  @Test("center: here with every setting")
  func all() throws {
    let configuration = try Self.read(
      """
      fences:
        - {id: bay, center: [1, 2], radius: 100 m}
        - id: anchor
          center: here
          radius: 40 m
          settle: 2 min
          under-way: {speed: 3 kn, for: 4 min}
          notify: [exit]
          decision: eager
      """)
    #expect(configuration.fences.map(\.id) == ["bay"])
    let plan = try #require(configuration.anchors.first)
    #expect(configuration.anchors.count == 1)
    #expect(plan.fence.id == "anchor" && plan.radius == 40 && plan.settle == 120)
    #expect(plan.fence.notifications == [.exit] && plan.fence.decision == .eager)
    let underWay = try #require(plan.underWay)
    #expect(abs(underWay.speed - 1.5433) < 1e-4 && underWay.duration == 240)
    let usual = try Self.read("fences: [{id: a, center: here, radius: 40, under-way: {}}]").anchors
    #expect(usual.first?.settle == 30)
    #expect(usual.first?.underWay?.speed == 1.5 && usual.first?.underWay?.duration == 300)
    #expect(usual.first.map { $0.fence.initial == .state } == true)
  }

  @Test(
    "each mistake has its place and what was expected",
    arguments: [
      ("fences: [{id: a, center: here}]", "fences[0]: found a center without a radius"),
      ("fences: [{center: here, radius: 4}]", "found no id"),
      ("fences: [{id: a, center: here, radius: 0 m}]", "expected a length above 0 m"),
      (
        "fences: [{id: a, center: here, radius: 4, settle: 2 d}]", "expected a time from 0 s to 1 d"
      ),
      ("fences: [{id: a, center: here, radius: 4, under-way: 5 min}]", "expected {speed: 1.5 m/s"),
      (
        "fences: [{id: a, center: here, radius: 4, under-way: {speed: fast}}]",
        "fences[0].under-way.speed: found 'fast', expected a speed above 0 such as 1.5 m/s or 3 kn"
      ),
      (
        "fences: [{id: a, center: here, radius: 4, polygon: [[1, 2]]}]",
        "a polygon beside the center"
      ),
      (
        "fences: [{id: a, center: [1, 2], radius: 4, settle: 2 s}]",
        "'settle' without 'center: here'"
      ),
      (
        "fences: [{id: a, center: [1, 2], radius: 4}, {id: a, center: here, radius: 4}]",
        "the id 'a' a second time"
      ),
    ])
  func mistakes(_ text: String, _ expected: String) {
    let complaint = Self.complaint(text)
    #expect(complaint.contains(expected), "\(complaint)")
    #expect(complaint.hasPrefix("w.yaml:1:"))
  }

  @Test("a program that cannot place fences refuses them")
  func refused() {
    #expect(
      Self.complaint("fences: [{id: a, center: here, radius: 4}]", placesFences: false)
        == "w.yaml:1:26: fences[0].center: found 'here', expected [latitude, longitude] in degrees such "
        + "as [52.5163, 13.3777]; only watch and replay place a fence where the device is")
  }

  @Test("the option --fence")
  func option() throws {
    let plan = try #require(try AnchorPlan(option: "the = anchor=here,40m"))
    #expect(plan.fence.id == "the = anchor" && plan.radius == 40)
    #expect(try AnchorPlan(option: "here=1,2,40m") == nil)
    #expect(try AnchorPlan(option: "no") == nil)
    for text in ["a=here,", "a=here,0m", "a=here,4 kg", "=here,40m", "a=here,2000km"] {
      #expect(throws: ConfigurationError.self, "\(text)") { try AnchorPlan(option: text) }
    }
  }
}
