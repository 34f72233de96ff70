import Geodesy
internal import Text
import Traces
import Tracking

/// Google's timelines: the exports of Android and iOS, and Takeout's Semantic Location History and
/// `Timeline Edits.json`.
///
/// Paths, the ends of trips and the stays overlap in these files, so the fixes of all are put in
/// order (``TimelineWindow``). A stay is a fix at its place when it begins and when it ends.
struct GoogleTimelineContent: JSONTraceContent {
  /// What a place is of a segment.
  enum Place: Sendable {
    case stay, start, end
  }

  enum Element: JSONTraceElement {
    /// The document; of iOS it is an array of segments.
    case root
    case segments, segment
    /// A stay or a trip, with the members of all exports.
    case part
    case candidate, duration
    case level
    /// When the segment begins and ends.
    case start(JSONTime), end(JSONTime)
    case place(Place)
    /// An object around a path.
    case pathHolder
    case path, pathPoint
    /// Minutes from the beginning of the segment.
    case offset
    case waypoints, waypoint
    case signals, signal, position
    /// Latitude and longitude, as a text or as an object with two numbers.
    case point
    /// Places inside of a stay, and one that is not read: of those, or where a car was parked.
    case others, other
    /// A member of a place, of a point of a path, or of a raw signal.
    case field(JSONRecords.Field)

    var form: JSONTraceForm {
      switch self {
      case .root: .objectOrArray
      case .segments, .path, .waypoints, .signals, .others: .array
      case .level, .start, .end, .offset, .field: .plain
      case .place, .point: .any
      case .segment, .part, .candidate, .duration, .pathHolder, .pathPoint, .waypoint, .signal,
        .position, .other:
        .object
      }
    }
  }

  static var root: Element { .root }

  private var segment = GoogleTimelineSegment()
  /// The place, the point of a path or the raw signal that is read.
  private var record = FixRecord()
  private var offset: Double?
  private var window = TimelineWindow()
  /// No format of these has devices.
  private var devices = DeviceTable()
  /// Segments overlap, so no order shows which of two equal hours a time is of.
  private var times: CSVTimes

  init(_ options: ReadingOptions) {
    times = CSVTimes(form: .automatic, zone: options.zone).withoutOrder
  }

  mutating func member(_ key: JSONSlice, of parent: Element, _ bytes: Span<UInt8>) -> Element? {
    Self.members(of: parent)?[ShortName(key, bytes)]
  }

  func item(of parent: Element) -> Element? {
    switch parent {
    case .root, .segments: .segment
    case .path: .pathPoint
    case .waypoints: .waypoint
    case .signals: .signal
    case .others: .other
    default: nil
    }
  }

  func code(of element: Element) -> IssueCode {
    switch element {
    case .start, .end: .wrongTime
    case .offset, .place, .point: .wrongNumber
    case .field(let field): field.code
    case .level: .wrongValue
    default: .unknownRecord
    }
  }

  mutating func begin(_ element: Element, isArray: Bool, line: Int, into batch: inout TraceBatch) {
    switch element {
    case .segment: segment = GoogleTimelineSegment()
    case .place, .pathPoint, .waypoint, .position: (record, offset) = (FixRecord(line: line), nil)
    default: break
    }
    if case .place = element { segment.line = line }
  }

  mutating func read(
    _ element: Element, _ value: JSONToken, _ bytes: Span<UInt8>, into batch: inout TraceBatch
  ) -> String? {
    switch element {
    case .field(.time(let form)):
      let time = instant(form, value, bytes)
      record.set(time: time)
      return time == nil ? form.expectation(for: value, bytes) : nil
    case .field(let field): return record.read(field, value, bytes, &devices, &batch)
    case .point:
      return value == .null ? nil : record.read(.coordinates, value, bytes, &devices, &batch)
    case .place(let place):
      // Of iOS it is a text.
      guard value != .null else { return nil }
      record = FixRecord(line: segment.line)
      defer { segment.set(place, record.point) }
      return record.read(.coordinates, value, bytes, &devices, &batch)
    case .start(let form):
      segment.start = instant(form, value, bytes)
      return segment.start == nil ? form.expectation(for: value, bytes) : nil
    case .end(let form):
      segment.end = instant(form, value, bytes)
      return segment.end == nil ? form.expectation(for: value, bytes) : nil
    case .level:
      segment.level = value.number(bytes) ?? 0
      return nil
    case .offset:
      offset = value.number(bytes)
      return offset == nil ? "a number of minutes" : nil
    default: return nil
    }
  }

