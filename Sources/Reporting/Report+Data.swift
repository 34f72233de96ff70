internal import CPage
internal import EventLog
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
      $0.array("devices", devices) { $1.write(to: &$0) }
      $0.array("fences", rules.fences) { Self.write($1, to: &$0) }
      $0.array("events", entries) { json, entry in
        var line: [UInt8] = []
        JSONLinesWriter.append(entry, to: &line)
        json.raw(line.dropLast())
      }
      $0.data("baseMap", PageFile.baseMap)
      if let tiles { Self.write(tiles, to: &$0) }
      $0.array("towns", towns) { json, town in
        json.object {
          $0.text("name", town.name)
          $0.number("latitude", town.coordinate.latitude, decimals: 4)
          $0.number("longitude", town.coordinate.longitude, decimals: 4)
          $0.number("size", town.size)
        }
      }
    }
    return json.bytes
  }

  /// Places to name on the map: the largest of the world, and those around the tracks.
  var towns: [Town] {
    let gazetteer = Gazetteer()
    let world = gazetteer.towns(
      in: Box(south: -90, west: -180, north: 90, east: 180), most: Self.mostTowns)
    let near = box.map {
      gazetteer.towns(in: $0.expanded(byMetres: Self.surroundings), most: Self.mostTowns)
    }
    var seen: Set<Town> = []
    return ((near ?? []) + world).filter { seen.insert($0).inserted }
  }

  private static let mostTowns = 300
  /// How far around the tracks smaller places are named, metres.
  private static let surroundings = 50_000.0

  private static func write(_ tiles: PageTiles, to json: inout JSONBuilder) {
    json.object("tiles") {
      $0.text("attribution", tiles.attribution ?? "")
      switch tiles.images {
      case .server(let server):
        $0.number("largestZoom", TileServer.largestZoom)
        $0.text("url", server.template)
        $0.text("server", server.origin)
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

  private static func write(_ fence: Fence, to json: inout JSONBuilder) {
    json.object {
      $0.text("id", fence.id)
      switch fence.area {
      case .circle(let circle):
        $0.number("latitude", circle.center.latitude, decimals: 7)
        $0.number("longitude", circle.center.longitude, decimals: 7)
        $0.number("radius", circle.radius, decimals: 2)
      case .polygons(let polygons):
        $0.array("polygons", polygons) { json, polygon in
          json.list([polygon.exterior] + polygon.holes) { json, ring in
            json.list(ring) { $0.position($1.latitude, $1.longitude) }
          }
        }
      }
    }
  }
}

/// The files that are part of every page.
enum PageFile {
  static var style: UnsafeBufferPointer<UInt8> { file(waymark_page_style) }
  static var script: UnsafeBufferPointer<UInt8> { file(waymark_page_script) }
  static var body: UnsafeBufferPointer<UInt8> { file(waymark_page_body) }
  /// Coasts and borders; see Sources/CPage/build-base-map.py.
  static var baseMap: UnsafeBufferPointer<UInt8> { file(waymark_page_base_map) }

  private static func file(
    _ get: (UnsafeMutablePointer<UInt>) -> UnsafePointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    var size: UInt = 0
    // The bytes are constants of the program.
    let start = get(&size)
    return UnsafeBufferPointer(start: start, count: Int(size))
  }
}
