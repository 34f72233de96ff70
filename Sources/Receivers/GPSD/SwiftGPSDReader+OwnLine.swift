internal import Geodesy
internal import Text
internal import Traces
package import Estimation

/// The lines of a recording that are not gpsd's.
extension SwiftGPSDReader {
  /// Whether a decoder takes a line for one that a recording has beside gpsd's; its end may be bad.
  package static func isOwnLine(_ line: Span<UInt8>) -> Bool {
    var place = ReceiverLine(number: 1, isCut: false)
    guard place.find(in: line) == .object else { return false }
    let object = line.extracting(place.content)
    guard var members = try? GPSDMembers(of: object) else { return false }
    while (try? members.next(in: object)) == true {
      if members.name == GPSDName("class") {
        return (try? members.className(in: object)) == GPSDName("WAYMARK")
      }
      guard (try? members.skip(in: object)) != nil else { return false }
    }
    return false
  }

  /// A line of a recording that is not gpsd's.
  static func ownLine(
    _ members: inout GPSDMembers, _ line: Span<UInt8>
  ) throws(JSONError) -> GPSDReport {
    var (source, status) = (RecordedSource(), nil as SourceChange.Status?)
    var (change, anchor) = (SourceChange(.fix, time: nil), AnchorChange(.set))
    var action: AnchorChange.Action?
    var (latitude, longitude) = (Double.nan, Double.nan)
    var (deadline, isHeader) = (nil as Timestamp?, false)
    var (fix, isForgotten, isRestart) = (nil as Fix?, false, false)
    var (recording, number, isContinued) = (nil as String?, nil as Int?, false)
    while try members.next(in: line) {
      switch members.name {
      case GPSDName("device"): source.device = try members.text(in: line)
      case GPSDName("status"):
        status = try members.text(in: line).flatMap(SourceChange.Status.init)
      case GPSDName("time"): change.time = try members.time(in: line)
      case GPSDName("reason"): change.reason = try members.text(in: line)
      case GPSDName("anchor"):
        action = try members.text(in: line).flatMap(AnchorChange.Action.init)
      case GPSDName("fence"): anchor.fence = try members.text(in: line)
      case GPSDName("lat"): latitude = try members.number(in: line)
      case GPSDName("lon"): longitude = try members.number(in: line)
      case GPSDName("radius"): anchor.radius = try members.knownNumber(in: line)
      case GPSDName("bearing"): anchor.bearing = try members.knownNumber(in: line)
      case GPSDName("distance"): anchor.distance = try members.knownNumber(in: line)
      case GPSDName("deadline"):
        deadline = try members.text(in: line).flatMap { Int64($0) }
          .map(Timestamp.init(nanoseconds:))
      case GPSDName("fix"): fix = try ownFix(&members, line)
      case GPSDName("ais"): source.hasShips = try members.flag(in: line) ?? false
      case GPSDName("id"): recording = try members.text(in: line)
      case GPSDName("start"):
        source.start = try members.text(in: line).flatMap { UInt64($0, radix: 16) }
      case GPSDName("part"): number = try members.integer(in: line)
      case .none where members.key.equals("continued", in: line):
        isContinued = try members.flag(in: line) ?? false
      case .none where members.key.equals("simulated", in: line):
        source.allowsSimulated = try members.flag(in: line) ?? false
      case .none where members.key.equals("forgotten", in: line):
        isForgotten = true
        try members.skip(in: line)
      case .none where members.key.equals("restarted", in: line):
        isRestart = true
        try members.skip(in: line)
      case .none where members.key.equals("recording", in: line):
        isHeader = true
        try members.skip(in: line)
      default: try members.skip(in: line)
      }
    }
    if isRestart { return .restarted }
    if let fix { return .fix(fix) }
    if let action {
      (anchor.action, anchor.time) = (action, change.time)
      let center = Coordinate(latitude: latitude, longitude: longitude)
      anchor.center = center.isValid ? center : nil
      return .anchor(anchor)
    }
    guard let status else {
      guard !isHeader, let device = source.device else {
        source.part = RecordingPart(
          recording: recording, number: number, isContinued: isContinued)
        return .recording(source)
      }
      return isForgotten ? .forgotten(device: device) : .source(device: device, deadline: deadline)
    }
    change.status = status
    return .change(change)
  }

  /// The numbers of a position in a recording, with their keys.
  package static var fixNumbers: [(key: StaticString, number: WritableKeyPath<Fix, Double?>)] {
    [
      ("acc", \.horizontalAccuracy), ("alt", \.altitude), ("vac", \.verticalAccuracy),
      ("speed", \.speed), ("sac", \.speedAccuracy), ("course", \.course),
      ("cac", \.courseAccuracy), ("hdop", \.hdop), ("vdop", \.vdop), ("pdop", \.pdop),
      ("altHAE", \.ellipsoidalAltitude),
    ]
  }

  /// The position that is the value of a member.
  private static func ownFix(
    _ members: inout GPSDMembers, _ line: Span<UInt8>
  ) throws(JSONError) -> Fix? {
    var fix: Fix?
    _ = try members.forEachObject(in: line) { member throws(JSONError) in
      var found = Fix(time: nil, coordinate: Coordinate(latitude: .nan, longitude: .nan))
      while try member.next(in: line) {
        switch member.name {
        case GPSDName("time"): found.time = try member.time(in: line)
        case GPSDName("lat"): found.coordinate.latitude = try member.number(in: line)
        case GPSDName("lon"): found.coordinate.longitude = try member.number(in: line)
        case GPSDName("sat"): found.satellites = try member.integer(in: line)
        case let name:
          if let (_, path) = fixNumbers.first(where: { GPSDName($0.key) == name }) {
            found[keyPath: path] = try member.knownNumber(in: line)
          } else {
            try member.skip(in: line)
          }
        }
      }
      fix = found
    }
    return fix
  }
}
