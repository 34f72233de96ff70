import Geodesy
import Tracking

/// Fences and fixes by a recipe, all near one place, so that they meet.
struct World {
  private(set) var rules = Rules()
  /// Whether no fix so far could turn the clock, or was from before a wait.
  private(set) var isCalm = true
  private var reader: ByteReader
  private let home: Coordinate
  private var place: Coordinate
  private var time: Int64 = 1_741_593_600_000_000_000
  private var waitedUntil = Int64.min
  private let lie: Lie?

  /// A step of the recipe.
  enum Step {
    case fix(Fix)
    /// Time passes up to here without a fix.
    case wait(Timestamp)
    /// The rules are other ones from now on.
    case rules
    /// The engine is packed, or written as a checkpoint, and goes on from that.
    case pack
    case checkpoint
  }

  private static let homes = [
    Coordinate(latitude: 52.5, longitude: 13.4), Coordinate(latitude: -16.8, longitude: 179.999),
    Coordinate(latitude: 89.9995, longitude: 20), Coordinate(latitude: -89.9995, longitude: -100),
    Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 71, longitude: -179.9995),
  ]
  private static let seconds: [Double] = [
    1, 1, 1, 5, 10, 30, 60, 121, 300, 900, 1_700, 4_000, 86_000, 300_000, 0.1, 0.000_000_001,
  ]
  private static let accuracies: [Double?] = [
    5, 5, 5, 20, 1, 65, nil, 1_000, 0, -1, 0.001, .nan, .infinity, 1e300, .leastNonzeroMagnitude,
    100_000,
  ]
  private static let odd: [Double] = [
    .nan, .infinity, -.infinity, 1e308, -1, .leastNonzeroMagnitude, 0, 90, 180, -180, 360, 91, 181,
    -90, 89.999_999_9,
    -0.0,
  ]

  /// - Parameter lies: Whether the receiver lies about its speed and course in every fix.
  init(_ bytes: [UInt8], lies: Bool = false) {
    reader = ByteReader(bytes)
    lie = lies ? Lie(&reader) : nil
    home = reader.one(of: Self.homes)
    place = home
    changeRules()
  }

  /// The next step; nil at the end of the recipe.
  mutating func next() -> Step? {
    guard !reader.isAtEnd else { return nil }
    switch reader.byte() {
    case 0..<200: return .fix(checked(walk()))
    case 200..<206:
      time = time &+ Int64(reader.one(of: Self.seconds) * 1e9)
      waitedUntil = time
      return .wait(Timestamp(nanoseconds: time))
    case 206..<212: return .pack
    case 212..<214: return .checkpoint
    case 214..<220:
      changeRules()
      return .rules
    default: return .fix(checked(oddFix()))
    }
  }

  /// A fix from before a wait came too late: the engine was promised that none would.
  private mutating func checked(_ fix: Fix) -> Fix {
    if let time = fix.time, time.nanoseconds <= waitedUntil { isCalm = false }
    return fix
  }

  // MARK: Fixes

  private mutating func walk() -> Fix {
    time = time &+ Int64(reader.one(of: Self.seconds) * 1e9)
    move(by: reader.one(of: [1, 1, 10, 100]))
    return fix()
  }

  /// Metres east and north, at most 127 of them times `scale`.
  private mutating func move(by scale: Double) {
    let (north, east) = (reader.signed() * scale / 111_000, reader.signed() * scale / 111_000)
    place = Coordinate(
      latitude: min(90, max(-90, place.latitude + north)),
      longitude: Self.wrapped(place.longitude + east / max(Self.cosine(place), 0.01)))
  }

  private static func cosine(_ place: Coordinate) -> Double {
    // Near enough for a recipe.
    max(0, 1 - place.latitude * place.latitude / 8_100)
  }

  private static func wrapped(_ longitude: Double) -> Double {
    let rest = longitude.remainder(dividingBy: 360)
    return rest.isNaN ? 0 : rest
  }

  private mutating func fix() -> Fix {
    var fix = Fix(time: Timestamp(nanoseconds: time), coordinate: place)
    fix.horizontalAccuracy = reader.one(of: Self.accuracies)
    return lie?.told(fix) ?? fix
  }

  /// A fix of a device that stays where it is.
  ///
  /// - Parameter seconds: Since the last one.
  mutating func rest(_ seconds: Double) -> Fix {
    time = time &+ Int64(seconds * 1e9)
    var fix = Fix(time: Timestamp(nanoseconds: time), coordinate: place)
    fix.horizontalAccuracy = 5
    return lie?.told(fix) ?? fix
  }

  private mutating func oddFix() -> Fix {
    var fix = fix()
    switch reader.below(12) {
    case 0: break  // At the same time.
    case 1: fix.time = fix.time?.advanced(bySeconds: -reader.one(of: Self.seconds))
    case 2: fix.time = nil
    case 3: fix.coordinate.latitude = reader.one(of: Self.odd)
    case 4: fix.coordinate.longitude = reader.one(of: Self.odd)
    case 5: (fix.speed, fix.course) = (reader.one(of: Self.odd), reader.one(of: Self.odd))
    case 6: (fix.speed, fix.course) = (Double(reader.byte()) / 4, Double(reader.byte()) * 1.4)
    case 7: place = home
    case 8:
      place = Coordinate(
        latitude: reader.signed16() / 32_768 * 90, longitude: reader.signed16() / 32_768 * 180)
    case 9:
      isCalm = false
      time = reader.one(of: [Int64.min, .max, 0, -1, time &- 619_315_200_000_000_000, .min + 1])
    case 10:
      isCalm = false
      fix.time = Timestamp(nanoseconds: Int64(bitPattern: reader.word()))
    default:
      fix.speedAccuracy = reader.one(of: Self.odd)
      fix.courseAccuracy = reader.one(of: Self.odd)
      fix.mode = reader.one(of: Fix.Mode.allCases)
    }
    return fix
  }

  // MARK: Rules

  /// Fences that come, go and change; the ids are few, so that some stay.
  private mutating func changeRules() {
    var fences: [Fence] = []
    for id in 0..<6 where reader.below(3) > 0 {
      guard let area = area() else { continue }
      var fence = Fence(id: "f\(id)", area: area)
      fence.decision = reader.one(of: Decision.allCases)
      fence.notifications = Fence.Notifications(rawValue: reader.byte() & 7)
      fence.dwell = reader.one(of: [nil, 60_000_000_000, 1, 3_600_000_000_000, .max, 0])
      fence.initial = reader.one(of: Fence.Initial.allCases)
      fences.append(fence)
    }
    let kept = rules.fences.filter { fence in !fences.contains { $0.id == fence.id } }
    if reader.below(2) == 0 { fences += kept }
    // The ids differ.
    rules.fences = (try? FenceSet(fences)) ?? FenceSet()
    rules.visits = reader.below(4) == 0 ? nil : VisitRules()
    rules.significantChanges = reader.below(4) == 0 ? nil : SignificantChangeRules()
  }

  private mutating func area() -> Area? {
    let center = Coordinate(
      latitude: min(90, max(-90, home.latitude + reader.signed() * 1e-5)),
      longitude: Self.wrapped(
        home.longitude + reader.signed() * 1e-5 / max(Self.cosine(home), 0.01)))
    let radius = reader.one(of: [100, 50, 200, 1_000, 10, 20_000, 0.5, 400])
    guard reader.below(3) == 0 else { return .circle(Circle(center: center, radius: radius)) }
    let count = 3 + reader.below(6)
    let ring = (0..<count).map { corner in
      center.destination(
        bearing: Double(corner) * 360 / Double(count),
        distance: radius * (0.2 + Double(reader.byte()) / 256))
    }
    return (try? Polygon(exterior: ring, holes: [])).map { .polygons([$0]) }
  }
}