  /// The instant of a time, which may have no zone: programs that edit timelines leave it out.
  private mutating func instant(
    _ form: JSONTime, _ value: JSONToken, _ bytes: Span<UInt8>
  ) -> Timestamp? {
    guard let time = form.instant(value, bytes) else { return nil }
    let isLocal = value.plainBytes(bytes) { RFC3339.isWithoutZone($0) } ?? false
    return isLocal ? times.instant(ofLocal: time) : time
  }

  mutating func end(_ element: Element, into batch: inout TraceBatch) -> String? {
    switch element {
    case .place(let place): segment.set(place, record.point)
    case .pathPoint:
      guard let point = record.point else {
        batch.mark(.otherRecord)
        return nil
      }
      guard point.fix.time == nil else {
        window.add(point, from: .path, into: &batch)
        return nil
      }
      segment.add(point, after: offset ?? 0)
    case .waypoint:
      if let point = record.point { batch.mark(.routePoint(point.fix.coordinate)) }
    case .position:
      guard let point = record.point else { break }
      window.add(point, from: .signal, into: &batch)
    case .other: batch.mark(.otherRecord)
    case .segment: return segment.finish(&window, into: &batch)
    default: break
    }
    return nil
  }

  mutating func finish(into batch: inout TraceBatch) {
    window.finish(into: &batch)
    for note in times.notes(of: times.remarks) { batch.mark(.note(note)) }
  }
}

extension GoogleTimelineContent {
  private static func members(of parent: Element) -> [ShortName: Element]? {
    switch parent {
    case .root: document
    case .segment: segment
    case .part: part
    case .candidate: candidate
    case .duration: duration
    case .place, .pathPoint, .waypoint, .position, .point: fields
    case .pathHolder: paths
    case .signal: signal
    default: nil
    }
  }

  private static func names(_ members: KeyValuePairs<String, Element>) -> [ShortName: Element] {
    Dictionary(uniqueKeysWithValues: members.map { (ShortName($0.key), $0.value) })
  }

  private static let document = names([
    "semanticSegments": .segments, "timelineObjects": .segments, "rawSignals": .signals,
    "timelineEdits": .signals,
  ])
  private static let segment = names([
    "startTime": .start(.automatic), "endTime": .end(.automatic), "visit": .part, "activity": .part,
    "timelinePath": .path, "placeVisit": .part, "activitySegment": .part,
  ])
  private static let part = names([
    // Of the exports of Android and iOS.
    "topCandidate": .candidate, "hierarchyLevel": .level, "start": .place(.start),
    "end": .place(.end),
    // Of the Semantic Location History.
    "location": .place(.stay), "startLocation": .place(.start), "endLocation": .place(.end),
    "duration": .duration, "simplifiedRawPath": .pathHolder, "waypointPath": .pathHolder,
    "childVisits": .others, "parkingEvent": .other,
  ])
  private static let candidate = names(["placeLocation": .place(.stay)])
  // Of Timeline Edits.json, a signal is inside of two objects.
  private static let signal = names([
    "position": .position, "rawSignal": .signal, "signal": .signal,
  ])
  private static let duration = names([
    "startTimestamp": .start(.automatic), "startTimestampMs": .start(.milliseconds),
    "endTimestamp": .end(.automatic), "endTimestampMs": .end(.milliseconds),
  ])
  private static let paths = names(["points": .path, "waypoints": .waypoints])
  private static let fields = names([
    "latLng": .field(.coordinates), "LatLng": .field(.coordinates), "point": .point,
    "latitudeE7": .field(.degreesE7(.latitude)), "longitudeE7": .field(.degreesE7(.longitude)),
    "latE7": .field(.degreesE7(.latitude)), "lngE7": .field(.degreesE7(.longitude)),
    "time": .field(.time()), "timestamp": .field(.time()),
    "timestampMs": .field(.time(.milliseconds)),
    "durationMinutesOffsetFromStartTime": .offset,
    "accuracyMeters": .field(.number(.accuracy)),
    "accuracyMm": .field(.number(.accuracy, CSVUnit("millimetres", divisor: 1000))),
    "altitudeMeters": .field(.number(.altitude)),
    "speedMetersPerSecond": .field(.number(.speed)),
  ])
}
