import Geodesy
import Testing
import Tracking

@testable import Settings

@Suite("A change of a config")
struct ConfigurationChangeTests {
  private static let text = """
    fences:
      - {id: home, center: [52.5, 13.3], radius: 100 m}
      - {id: a.b, center: [52.6, 13.3], radius: 200 m}
      - {id: site, polygon: [[52.1, 13.1], [52.2, 13.1], [52.2, 13.3]]}
      - include: more.geojson
    significant-changes: false
    """
  private static let more = """
    {"type":"Feature","id":"port","properties":{"radius":50},\
    "geometry":{"type":"Point","coordinates":[13,52]}}
    """

  private func read(_ key: String, _ value: String) throws(ConfigurationError) -> Configuration {
    try Configuration(
      Array(Self.text.utf8), file: "w.yaml",
      changing: ConfigurationChange(key: key, value: value)
    ) { _ throws(ConfigurationFile.Failure) in Array(Self.more.utf8) }
  }

  private func radii(_ configuration: Configuration) -> [Double] {
    configuration.fences.compactMap {
      if case .circle(let circle) = $0.area { circle.radius } else { nil }
    }
  }

  @Test("takes the place of a fence's setting, and no other changes")
  func fence() throws {
    #expect(radii(try read("fences.home.radius", "70 m")) == [70, 200, 50])
    #expect(radii(try read("fences.a.b.radius", "1 km")) == [100, 1_000, 50])
    let eager = try read("fences.home.decision", "eager")
    #expect(eager.fences.map(\.decision) == [.eager, .balanced, .balanced, .balanced])
  }

  @Test("sets what the config leaves to the default")
  func sections() throws {
    #expect(try read("visits.minimum-stay", "7 min").visits?.minimumStay == 420)
    #expect(try read("gate.lateness", "90").gate.lateness == 90)
  }

  @Test(
    "that cannot be is an error of the change, with the nearest known name",
    arguments: [
      (
        "fences.hom.radius", "1",
        "found no fence 'hom' in the config's own list, expected the id of a fence that it does "
          + "not include from another file; did you mean 'home'?"
      ),
      (
        "fences.port.radius", "1",
        "found no fence 'port' in the config's own list, expected the id of a fence that it does "
          + "not include from another file"
      ),
      (
        "fences.home.radis", "1",
        "fences[0].radis: found the unknown key 'radis', expected one of id, center, radius, "
          + "polygon, holes, notify, dwell, decision, initial, include, settle, "
          + "under-way; did you mean 'radius'?"
      ),
      (
        "fences.home.radius", "0",
        "fences[0].radius: found '0', expected a length above 0 m and up to 1000 km"
      ),
      (
        "fences.site.radius", "10",
        "fences[2].polygon: found a polygon beside the radius, expected either center and radius, "
          + "or polygon"
      ),
      (
        "visit.radius", "1",
        "visit: found the unknown key 'visit', expected one of device, source, sources, fences, visits, "
          + "significant-changes, gate, time-zone; did you mean 'visits'?"
      ),
      (
        "significant-changes.distance", "1",
        "found 'false' as significant-changes, expected keys and values"
      ),
      (
        "radius", "1",
        "found no setting in 'radius', expected one such as fences.home.radius or "
          + "visits.minimum-stay"
      ),
      (
        "fences.home", "1",
        "found no fence in 'fences.home', expected one such as fences.home.radius"
      ),
    ])
  func mistakes(key: String, value: String, message: String) {
    let error = #expect(throws: ConfigurationError.self) { try read(key, value) }
    #expect(error?.description == "\(key)=\(value): \(message)")
  }
}
