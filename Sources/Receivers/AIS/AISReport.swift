internal import Geodesy
internal import Text
internal import Traces

/// What a message of AIS says of a ship: its position, its name, or both.
///
/// gpsd reports messages in their own units or scaled (gpsd_json(5)); both give the same report. Types 1, 2, 3,
/// 18, 19 and 27 have a position, types 5, 19 and 24 a name; the others are not read. Units and values for
/// «not available» are those of ITU-R M.1371-5, annex 8.
struct AISReport: Sendable, Hashable {
  /// A position, as far as the ship knows it.
  struct Position: Sendable, Hashable {
    /// Nil when the ship does not know where it is.
    var coordinate: Coordinate?
    /// Metres per second over ground.
    var speed: Double?
    /// Degrees clockwise from true north, over ground.
    var course: Double?
    /// The second of the UTC minute; nil when the message does not say it.
    var second: Int?
    /// The 68 % radius, metres.
    var accuracy: Double
  }

  var mmsi: Int
  /// Nil in a message without one.
  var position: Position?
  /// Nil in a message without one.
  var name: String?

  /// The numbers of ships and of everything else that sends.
  static let numbers = 1...999_999_999

  /// Reads a line of class AIS; nil when its type is not read.
  ///
  /// - Throws: ``JSONError`` when a field is missing, of another kind than gpsd writes, or out of range.
  init?(reading line: Span<UInt8>) throws(JSONError) {
    guard let type = try Self.type(of: line), Self.types.contains(type) else { return nil }
    var fields = Fields(type: type)
    var members = try GPSDMembers(of: line)
    while try members.next(in: line) { try fields.take(&members, line) }
    mmsi = fields.mmsi
    guard Self.numbers.contains(mmsi) else {
      throw JSONError(
        offset: 0, message: "found an AIS message without mmsi, expected its number")
    }
    if fields.hasPosition { position = try fields.position }
    name = fields.name
  }

  private static let types: Set = [1, 2, 3, 5, 18, 19, 24, 27]

  private static func type(of line: Span<UInt8>) throws(JSONError) -> Int? {
    var members = try GPSDMembers(of: line)
    var type: Int?
    while try members.next(in: line) {
      if members.name == GPSDName("type") {
        type = try members.integer(in: line)
      } else {
        try members.skip(in: line)
      }
    }
    return type
  }
}

/// The fields of a message, as gpsd writes them.
private struct Fields {
  let type: Int
  var mmsi = 0
  var name: String?
  private var isScaled: Bool?
  private var (latitude, longitude) = (Double.nan, Double.nan)
  private var (speed, course) = (Double.nan, Double.nan)
  private var second: Int?
  private var isPrecise = false

  /// A name has twenty characters.
  private static let longestName = 20

  init(type: Int) { self.type = type }

  var hasPosition: Bool { type != 5 && type != 24 }
  private var hasName: Bool { type == 5 || type == 19 || type == 24 }
  /// A message for satellites, in coarser units.
  private var isLongRange: Bool { type == 27 }

  mutating func take(_ members: inout GPSDMembers, _ line: Span<UInt8>) throws(JSONError) {
    switch members.name {
    case GPSDName("mmsi"):
      mmsi = try members.integer(in: line, within: AISReport.numbers) ?? 0
    case GPSDName("scaled"): isScaled = try members.flag(in: line)
    case GPSDName("shipname") where hasName:
      let text = try members.text(in: line) ?? ""
      let words = text.withoutControls.split(separator: " ").joined(separator: " ")
      let name = String(words.prefix(Self.longestName))
      self.name = name.isEmpty ? nil : name
    case GPSDName("lat") where hasPosition: latitude = try members.number(in: line)
    case GPSDName("lon") where hasPosition: longitude = try members.number(in: line)
    case GPSDName("speed") where hasPosition:
      // As gpsd writes 102.2 knots or more, and a speed that the ship does not know.
      speed = try members.number(in: line, or: "nan", "fast")
    case GPSDName("course") where hasPosition: course = try members.number(in: line)
    case GPSDName("second") where hasPosition:
      second = try members.integer(in: line, within: 0...63)
    case GPSDName("accuracy") where hasPosition:
      isPrecise = try members.flag(in: line) ?? false
    default: try members.skip(in: line)
    }
  }

  var position: AISReport.Position {
    get throws(JSONError) {
      guard let isScaled, !latitude.isNaN, !longitude.isNaN else {
        throw JSONError(
          offset: 0, message: "found an AIS position without scaled, lat or lon, expected all three"
        )
      }
      // Parts of a degree, as in the message.
      let parts = isLongRange ? 600.0 : 600_000
      func units(_ degrees: Double) -> Double { isScaled ? (degrees * parts).rounded() : degrees }
      let (north, east) = (units(latitude), units(longitude))
      var position = AISReport.Position(accuracy: accuracy(north, east, isScaled))
      if north != 91 * parts, east != 181 * parts {
        position.coordinate = Coordinate(latitude: north / parts, longitude: east / parts)
      }
      let tenths = isScaled && !isLongRange ? 10.0 : 1
      let knots = (speed * tenths).rounded()
      if knots < (isLongRange ? 63 : 1_022) {
        position.speed = knots * 1_852 / (isLongRange ? 3_600 : 36_000)
      }
      let direction = (course * tenths).rounded()
      if direction < (isLongRange ? 360 : 3_600) {
        position.course = isLongRange ? direction : direction / 10
      }
      position.second = second.flatMap { $0 < 60 ? $0 : nil }
      return position
    }
  }

  /// The 68 % radius of the position.
  ///
  /// The flag means an error of at most 10 m, or more, for 95 % of the positions (M.1371-5, table 47). What more
  /// means is not said, and ships with plain GPS, some of a few metres, do not set it: 30 m stand for it. A
  /// message of type 27 has a tenth of a minute, of which gpsd 3.22, when it scales, leaves a tenth of a degree.
  private func accuracy(_ north: Double, _ east: Double, _ isScaled: Bool) -> Double {
    let radius = Accuracy.radius(from95: isPrecise ? 10 : 30)
    guard isLongRange else { return radius }
    let isCut =
      isScaled && north.truncatingRemainder(dividingBy: 60) == 0
      && east.truncatingRemainder(dividingBy: 60) == 0
    let grid = Accuracy.radius(grid: Self.tenthOfMinute * (isCut ? 60 : 1))
    return (radius * radius + grid * grid).squareRoot()
  }

  /// Metres.
  private static let tenthOfMinute = 185.2
}
