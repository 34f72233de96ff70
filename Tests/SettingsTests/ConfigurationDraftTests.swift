import Foundation
import Receivers
import Geodesy
import Outbox
import PlaceNaming
import Storing
import Testing
import Tracking

@testable import Settings

@Suite("The config of waymark init")
struct ConfigurationDraftTests {
  private static let fence = Fence(
    id: "the \"depot\" # 1",
    area: .circle(
      Circle(center: Coordinate(latitude: -52.5163, longitude: 0.000_000_1), radius: 120.5)))

  private static func read(_ text: String) throws(ConfigurationError) -> Configuration {
    try Configuration(
      Array(text.utf8), named: "waymark.yaml",
      sections: [StoreSection.self, DeliverSection.self, GeocoderSection.self])
  }

  @Test("reads as what was answered")
  func answers() throws {
    var draft = ConfigurationDraft()
    draft.device = "yes: \"van\"\n# 1"
    draft.source = GPSDAddress(host: "::1", port: 2948, device: "/dev/ttyUSB0")
    draft.fence = Self.fence
    draft.timeZone = "Europe/Berlin"
    draft.store = "my events.gpkg"
    let settings = try Self.read(draft.text)
    #expect(settings.device == draft.device)
    #expect(settings.sources.map(\.address) == [draft.source])
    #expect(settings.fences == [Self.fence])
    #expect(settings.timeZone?.identifier == "Europe/Berlin")
    #expect(settings[StoreSection.self]?.path == "my events.gpkg")
  }

  @Test("without answers has the defaults of the engine")
  func defaults() throws {
    let settings = try Self.read(ConfigurationDraft().text)
    #expect(settings.device == "van" && settings.sources.map(\.address) == [.local])
    #expect(try settings.rules() == Configuration().rules())
    #expect(settings.timeZone == nil && settings[StoreSection.self] == nil)
  }

  @Test("has examples that are valid when they are turned on", arguments: [false, true])
  func examples(hasFence: Bool) throws {
    var draft = ConfigurationDraft()
    if hasFence { draft.fence = Self.fence }
    let lines = draft.text.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.replacing(/^( *)#(?=[^ ])/) { String($0.1) }
        .replacing(/^( *)#(?= +[-a-z]+:| +- )/) { String($0.1) }
    }
    let settings = try Self.read(lines.joined(separator: "\n"))
    #expect(settings.fences.count == (hasFence ? 2 : 1))
    #expect(settings.fences[0].notifications == [.enter, .exit, .dwell])
    #expect(settings.timeZone != nil && settings[StoreSection.self] != nil)
    #expect(settings[DeliverSection.self].count == 1)
    #expect(settings[GeocoderSection.self] == GeocoderSettings(.gazetteer))
  }
}
