import Receivers
import Geodesy
@testable import Settings
import PlaceNaming
import Testing
import Tracking

@Suite("Reading a config")
struct ConfigurationTests {
  private let others = ["fences.geojson": yardGeoJSON]

  @Test("the documented example reads as documented")
  func promisedExample() throws {
    let config = try configuration(promisedYAML, others: others)
    #expect(config.device == "van")
    #expect(config.sources.map(\.address) == [.local])
    #expect(config.fences.map(\.id) == ["depot", "site", "yard", "fences-2"])
    #expect(config.visits == VisitRules())
    #expect(config.significantChanges == SignificantChangeRules())
    #expect(config.gate == GateLimits() && config.memory == 2_592_000)
    #expect(config[GeocoderSection.self] == GeocoderSettings(.gazetteer))
    let depot = config.fences[0]
    let center = Coordinate(latitude: 52.5163, longitude: 13.3777)
    #expect(depot.area == .circle(Circle(center: center, radius: 100)))
    #expect(depot.notifications == [.enter, .exit])
    #expect(depot.dwell == 600_000_000_000)
    #expect(depot.initial == .state)
    #expect(config.fences.map(\.decision) == Array(repeating: .balanced, count: 4))
  }

  @Test("JSON with the same keys gives the same config, also with tabs")
  func jsonEqualsYAML() throws {
    let yaml = try configuration(promisedYAML, others: others)
    let json = try configuration(promisedJSON, others: others)
    #expect(yaml.fences == json.fences)
    #expect(yaml.visits == json.visits)
    #expect(yaml.significantChanges == json.significantChanges)
    #expect(yaml.device == json.device && yaml.sources == json.sources)
    #expect(yaml[GeocoderSection.self] == json[GeocoderSection.self])
  }

  @Test("missing keys have their defaults")
  func defaults() throws {
    let config = try configuration("fences: [{id: a, center: [1, 2], radius: 50}]")
    #expect(config.device == nil && config.sources.isEmpty)
    #expect(config.visits == VisitRules())
    #expect(config.significantChanges == SignificantChangeRules())
    #expect(config[GeocoderSection.self] == GeocoderSettings(.none))
    #expect(config.fences[0].decision == .balanced)
    #expect(config.fences[0].notifications == [.enter, .exit])
    #expect(config.fences[0].dwell == nil)
    #expect(try configuration("visits: {}").visits == VisitRules())
    #expect(try configuration("fences: []").fences.isEmpty)
  }

  @Test("visits and significant changes are as configured, each value independently, or off")
  func visitsAndChanges() throws {
    let text = "visits: {minimum-stay: 90 s}\nsignificant-changes: {distance: 1 km}"
    let config = try configuration(text)
    #expect(config.visits?.minimumStay == 90 && config.visits?.radius == 50)
    #expect(config.significantChanges?.distance == 1_000)
    #expect(config.significantChanges?.interval == 300)
    let other = try configuration("visits: {radius: 80}\nsignificant-changes: {interval: 60}")
    #expect(other.visits?.minimumStay == 300 && other.visits?.radius == 80)
    #expect(other.significantChanges?.distance == 500)
    #expect(other.significantChanges?.interval == 60)
    for word in ["false", "False", "FALSE"] {
      let off = try configuration("visits: \(word)\nsignificant-changes: \(word)")
      #expect(off.visits == nil && off.significantChanges == nil)
    }
  }

  @Test("the gate is as configured, each value independently")
  func gate() throws {
    let day = 86_400.0
    let all = try configuration("gate: {clock-jump: 7 d, memory: 1 d 12 h, lateness: 5 min}")
    #expect(try all.rules().gate.clockJump == 7 * day)
    #expect(try all.rules().memory == 1.5 * day)
    #expect(try all.rules().gate.lateness == 300)
    let one = try configuration("gate: {lateness: 0}").rules()
    #expect(one.gate.lateness == 0 && one.gate.clockJump == day && one.memory == 30 * day)
    for text in ["gate: {}", "gate: {clock-jump: 1 d, memory: 30 d, lateness: 60 s}", "device: a"] {
      #expect(try configuration(text).rules() == Configuration().rules())
    }
    let most = try configuration("gate: {clock-jump: 3652.5 d, memory: 36525 d, lateness: 1 d}")
    #expect(try most.rules().memory == 36_525 * day)
  }

  @Test("the engine gets the rules of the config, or the defaults without one")
  func rules() throws {
    let text = """
      visits: {radius: 80}
      significant-changes: false
      fences: [{id: a, center: [1, 2], radius: 50, decision: eager}]
      """
    let config = try configuration(text)
    let more = try Fence(option: "b=1,2,50")
    let rules = try config.rules(adding: [more])
    #expect(rules.fences.map(\.id) == ["a", "b"])
    #expect(rules.fences.map(\.decision) == [.eager, .balanced])
    #expect(rules.visits == config.visits && rules.significantChanges == nil)
    #expect(throws: FenceSetError.self) { try config.rules(adding: config.fences) }
    let usual = try Configuration().rules()
    #expect(usual.fences.isEmpty)
    #expect(usual.visits == VisitRules())
    #expect(usual.significantChanges == SignificantChangeRules())
  }

  @Test(
    "names keep their text",
    arguments: [
      ("no", "no"), ("on", "on"), ("off", "off"), ("12", "12"), ("007", "007"), ("1e3", "1e3"),
      ("0x10", "0x10"), ("true", "true"), ("'null'", "null"), ("2026-01-02", "2026-01-02"),
      ("12:30:45", "12:30:45"), ("Bob's van # one", "Bob's van"), ("\"a # b\"", "a # b"),
      ("größe", "größe"), ("!!int 5", "5"),
    ])
  func names(written: String, name: String) throws {
    #expect(try configuration("device: \(written)").device == name)
    let fence = "{id: \(written.split(separator: " #")[0]), center: [1, 2], radius: 50}"
    if !written.contains("#") {
      #expect(try configuration("fences: [\(fence)]").fences.map(\.id) == [name])
    }
  }

