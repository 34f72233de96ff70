import Geodesy
package import Text
import Traces
import Estimation

/// Reads lines of gpsd's JSON (gpsd_json(5), gpsd 3.0 and later) in Swift alone.
///
/// Strict where it matters: a line is one complete and valid JSON object with a class, and a field
/// that is read has the kind of value that gpsd writes. Tolerant otherwise: keys in any order,
/// blanks, unknown keys and classes with values of any kind, null for unknown values, numbers in
/// quotes. Of a repeated key the last value counts, of `class` the first.
///
/// - Complexity: O(n) for n bytes; TPV and SKY as gpsd writes them need no allocation.
package struct SwiftGPSDReader: GPSDLineReader {
  private var shapes = GPSDShapes()

  package init() {}

  package mutating func read(_ line: Span<UInt8>) throws(JSONError) -> GPSDReport {
    if let position = shapes.read(line) { return .position(position) }
    let report = try Self.readInFull(line)
    if case .position = report { shapes.learn(line) }
    return report
  }

  /// Reads a line member by member.
  static func readInFull(_ line: Span<UInt8>) throws(JSONError) -> GPSDReport {
    var members = try GPSDMembers(of: line)
    guard try members.next(in: line) else { throw withoutClass(line) }
    if members.name == GPSDName("class") {
      return try report(of: members.className(in: line), &members, line)
    }
    // The class decides the meaning of the other keys, and gpsd writes it first; otherwise the line
    // is parsed twice.
    var ahead = members
    try ahead.skip(in: line)
    while try ahead.next(in: line) {
      guard ahead.name == GPSDName("class") else {
        try ahead.skip(in: line)
        continue
      }
      members = try GPSDMembers(of: line)
      return try report(of: ahead.className(in: line), &members, line)
    }
    throw withoutClass(line)
  }

  /// The path of the line's receiver, for messages; nil when the line names none.
  package static func devicePath(in line: Span<UInt8>) -> String? {
    guard var members = try? GPSDMembers(of: line) else { return nil }
    while (try? members.next(in: line)) == true {
      if members.name == GPSDName("device") || members.name == GPSDName("path") {
        return try? members.text(in: line)
      }
      guard (try? members.skip(in: line)) != nil else { return nil }
    }
    return nil
  }

  private static func withoutClass(_ line: Span<UInt8>) -> JSONError {
    JSONError(offset: 0, message: "found an object without class, expected a report of gpsd")
  }

  /// Reads the rest of `members`, which is all of the line except the class.
  private static func report(
    of name: GPSDName?, _ members: inout GPSDMembers, _ line: Span<UInt8>
  ) throws(JSONError) -> GPSDReport {
    switch name {
    case GPSDName("TPV"): return .position(try position(&members, line))
    case GPSDName("SKY"): return .sky(try sky(&members, line))
    case GPSDName("ATT"): return .attitude(try attitude(&members, line))
    case GPSDName("VERSION"): return .version(try version(&members, line))
    case GPSDName("DEVICES"): return .devices(count: try deviceCount(&members, line))
    case GPSDName("DEVICE"): return try device(&members, line)
    case GPSDName("WATCH"): return .watch(isEnabled: try isEnabled(&members, line))
    case GPSDName("ERROR"): return .error(try text(of: GPSDName("message"), &members, line) ?? "")
    case GPSDName("WAYMARK"):
      return try ownLine(&members, line)
    case nil: throw withoutClass(line)
    default:
      while try members.next(in: line) { try members.skip(in: line) }
      return name == GPSDName("AIS") ? .ais : .other
    }
  }

  // MARK: TPV

  private static func position(
    _ members: inout GPSDMembers, _ line: Span<UInt8>
  ) throws(JSONError) -> GPSDPosition {
    var position = GPSDPosition()
    // Before gpsd 3.20 there was only `alt`; now it has the value of altMSL, and is deprecated.
    var oldAltitude = Double.nan
    while try members.next(in: line) {
      switch members.name {
      case GPSDName("device"): position.device = try members.device(in: line)
      case GPSDName("mode"): position.mode = try members.integer(in: line) ?? 0
      case GPSDName("status"): position.status = try members.integer(in: line) ?? 0
      case GPSDName("time"): position.time = try members.time(in: line)
      case GPSDName("lat"): position.latitude = try members.number(in: line)
      case GPSDName("lon"): position.longitude = try members.number(in: line)
      case GPSDName("altHAE"): position.ellipsoidalAltitude = try members.number(in: line)
      case GPSDName("altMSL"): position.altitude = try members.number(in: line)
      case GPSDName("alt"): oldAltitude = try members.number(in: line)
      case GPSDName("speed"): position.speed = try members.number(in: line)
      case GPSDName("track"): position.course = try members.number(in: line)
      case GPSDName("eph"): position.horizontalError = try members.number(in: line)
      case GPSDName("epx"): position.longitudeError = try members.number(in: line)
      case GPSDName("epy"): position.latitudeError = try members.number(in: line)
      case GPSDName("epv"): position.verticalError = try members.number(in: line)
      case GPSDName("epd"): position.courseError = try members.number(in: line)
      case GPSDName("magvar"): position.variation = try members.number(in: line)
      default: try members.skip(in: line)
      }
    }
    if position.altitude.isNaN { position.altitude = oldAltitude }
    return position
  }

  // MARK: SKY

  private static func sky(
    _ members: inout GPSDMembers, _ line: Span<UInt8>
  ) throws(JSONError) -> GPSDSky {
    var sky = GPSDSky()
    var counted: (used: Int, visible: Int)?
    while try members.next(in: line) {
      switch members.name {
      case GPSDName("device"): sky.device = try members.device(in: line)
      case GPSDName("hdop"): sky.hdop = try members.number(in: line)
      case GPSDName("vdop"): sky.vdop = try members.number(in: line)
      case GPSDName("pdop"): sky.pdop = try members.number(in: line)
      case GPSDName("uSat"): sky.satellitesUsed = try members.integer(in: line)
      case GPSDName("nSat"): sky.satellitesVisible = try members.integer(in: line)
      case .none where members.key.equals("satellites", in: line):
        counted = try satellites(&members, line)
      default: try members.skip(in: line)
      }
    }
    if let counted { (sky.satellitesUsed, sky.satellitesVisible) = counted }
    return sky
  }

  /// Counts the satellites in the list; does not rely on the counts beside it, which came with gpsd
  /// 3.20.
  ///
  /// Nil without a list.
  private static func satellites(
    _ members: inout GPSDMembers, _ line: Span<UInt8>
  ) throws(JSONError) -> (used: Int, visible: Int)? {
    var (used, visible) = (0, 0)
    let hasList = try members.forEachObject(in: line) { satellite throws(JSONError) in
      var isUsed = false
      while try satellite.next(in: line) {
        if satellite.name == GPSDName("used") {
          isUsed = try satellite.flag(in: line) ?? false
        } else {
          try satellite.skip(in: line)
        }
      }
      visible += 1
      if isUsed { used += 1 }
    }
    return hasList ? (used, visible) : nil
  }

  // MARK: ATT

  private static func attitude(
    _ members: inout GPSDMembers, _ line: Span<UInt8>
  ) throws(JSONError) -> GPSDAttitude {
    var attitude = GPSDAttitude()
    var (x, y, z) = (Double.nan, Double.nan, Double.nan)
    while try members.next(in: line) {
      switch members.name {
      case GPSDName("device"): attitude.device = try members.device(in: line)
      case GPSDName("time"): attitude.time = try members.time(in: line)
      case GPSDName("heading"): attitude.geographic = try members.number(in: line)
      case GPSDName("mheading"): attitude.magnetic = try members.number(in: line)
      case GPSDName("mag_st"):
        let status = try members.text(in: line) ?? ""
        attitude.isReliable = !["C", "L", "P", "V"].contains(status)
      case GPSDName("mag_x"): x = try members.number(in: line)
      case GPSDName("mag_y"): y = try members.number(in: line)
      case GPSDName("mag_z"): z = try members.number(in: line)
      default: try members.skip(in: line)
      }
    }
    if x.isFinite, y.isFinite, z.isFinite { attitude.field = Heading.Field(x: x, y: y, z: z) }
    return attitude
  }

  // MARK: The rest

  private static func version(
    _ members: inout GPSDMembers, _ line: Span<UInt8>
  ) throws(JSONError) -> GPSDVersion {
    var version = GPSDVersion(release: "", major: 0, minor: 0)
    while try members.next(in: line) {
      if members.name == GPSDName("release") {
        version.release = try members.text(in: line) ?? ""
      } else if members.key.equals("proto_major", in: line) {
        version.major = try members.integer(in: line) ?? 0
      } else if members.key.equals("proto_minor", in: line) {
        version.minor = try members.integer(in: line) ?? 0
      } else {
        try members.skip(in: line)
      }
    }
    return version
  }

  private static func deviceCount(
    _ members: inout GPSDMembers, _ line: Span<UInt8>
  ) throws(JSONError) -> Int {
    var count = 0
    while try members.next(in: line) {
      guard members.name == GPSDName("devices") else {
        try members.skip(in: line)
        continue
      }
      count = 0
      try members.forEachObject(in: line) { device throws(JSONError) in
        while try device.next(in: line) { try device.skip(in: line) }
        count += 1
      }
    }
    return count
  }

  /// A receiver that is not active has no `activated`, a removed one reports 0.
  private static func device(
    _ members: inout GPSDMembers, _ line: Span<UInt8>
  ) throws(JSONError) -> GPSDReport {
    var (key, isActive) = (GPSDDeviceKey.unnamed, false)
    while try members.next(in: line) {
      if members.name == GPSDName("path") {
        key = try members.device(in: line)
      } else if members.key.equals("activated", in: line) {
        isActive = try members.isSet(in: line)
      } else {
        try members.skip(in: line)
      }
    }
    return .device(key, isActive: isActive)
  }

  private static func isEnabled(
    _ members: inout GPSDMembers, _ line: Span<UInt8>
  ) throws(JSONError) -> Bool {
    var isEnabled = true
    while try members.next(in: line) {
      if members.name == GPSDName("enable") {
        isEnabled = try members.flag(in: line) ?? true
      } else {
        try members.skip(in: line)
      }
    }
    return isEnabled
  }

  private static func text(
    of name: GPSDName, _ members: inout GPSDMembers, _ line: Span<UInt8>
  ) throws(JSONError) -> String? {
    var text: String?
    while try members.next(in: line) {
      if members.name == name {
        text = try members.text(in: line)
      } else {
        try members.skip(in: line)
      }
    }
    return text
  }
}
