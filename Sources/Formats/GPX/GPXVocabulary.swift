internal import Text

/// The supported elements of GPX 1.0 and 1.1, and of common extensions.
///
/// Names are local names: prefixes and namespaces differ between programs that mean the same.
enum GPXVocabulary {
  /// The meaning of an element whose text is read.
  enum Field: UInt8, Sendable {
    case name, time, altitude, mode, satellites
    case hdop, vdop, pdop
    case speed, course, accuracy, verticalAccuracy, speedAccuracy, courseAccuracy
    case ellipsoidalAltitude
    /// The device of a track, which only our own files name.
    case device
  }

  /// The meaning of an element in its context.
  enum Element: Sendable {
    case gpx, track, trackExtensions, segment, point, extensions, route, routePoint, waypoint
    case field(Field)
    /// An unknown element, with all its contents.
    case other
  }

  /// The meaning of the element `name` inside of `parent`.
  static func element(_ name: ShortName, in parent: Element) -> Element {
    switch parent {
    case .gpx: find(name, root)
    case .track: find(name, track)
    case .trackExtensions: name == deviceName ? .field(.device) : .other
    case .segment: name == trackPoint ? .point : .other
    case .point: find(name, point)
    case .extensions: find(name, extensions) ?? .extensions
    case .route: find(name, route)
    case .waypoint: name == nameName ? .field(.name) : .other
    case .routePoint, .field, .other: .other
    }
  }

  private typealias Table = [(name: ShortName, element: Element)]

  private static func find(_ name: ShortName, _ table: Table) -> Element? {
    for entry in table where entry.name == name { return entry.element }
    return nil
  }

  private static func find(_ name: ShortName, _ table: Table) -> Element {
    find(name, table) ?? .other
  }

  private static let trackPoint = ShortName("trkpt")
  private static let nameName = ShortName("name")
  private static let deviceName = ShortName("device")

  private static let root: Table = [
    (ShortName("trk"), .track), (ShortName("wpt"), .waypoint), (ShortName("rte"), .route),
  ]
  private static let track: Table = [
    (ShortName("trkseg"), .segment), (nameName, .field(.name)),
    (ShortName("extensions"), .trackExtensions),
    // Against the schema, but the point is valid otherwise.
    (trackPoint, .point),
  ]
  private static let route: Table = [
    (ShortName("rtept"), .routePoint), (nameName, .field(.name)),
  ]
  /// GPX 1.1 wptType, and speed and course of GPX 1.0.
  private static let point: Table = [
    (ShortName("ele"), .field(.altitude)), (ShortName("time"), .field(.time)),
    (ShortName("extensions"), .extensions), (ShortName("speed"), .field(.speed)),
    (ShortName("course"), .field(.course)), (ShortName("hdop"), .field(.hdop)),
    (ShortName("vdop"), .field(.vdop)), (ShortName("pdop"), .field(.pdop)),
    (ShortName("sat"), .field(.satellites)), (ShortName("fix"), .field(.mode)),
  ]
  /// Garmin TrackPointExtension v2 (speed, course, bearing), OsmAnd, OpenTracks, GPSLogger and others.
  private static let extensions: Table = [
    (ShortName("speed"), .field(.speed)), (ShortName("course"), .field(.course)),
    (ShortName("bearing"), .field(.course)), (ShortName("direction"), .field(.course)),
    (ShortName("accuracy"), .field(.accuracy)), (ShortName("hacc"), .field(.accuracy)),
    (ShortName("hAcc"), .field(.accuracy)), (ShortName("horizontalAccuracy"), .field(.accuracy)),
    (ShortName("accuracy_horizontal"), .field(.accuracy)),
    (ShortName("accuracy_vertical"), .field(.verticalAccuracy)),
    (ShortName("vacc"), .field(.verticalAccuracy)), (ShortName("vAcc"), .field(.verticalAccuracy)),
    (ShortName("verticalAccuracy"), .field(.verticalAccuracy)),
    (ShortName("speedAccuracy"), .field(.speedAccuracy)),
    (ShortName("courseAccuracy"), .field(.courseAccuracy)),
    (ShortName("ellipsoidalAltitude"), .field(.ellipsoidalAltitude)),
    (ShortName("hdop"), .field(.hdop)), (ShortName("vdop"), .field(.vdop)),
    (ShortName("pdop"), .field(.pdop)), (ShortName("sat"), .field(.satellites)),
  ]
}

extension GPXVocabulary.Element {
  var isWaypoint: Bool {
    if case .waypoint = self { true } else { false }
  }

  var isPoint: Bool {
    if case .point = self { true } else { false }
  }

  var isSegment: Bool {
    if case .segment = self { true } else { false }
  }

  var isField: Bool {
    if case .field = self { true } else { false }
  }

  var isRoute: Bool {
    if case .route = self { true } else { false }
  }
}

extension GPXVocabulary.Field {
  /// The element, for a message.
  var word: String {
    switch self {
    case .name: "the name"
    case .time: "the time"
    case .altitude: "the elevation"
    case .mode: "the kind of fix"
    case .satellites: "the number of satellites"
    case .hdop: "hdop"
    case .vdop: "vdop"
    case .pdop: "pdop"
    case .speed: "the speed"
    case .course: "the course"
    case .accuracy: "the accuracy"
    case .verticalAccuracy: "the vertical accuracy"
    case .speedAccuracy: "the accuracy of the speed"
    case .courseAccuracy: "the accuracy of the course"
    case .ellipsoidalAltitude: "the height above the ellipsoid"
    case .device: "the device"
    }
  }

  /// What is wrong when a value is not one of the field.
  var code: IssueCode {
    switch self {
    case .time: .wrongTime
    case .mode, .device: .wrongValue
    default: .wrongNumber
    }
  }

  /// The valid values, for a message.
  var expectation: String {
    switch self {
    case .time: "a time such as 2024-02-29T12:00:00Z"
    case .mode: "none, 2d, 3d, dgps or pps"
    case .satellites: "a whole number"
    case .device: "a name"
    default: "a number"
    }
  }
}
