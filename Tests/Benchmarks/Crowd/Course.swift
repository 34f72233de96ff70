import CoreLocation
import Geodesy
import Simulation

/// A closed drive at 13 m/s with noise, a fix a second, and circles along the way.
struct Course {
  /// Time of the first fix, far from any leap second or clock change.
  static let start = Date(timeIntervalSince1970: 1_790_000_000)
  private static let middle = Coordinate(latitude: 52.52, longitude: 13.4)
  /// Metres; with ``lap`` fixes a round it makes 13 m/s.
  private static let radius = 2_069.0
  private static let lap = 1_000

  let plan: Plan

  /// The number of the fix at a time.
  static func number(at time: Date) -> Int {
    Int(time.timeIntervalSince(start).rounded())
  }

  /// Writes the recording, as gpsd reports it.
  func write(to path: String) throws {
    var random = SeededGenerator(seed: plan.seed)
    let style = Date.ISO8601FormatStyle(timeZone: .gmt)
    // In parts, because its memory counts too.
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw CocoaError(.fileWriteUnknown) }
    defer { file.closeFile() }
    var text = ""
    for second in 0..<plan.fixes {
      let bearing = Double(second % Self.lap) / Double(Self.lap) * 360
      let place = Self.middle.destination(
        bearing: bearing, distance: Self.radius + random.uniform(-2...2))
      let time = (Self.start + Double(second)).formatted(style)
      text += """
        {"class":"TPV","device":"/dev/crowd","mode":3,"time":"\(time)","lat":\(place.latitude),\
        "lon":\(place.longitude),"altHAE":40,"eph":5,"speed":13,\
        "track":\((bearing + 90).truncatingRemainder(dividingBy: 360))}\n
        """
      guard second % Self.lap == Self.lap - 1 || second == plan.fixes - 1 else { continue }
      try file.write(contentsOf: Data(text.utf8))
      text = ""
    }
  }

  /// Circles of 100 m: some stand on the way, the others in the middle, where the drive never comes.
  var regions: [CLCircularRegion] {
    (0..<Plan.regions).map { number in
      let isOnWay = number < Plan.regionsOnWay
      let center = Self.middle.destination(
        bearing: Double(number) * 360 / Double(Plan.regionsOnWay) + 5,
        distance: isOnWay ? Self.radius : 10 * Double(number))
      return CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: center.latitude, longitude: center.longitude),
        radius: 100, identifier: "\(Self.prefix)\(number)")
    }
  }

  /// The circle of a region; nil for a passer-by's region.
  static func number(of region: CLRegion) -> Int? {
    guard region.identifier.hasPrefix(prefix) else { return nil }
    return Int(region.identifier.dropFirst(prefix.count))
  }

  private static let prefix = "circle-"
}
