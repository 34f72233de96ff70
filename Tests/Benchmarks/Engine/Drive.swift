import Geodesy
import Glibc
import Tracking

/// A closed drive at 13 m/s with noise, a fix a second, through fences along the way.
struct Drive {
  static let length = 1_000
  private let middle = Coordinate(latitude: 52.52, longitude: 13.4)
  private let fenceCount: Int
  private var fixes: [Fix] = []

  init(fences: Int) {
    fenceCount = fences
    fixes = (0..<Self.length).map { second in
      let angle = Double(second) / Double(Self.length) * 360
      // The circumference is 13 km; the noise is a fixed pattern of a few metres.
      let place = middle.destination(bearing: angle, distance: 2_069 + 4 * sin(angle * 7))
      var fix = Fix(time: Timestamp(nanoseconds: 0), coordinate: place)
      fix.horizontalAccuracy = 5
      fix.speed = 13
      fix.course = (angle + 90).truncatingRemainder(dividingBy: 360)
      fix.altitude = 40
      return fix
    }
  }

  /// Circles of 100 m: the first five stand on the way, so that there are ten crossings a round;
  /// the others beside it.
  func rules() throws -> Rules {
    let fences = (0..<fenceCount).map { number in
      let isOnWay = number < 5
      let center = middle.destination(
        bearing: Double(number) * 67 + 10, distance: isOnWay ? 2_069 : 2_400 + Double(number))
      return Fence(id: "fence-\(number)", area: .circle(Circle(center: center, radius: 100)))
    }
    var rules = Rules(fences: try FenceSet(fences))
    rules.visits = VisitRules()
    rules.significantChanges = SignificantChangeRules()
    return rules
  }

  /// The fixes of one round, each in its second.
  func round(_ number: Int) -> LazyMapSequence<Range<Int>, Fix> {
    (0..<Self.length).lazy.map { [fixes] second in
      var fix = fixes[second]
      let seconds = Int64(number * Self.length + second)
      fix.time = Timestamp(nanoseconds: 1_741_593_600_000_000_000 + seconds * 1_000_000_000)
      return fix
    }
  }
}
