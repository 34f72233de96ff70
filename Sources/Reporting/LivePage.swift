package import Explaining
internal import Geocoding
package import Geodesy
package import MapTiles
internal import Text
package import Tracking

/// The files of the live page: the list and the map of a report, fed by a server.
package enum LivePage {
  package static var html: [UInt8] { Array(PageFile.livePage) }
  package static var style: [UInt8] { Array(PageFile.style) }
  package static var leaflet: [UInt8] { Array(PageFile.leaflet) }
  /// What a report and the live page share.
  package static var sharedScript: [UInt8] { Array(PageFile.script) }
  package static var script: [UInt8] { Array(PageFile.liveScript) }

  /// The tiles, the base map and names of places, as JSON: the largest of the world, and those around a
  /// box.
  package static func map(around box: Box?, tiles: PageTiles?) -> [UInt8] {
    var json = JSONBuilder()
    json.object {
      if let tiles { $0.tiles(tiles) }
      $0.baseMap(towns: Report.towns(around: box, world: mostTowns))
    }
    return json.bytes
  }

  /// Fences as the map draws them, as JSON, and how many more there are.
  package static func fences(_ fences: FenceSet) -> [UInt8] {
    var json = JSONBuilder()
    json.object {
      $0.fences(fences.prefix(mostFences))
      $0.number("unshown", max(fences.count - mostFences, 0))
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }

  /// Why an event was reported, as JSON.
  package static func reason(_ explanation: Explanation) -> [UInt8] {
    var json = JSONBuilder()
    json.reason(explanation)
    return json.bytes + [UInt8(ascii: "\n")]
  }

  /// The page does not know where the device will be, so more places of the world are named.
  private static let mostTowns = 3_000
  /// A browser draws so many at every step.
  private static let mostFences = 5_000
}