  @Test(
    "lengths have a unit or are in metres",
    arguments: [("100", 100.0), ("100 m", 100), ("100m", 100), ("2 km", 2_000), ("'0.5 km'", 500)])
  func lengths(written: String, metres: Double) throws {
    let config = try configuration("fences: [{id: a, center: [1, 2], radius: \(written)}]")
    let center = Coordinate(latitude: 1, longitude: 2)
    #expect(config.fences[0].area == .circle(Circle(center: center, radius: metres)))
  }

  @Test(
    "times have a unit or are in seconds",
    arguments: [
      ("90", 90.0), ("90 s", 90), ("10 min", 600), ("2 h", 7_200), ("1 d", 86_400),
      ("0.001", 0.001),
    ])
  func times(written: String, seconds: Double) throws {
    let text = "fences: [{id: a, center: [1, 2], radius: 50, notify: [dwell], dwell: \(written)}]"
    let fence = try configuration(text).fences[0]
    #expect(fence.dwell == Int64(seconds * 1e9))
    #expect(fence.notifications == .dwell)
  }

  @Test("the limits of the ranges are accepted")
  func ends() throws {
    for center in ["[90, 180]", "[-90, -180]", "[+0, -0.0]", "[1e1, .5]"] {
      let text = "fences: [{id: a, center: \(center), radius: 1000 km}]"
      #expect(try configuration(text).fences.count == 1)
    }
  }

  @Test("the value of an anchor can be reused")
  func aliases() throws {
    let text = """
      fences:
        - {id: a, center: &c [1, 2], radius: &r 50 m, notify: &n [exit]}
        - {id: b, center: *c, radius: *r, notify: *n}
      """
    let fences = try configuration(text).fences
    #expect(fences[0].area == fences[1].area)
    #expect(fences[1].notifications == .exit)
  }

  @Test("a polygon may have holes, and its ring may be closed or not")
  func polygons() throws {
    let ring = [(0.0, 0.0), (0, 4), (4, 4), (4, 0)].map(Coordinate.init(latitude:longitude:))
    let hole = [(1.0, 1.0), (1, 2), (2, 2)].map(Coordinate.init(latitude:longitude:))
    let polygon = try Polygon(exterior: ring, holes: [hole])
    for closing in ["", ", [0, 0]"] {
      let text = """
        fences:
        - id: a
          polygon: [[0, 0], [0, 4], [4, 4], [4, 0]\(closing)]
          holes: [[[1, 1], [1, 2], [2, 2]]]
        """
      #expect(try configuration(text).fences[0].area == .polygons([polygon]))
    }
  }

  @Test(
    "an invalid polygon is reported at its place",
    arguments: [
      (
        "polygon: [[0, 0], [0, 0], [0, 0]]",
        "27: fences[0].polygon: found 1 different corner, expected at least 3"
      ),
      (
        "polygon: [[0, 0], [1, 1], [2, 2]]",
        "27: fences[0].polygon: found corners that enclose nothing, "
          + "expected corners in their order around an area"
      ),
      (
        "polygon: [[0, 0], [4, 4], [4, 0], [0, 6]]",
        "28: fences[0].polygon[0]: found that the edge from here meets the one from corner [2], "
          + "expected corners in their order around the area"
      ),
      (
        "polygon: [[0, 0], [4, 4], [4, 0]], holes: [[[1, 1], [1, 1], [2, 1]]]",
        "61: fences[0].holes[0]: found 2 different corners, expected at least 3"
      ),
      (
        "polygon: [[0, 0], [0, 4], [4, 4]], holes: [[[1, 2], [1, 3], [8, 3]]]",
        "70: fences[0].holes[0][1]: found that the hole is outside of the polygon here, "
          + "expected holes inside of the polygon"
      ),
      (
        "polygon: [[0, 0], [0, 4], [4, 4]], "
          + "holes: [[[1, 2], [1, 3], [2, 3]], [[1, 2], [1, 3], [2, 3]]]",
        "87: fences[0].holes[1]: found that the hole overlaps holes[0], "
          + "expected one hole for both, or holes beside each other"
      ),
      (
        "polygon: [[0, 0], [0, 4], [4, 4]], holes: [[[0, 0], [0, 4], [4, 4]]]",
        "61: fences[0].holes[0]: found that the hole is as large as the polygon, "
          + "expected a smaller hole, or no hole"
      ),
    ])
  func badPolygon(area: String, message: String) {
    #expect(complaint("fences: [{id: a, \(area)}]") == "w.yaml:1:\(message)")
  }

  @Test("twenty thousand fences are read")
  func manyFences() throws {
    let lines = (0..<20_000).map { index in
      "- {id: f\(index), center: [\(index / 300), \(index % 300 - 150).5], radius: 100 m}\n"
    }
    let config = try configuration("fences:\n" + lines.joined())
    #expect(config.fences.count == 20_000)
    #expect(config.fences.last?.id == "f19999")
  }

  @Test("keys that other programs read are passed over, whatever they hold; others are errors")
  func ignoredKeys() throws {
    let text = "device: van\nstore: [1, {a: b}]\ndeliver: nothing\n"
    let config = try Configuration(
      text: Array(text.utf8), sections: [], ignoring: ["store", "deliver"])
    #expect(config.device == "van")
    #expect(throws: ConfigurationError.self) {
      try Configuration(text: Array(text.utf8), sections: [], ignoring: ["store"])
    }
  }
}
