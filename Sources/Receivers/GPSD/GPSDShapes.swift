internal import Text
import Estimation

/// Reads the position reports with the shape of earlier reports (``RecordShapes``).
///
/// It reads only those for which ``SwiftGPSDReader`` would return the same, and leaves all others
/// to that.
struct GPSDShapes: Sendable {
  /// The kind of a value: one of these, or ``number`` and more for a ``Number``.
  private enum Kind {
    static let className: UInt8 = 1
    static let device: UInt8 = 2
    static let time: UInt8 = 3
    static let otherText: UInt8 = 4
    static let otherNumber: UInt8 = 5
    static let number: UInt8 = 16
  }

  /// The members of a TPV that are numbers.
  private enum Number: UInt8 {
    case mode, status, latitude, longitude, ellipsoidalAltitude, altitude, oldAltitude
    case speed, course, horizontalError, longitudeError, latitudeError, verticalError, courseError
    case variation

    init?(_ name: GPSDName) {
      switch name {
      case GPSDName("mode"): self = .mode
      case GPSDName("status"): self = .status
      case GPSDName("lat"): self = .latitude
      case GPSDName("lon"): self = .longitude
      case GPSDName("altHAE"): self = .ellipsoidalAltitude
      case GPSDName("altMSL"): self = .altitude
      case GPSDName("alt"): self = .oldAltitude
      case GPSDName("speed"): self = .speed
      case GPSDName("track"): self = .course
      case GPSDName("eph"): self = .horizontalError
      case GPSDName("epx"): self = .longitudeError
      case GPSDName("epy"): self = .latitudeError
      case GPSDName("epv"): self = .verticalError
      case GPSDName("epd"): self = .courseError
      case GPSDName("magvar"): self = .variation
      default: return nil
      }
    }
  }

  private var shapes = RecordShapes()

  /// The report of a line with a known shape; nil when the line must be read in full.
  mutating func read(_ line: borrowing Span<UInt8>) -> GPSDPosition? {
    guard shapes.isWorthTrying() else { return nil }
    let position = follow(line)
    shapes.note(hasRead: position != nil)
    return position
  }

  private func follow(_ line: borrowing Span<UInt8>) -> GPSDPosition? {
    var position = GPSDPosition()
    var oldAltitude = Double.nan
    // The kinds read so far: parts of several reports may combine to one without a class, or with a
    // member twice.
    var seen: UInt64 = 0
    var (at, node) = (0, 0)
    while let link = shapes.link(from: node, line, at) {
      at &+= link.length
      node = link.node
      guard node != 0 else {
        guard at == line.count, seen & (1 << Kind.className) != 0 else { return nil }
        if position.altitude.isNaN { position.altitude = oldAltitude }
        return position
      }
      let kind = shapes.kind(node)
      if kind != Kind.otherText, kind != Kind.otherNumber {
        guard seen & (1 << kind) == 0 else { return nil }
        seen |= 1 << kind
      }
      switch kind {
      case Kind.className:
        guard at &+ 3 < line.count, line.extracting(at..<at &+ 3).equals("TPV") else { return nil }
        at &+= 3
      case Kind.device:
        let start = at
        at = JSONPlain.textEnd(line, at)
        position.device = GPSDDeviceKey(path: line.extracting(start..<at))
      case Kind.time:
        guard let time = RFC3339.scan(line, &at) else { return nil }
        position.time = time
      case Kind.otherText: at = JSONPlain.textEnd(line, at)
      default:
        guard let value = JSONPlain.number(line, &at) else { return nil }
        guard kind >= Kind.number else { continue }
        guard let number = Number(rawValue: kind &- Kind.number),
          Self.set(number, value, &position, &oldAltitude)
        else { return nil }
      }
    }
    return nil
  }

  @inline(__always)
  private static func set(
    _ number: Number, _ value: Double, _ position: inout GPSDPosition, _ oldAltitude: inout Double
  ) -> Bool {
    switch number {
    case .mode, .status:
      guard let whole = Int(exactly: value) else { return false }
      if number == .mode { position.mode = whole } else { position.status = whole }
    case .latitude: position.latitude = value
    case .longitude: position.longitude = value
    case .ellipsoidalAltitude: position.ellipsoidalAltitude = value
    case .altitude: position.altitude = value
    case .oldAltitude: oldAltitude = value
    case .speed: position.speed = value
    case .course: position.course = value
    case .horizontalError: position.horizontalError = value
    case .longitudeError: position.longitudeError = value
    case .latitudeError: position.latitudeError = value
    case .verticalError: position.verticalError = value
    case .courseError: position.courseError = value
    case .variation: position.variation = value
    }
    return true
  }

  /// Learns the shape of a line that was read as a TPV.
  mutating func learn(_ line: borrowing Span<UInt8>) {
    shapes.learn(object: line) { member, line in
      let name = GPSDName(member.key, in: line)
      if name == GPSDName("class") { return member.isText ? Kind.className : nil }
      if name == GPSDName("device") { return member.isText ? Kind.device : nil }
      if name == GPSDName("time") { return member.isText ? Kind.time : nil }
      guard let number = Number(name) else {
        return member.isText ? Kind.otherText : Kind.otherNumber
      }
      return member.isText ? nil : Kind.number + number.rawValue
    }
  }
}
