import Geodesy
import Glibc
import Tracking

/// A closed way around a middle at a steady speed, a fix a second, with a fixed pattern of noise of a
/// few metres.
struct Circuit {
  static let middle = Coordinate(latitude: 52.52, longitude: 13.4)
  /// Metres.
  let radius: Double
  /// Metres a second.
  let speed: Double

  /// Seconds of a lap.
  var length: Int { Int((2 * Double.pi * radius / speed).rounded()) }

  /// The fixes of a lap.
  var fixes: [Fix] {
    (0..<length).map { second in
      let angle = Double(second) / Double(length) * 360
      let place = Self.middle.destination(bearing: angle, distance: radius + 4 * sin(angle * 7))
      return Self.fix(
        at: Double(second), place, speed: speed,
        course: (angle + 90).truncatingRemainder(dividingBy: 360))
    }
  }

  static func fix(at second: Double, _ place: Coordinate, speed: Double, course: Double) -> Fix {
    var fix = Fix(time: Course.start.advanced(bySeconds: second), coordinate: place)
    fix.horizontalAccuracy = 5
    fix.speed = speed
    fix.course = course
    fix.altitude = 40
    return fix
  }

  /// A ring around the same middle, whose distance from it is a function of the bearing.
  static func ring(_ vertices: Int, distance: (Double) -> Double) throws -> Area {
    let exterior = (0..<vertices).map { vertex in
      let angle = Double(vertex) / Double(vertices) * 360
      return middle.destination(bearing: angle, distance: distance(angle))
    }
    return .polygons([try Polygon(exterior: exterior)])
  }
}
