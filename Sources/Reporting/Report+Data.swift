internal import EventLog
internal import Explaining
internal import Geocoding
internal import Foundation
internal import Geodesy
internal import MapTiles
internal import Text
internal import Tracking

extension Report {
  /// The data of the page, as JSON.
  var data: [UInt8] {
    var json = JSONBuilder()
    json.object {
      $0.number("version", 1)
      $0.boolean("hindsight", hindsight)
      $0.number("visitRadius", (rules.visits ?? VisitRules()).radius, decimals: 1)
      $0.array("devices", devices) { $1.write(to: &$0) }
      $0.fences(rules.fences)
      $0.array("events", entries) { json, entry in
        var line: [UInt8] = []
        JSONLinesWriter.append(entry, to: &line)
        json.raw(line.dropLast())
      }
      if let tiles { $0.tiles(tiles) }
      $0.array("reasons", reasons) { $0.reason($1) }
      $0.baseMap(towns: towns)
    }
    return json.bytes
  }

  /// Places to name on the map: the largest of the world, and those around the tracks.
  var towns: [Town] { Self.towns(around: box, world: Self.mostTowns) }

  /// The largest places of the world, and those in a box and around it.
  static func towns(around box: Box?, world most: Int) -> [Town] {
    let gazetteer = Gazetteer()
    let world = gazetteer.towns(
      in: Box(south: -90, west: -180, north: 90, east: 180), most: most)
    let near = box.map {
      gazetteer.towns(in: $0.expanded(byMetres: surroundings), most: mostTowns)
    }
    var seen: Set<Town> = []
    return ((near ?? []) + world).filter { seen.insert($0).inserted }
  }

  private static let mostTowns = 300
  /// How far around the box smaller places are named, metres.
  private static let surroundings = 50_000.0
}

extension JSONBuilder {
  /// Adds the tiles of a page's map.
  mutating func tiles(_ tiles: PageTiles) {
    object("tiles") {
      $0.text("attribution", tiles.attribution ?? "")
      switch tiles.images {
      case .server(let server):
        $0.number("largestZoom", TileServer.largestZoom)
        $0.text("url", server.template)
        $0.text("server", server.origin)
      case .served(let file):
        $0.number("largestZoom", file.zooms.upperBound)
        $0.text("url", "tiles/{z}/{x}/{y}")
      case .embedded(let tiles):
        $0.number("largestZoom", tiles.images.last?.tile.zoom ?? 0)
        $0.text("type", tiles.mediaType)
        $0.object("images") { json in
          for (tile, image) in tiles.images {
            json.data("\(tile.zoom)/\(tile.x)/\(tile.y)", image)
          }
        }
      }
    }
  }

  /// Adds why an event was reported.
  mutating func reason(_ explanation: Explanation) {
    object {
      if let id = explanation.id { $0.text("id", "\(id)") }
      $0.array("lines", explanation.lines) { $0.element($1) }
    }
  }
}
