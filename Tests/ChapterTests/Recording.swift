import CoreLocation
import TestSupport
import Testing

/// A recording of the acceptance tests: fixes once a second unless said otherwise, in metres east and
/// north of a place in Berlin, written as GPX that carries the accuracy of every fix.
struct Recording: Sendable {
  struct Point: Sendable {
    /// Since 2026-03-01T08:00:00Z.
    var seconds: Double
    var east: Double
    var north = 0.0
    /// Metres within which 68 % of fixes lie; without noise nearly nothing.
    var accuracy = 0.1

    var coordinate: CLLocationCoordinate2D { Recording.coordinate(east: east, north: north) }
    var time: Date { Recording.start + seconds }
  }

  var points: [Point]

  static let start = Date(timeIntervalSince1970: 1_772_352_000)

  static func coordinate(east: Double, north: Double = 0) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(
      latitude: 52.5 + north / 111_267,
      longitude: 13.4 + east / (111_412.84 * cos(52.5 * .pi / 180)))
  }

  /// Adds a stretch that begins where and a second after the last one ends.
  mutating func go(to east: Double, speed: Double) {
    let (from, begin) = (points.last?.east ?? 0, (points.last?.seconds ?? -1) + 1)
    let seconds = max(1, (abs(east - from) / speed).rounded(.up))
    for second in stride(from: 0, through: seconds, by: 1) {
      points.append(
        Point(seconds: begin + second, east: from + (east - from) * second / seconds))
    }
  }

  mutating func rest(_ seconds: Double) {
    let (from, begin) = (points.last?.east ?? 0, (points.last?.seconds ?? -1) + 1)
    for second in stride(from: 0, to: seconds, by: 1) {
      points.append(Point(seconds: begin + second, east: from))
    }
  }

  /// How the errors of one fix and the next are related.
  enum Noise: CaseIterable {
    /// Not at all.
    case white
    /// They are alike over half a minute, as a receiver's are (a Gauss-Markov process).
    case slow

    /// Seconds after which an error has lost all but 1/e of itself.
    fileprivate var correlationTime: Double { self == .white ? 1e-3 : 30 }
  }

  /// With normal errors of so many metres along each axis.
  func noisy(sigma: Double, seed: UInt64, _ noise: Noise = .slow) -> Recording {
    var generator = SeededGenerator(seed: seed)
    var (error, last): ((east: Double, north: Double), Double?) = ((0, 0), nil)
    let noisy = points.map { point in
      let keeps = last.map { exp(($0 - point.seconds) / noise.correlationTime) } ?? 0
      last = point.seconds
      let fresh = generator.normals()
      let renews = sigma * (1 - keeps * keeps).squareRoot()
      error = (error.east * keeps + renews * fresh.0, error.north * keeps + renews * fresh.1)
      var point = point
      point.east += error.east
      point.north += error.north
      // The radius of 68 % of a round normal distribution.
      point.accuracy = 1.51 * sigma
      return point
    }
    return Recording(points: noisy)
  }

  /// With fixes that claim to be so exact, metres.
  func claiming(_ accuracy: Double) -> Recording {
    var recording = self
    for index in recording.points.indices { recording.points[index].accuracy = accuracy }
    return recording
  }

  // MARK: The recordings of the list

  /// One fix.
  static let one = Recording(points: [Point(seconds: 0, east: 0, accuracy: 5)])
  /// Three fixes that are told together.
  static let batch = Recording(
    points: (0..<3).map { Point(seconds: Double($0), east: 2 * Double($0), accuracy: 5) })
  /// From the centre out to 80 m and back, twice, walking.
  static let walk30: Recording = {
    var walk = Recording(points: [])
    walk.rest(30)
    for _ in 0..<2 {
      walk.go(to: 80, speed: 1.4)
      walk.rest(30)
      walk.go(to: 0, speed: 1.4)
      walk.rest(30)
    }
    return walk
  }()
  /// The same with noise.
  static func walk30n(seed: UInt64, _ noise: Noise) -> Recording {
    walk30.noisy(sigma: 5, seed: seed, noise)
  }
  /// 20 km in 30 min.
  static let drive: Recording = {
    var drive = Recording(points: [])
    drive.go(to: 20_000, speed: 20_000 / 1_800)
    return drive.noisy(sigma: 3, seed: 4)
  }()
  /// 2 km, 25 min at one place, 2 km.
  static func stay(seed: UInt64, _ noise: Noise) -> Recording {
    var stay = Recording(points: [])
    stay.go(to: 2_000, speed: 10)
    stay.rest(1_500)
    stay.go(to: 4_000, speed: 10)
    return stay.noisy(sigma: 8, seed: seed, noise)
  }
  /// Inside of a fence of 30 m, no fix for 5 min, then 500 m away.
  static let gap: Recording = {
    var gap = Recording(points: [])
    gap.rest(60)
    for second in 360..<420 { gap.points.append(Point(seconds: Double(second), east: 500)) }
    return gap
  }()
  /// Through a fence of 30 m at 100 m and through another at 300 m.
  static let two: Recording = {
    var two = Recording(points: [])
    two.rest(10)
    two.go(to: 400, speed: 1.4)
    return two
  }()

  // MARK: Playing

  /// Writes it to a file of its own, which is gone afterwards.
  func withFile<R>(_ body: (String) throws -> R) throws -> R {
    let folder = try ScratchFolder()
    try folder.write("track.gpx", gpx)
    return try body(folder.file("track.gpx"))
  }

  func play(_ service: LocationService) throws {
    try withFile { try service.replay($0) }
  }

  var gpx: String {
    var text = #"<gpx version="1.1" creator="tests" xmlns="http://www.topografix.com/GPX/1/1" "#
    text += #"xmlns:wm="urn:waymark:gpx:1"><trk><trkseg>"# + "\n"
    for point in points {
      let (latitude, longitude) = (point.coordinate.latitude, point.coordinate.longitude)
      text += #"<trkpt lat="\#(latitude)" lon="\#(longitude)">"#
      text += "<time>\(point.time.formatted(.iso8601))</time>"
      text += "<extensions><wm:accuracy>\(point.accuracy)</wm:accuracy></extensions></trkpt>\n"
    }
    return text + "</trkseg></trk></gpx>\n"
  }

  /// When the path crosses a circle of 30 m around the first place, seconds.
  var crossings: [Double] {
    zip(points, points.dropFirst()).compactMap { before, after in
      guard (before.east > 30) != (after.east > 30) else { return nil }
      let share = (30 - before.east) / (after.east - before.east)
      return before.seconds + share * (after.seconds - before.seconds)
    }
  }
}

extension SeededGenerator {
  /// Two independent normal numbers (Box and Muller, 1958).
  fileprivate mutating func normals() -> (Double, Double) {
    let length = (-2 * log(1 - Double.random(in: 0..<1, using: &self))).squareRoot()
    let angle = Double.random(in: 0..<(2 * .pi), using: &self)
    return (length * cos(angle), length * sin(angle))
  }
}
