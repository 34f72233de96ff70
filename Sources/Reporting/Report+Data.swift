internal import CPage
internal import EventLog
internal import Geodesy
internal import Tracking

extension Report {
  /// The data of the page, as JSON.
  var data: [UInt8] {
    var json = JSONBuilder()
    json.object {
      $0.number("version", 1)
      $0.array("devices", devices) { $1.write(to: &$0) }
      $0.array("fences", rules.fences) { Self.write($1, to: &$0) }
      $0.array("events", entries) { json, entry in
        var line: [UInt8] = []
        JSONLinesWriter.append(entry, to: &line)
        json.raw(line.dropLast())
      }
      $0.data("baseMap", PageFile.baseMap)
    }
    return json.bytes
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
