import Geodesy
internal import Text
import Traces
import Tracking

/// Garmin's Training Center Database, version 2: what watches and services for sports export.
///
/// An activity is a track, whose tracks are its segments; that of a lap goes on with the one before, if no
/// pause is between them. The tracks of courses are planned routes. A point without a position is counted
/// as another record.
struct TCXContent: XMLTraceContent {
  enum Element: XMLTraceElement {
    case root
    /// An element around tracks.
    case container
    case activity, lap
    case course
    case track, courseTrack
    case point, coursePoint, position, extensions
    case field(FixField)
    /// The device of an activity or the program that wrote the file, and its name.
    case producer, producerName
    /// An unknown element, with all its contents.
    case other

    var text: XMLTraceText {
      switch self {
      case .field, .producerName: .whole
      default: .none
      }
    }
  }

  static var root: (name: String, element: Element) { ("TrainingCenterDatabase", .root) }

  /// The device, which comes before the program.
  private(set) var producer: String?
  private var hasPositions = false
  private var fix = NDJSONRecord.blank
  private var line = 0
  private var zoneNote = ZoneNote()
  private var isTrackOpen = false
  /// Whether a lap began after the last track.
  private var isLapNew = false
  /// Whether the next fix begins a segment if a pause is before it.
  private var mayFollowPause = false
  /// The last time of the activity; nil before the first.
  private var lastTime: Timestamp?

  /// Between the fixes of two laps is a pause if they are farther apart, seconds: receivers that save
  /// memory keep one fix in half a minute.
  private static let leastPause = 60.0

  static func code(ofText element: Element) -> IssueCode {
    if case .field(let field) = element { field.code } else { .wrongValue }
  }

  static func element(_ name: ShortName, in parent: Element) -> Element {
    switch parent {
    case .root, .container, .activity, .lap: containers[name] ?? .other
    case .course: name == trackName ? .courseTrack : .other
    case .track: name == pointName ? .point : .other
    case .courseTrack: name == pointName ? .coursePoint : .other
    case .point, .coursePoint: point[name] ?? .other
    case .position: position[name] ?? .other
    // Speed in TPX, at any depth.
    case .extensions: name == speedName ? .field(.speed) : .extensions
    case .producer: name == nameName ? .producerName : .other
    case .field, .producerName, .other: .other
    }
  }

  private static let nameName = ShortName("Name")
  private static let trackName = ShortName("Track")
  private static let pointName = ShortName("Trackpoint")
  private static let speedName = ShortName("Speed")
  private static let containers: [ShortName: Element] = [
    ShortName("Activities"): .container, ShortName("MultiSportSession"): .container,
    ShortName("FirstSport"): .container, ShortName("NextSport"): .container,
    ShortName("Activity"): .activity, ShortName("Lap"): .lap,
    ShortName("Courses"): .container, ShortName("Course"): .course, trackName: .track,
    ShortName("Creator"): .producer, ShortName("Author"): .producer,
  ]
  private static let point: [ShortName: Element] = [
    ShortName("Time"): .field(.time), ShortName("Position"): .position,
    ShortName("AltitudeMeters"): .field(.altitude), ShortName("Extensions"): .extensions,
  ]
  private static let position: [ShortName: Element] = [
    ShortName("LatitudeDegrees"): .field(.latitude),
    ShortName("LongitudeDegrees"): .field(.longitude),
  ]

  mutating func begin(
    _ element: Element, name: String?, line: Int, into batch: inout TraceBatch
  ) {
    switch element {
    case .activity: (isTrackOpen, lastTime, mayFollowPause) = (false, nil, false)
    case .lap: isLapNew = true
    case .track: beginTrack(into: &batch)
    case .course: batch.mark(.route(name: nil))
    case .point, .coursePoint: (fix, self.line) = (NDJSONRecord.blank, line)
    case .position where !fix.coordinate.latitude.isNaN:
      // Only the last of several positions is of the point's time.
      batch.mark(.otherRecord)
    case .root, .container, .courseTrack, .position, .extensions, .field, .producer, .producerName,
      .other:
      break
    }
  }

  private mutating func beginTrack(into batch: inout TraceBatch) {
    mayFollowPause = isTrackOpen && isLapNew
    if !isTrackOpen { batch.mark(.track(name: nil)) }
    if !mayFollowPause { batch.mark(.segment) }
    (isTrackOpen, isLapNew) = (true, false)
  }

  private mutating func add(_ batch: inout TraceBatch) {
    if mayFollowPause, let lastTime, let time = fix.time,
      abs(time.seconds(since: lastTime)) > Self.leastPause
    {
      batch.mark(.segment)
    }
    mayFollowPause = false
    lastTime = fix.time ?? lastTime
    batch.points.append(TracePoint(fix: fix, line: line))
  }

  mutating func read(
    _ element: Element, _ text: borrowing Span<UInt8>, into batch: inout TraceBatch
  ) -> String? {
    if case .producerName = element { producer = producer ?? GPXText.name(text) }
    guard case .field(let field) = element, !text.isEmpty else { return nil }
    if field == .time {
      fix.time = RFC3339.parse(text)
      if fix.time != nil { zoneNote.look(at: text, into: &batch) }
      guard fix.time == nil else { return nil }
      return TimeText.expectation(for: text, "a time such as 2024-02-29T12:00:00Z")
    }
    guard let number = DecimalNumber.parse(text), fix.set(field, number) else {
      return field.expectation
    }
    return nil
  }

  mutating func end(_ element: Element, into batch: inout TraceBatch) -> String? {
    let hasPosition = !fix.coordinate.latitude.isNaN && !fix.coordinate.longitude.isNaN
    if hasPosition { hasPositions = true }
    switch element {
    case .root where !hasPositions: return "no point has a position: was the activity indoors?"
    case .point where hasPosition: add(&batch)
    case .coursePoint where hasPosition: batch.mark(.routePoint(fix.coordinate))
    case .point, .coursePoint: batch.mark(.otherRecord)
    case .root, .container, .activity, .lap, .course, .track, .courseTrack, .position, .extensions,
      .field, .producer, .producerName, .other:
      break
    }
    return nil
  }
}
