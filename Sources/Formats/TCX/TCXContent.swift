import Geodesy
internal import Text
import Traces
import Tracking

/// Garmin's Training Center Database, version 2: what watches and services for sports export.
///
/// The tracks of activities are tracks; those of courses are planned routes. A point without a position
/// is counted as another record.
struct TCXContent: XMLTraceContent {
  enum Element: XMLTraceElement {
    case root
    /// An element around tracks.
    case container
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
  private var fix = NDJSONRecord.blank
  private var line = 0
  private var zoneNote = ZoneNote()

  static func element(_ name: XMLName, in parent: Element) -> Element {
    switch parent {
    case .root, .container: containers[name] ?? .other
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

  private static let nameName = XMLName("Name")
  private static let trackName = XMLName("Track")
  private static let pointName = XMLName("Trackpoint")
  private static let speedName = XMLName("Speed")
  private static let containers: [XMLName: Element] = [
    XMLName("Activities"): .container, XMLName("MultiSportSession"): .container,
    XMLName("FirstSport"): .container, XMLName("NextSport"): .container,
    XMLName("Activity"): .container, XMLName("Lap"): .container,
    XMLName("Courses"): .container, XMLName("Course"): .course, trackName: .track,
    XMLName("Creator"): .producer, XMLName("Author"): .producer,
  ]
  private static let point: [XMLName: Element] = [
    XMLName("Time"): .field(.time), XMLName("Position"): .position,
    XMLName("AltitudeMeters"): .field(.altitude), XMLName("Extensions"): .extensions,
  ]
  private static let position: [XMLName: Element] = [
    XMLName("LatitudeDegrees"): .field(.latitude), XMLName("LongitudeDegrees"): .field(.longitude),
  ]

  mutating func begin(
    _ element: Element, name: String?, line: Int, into batch: inout TraceBatch
  ) {
    switch element {
    case .track:
      batch.mark(.track(name: nil))
      batch.mark(.segment)
    case .course: batch.mark(.route(name: nil))
    case .point, .coursePoint: (fix, self.line) = (NDJSONRecord.blank, line)
    case .root, .container, .courseTrack, .position, .extensions, .field, .producer, .producerName,
      .other:
      break
    }
  }

  mutating func read(
    _ element: Element, _ text: borrowing Span<UInt8>, into batch: inout TraceBatch
  ) -> String? {
    if case .producerName = element { producer = producer ?? GPXText.name(text) }
    guard case .field(let field) = element, !text.isEmpty else { return nil }
    if field == .time {
      fix.time = RFC3339.parse(text)
      if fix.time != nil { zoneNote.look(at: text, into: &batch) }
      return fix.time == nil ? "a time such as 2024-02-29T12:00:00Z" : nil
    }
    guard let number = DecimalNumber.parse(text), fix.set(field, number) else {
      return field.expectation
    }
    return nil
  }

  mutating func end(_ element: Element, into batch: inout TraceBatch) -> String? {
    let hasPosition = !fix.coordinate.latitude.isNaN && !fix.coordinate.longitude.isNaN
    switch element {
    case .point where hasPosition: batch.points.append(TracePoint(fix: fix, line: line))
    case .coursePoint where hasPosition: batch.mark(.routePoint(fix.coordinate))
    case .point, .coursePoint: batch.mark(.otherRecord)
    case .root, .container, .course, .track, .courseTrack, .position, .extensions, .field,
      .producer,
      .producerName, .other:
      break
    }
    return nil
  }
}
