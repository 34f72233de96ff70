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
  }

  /// The meaning of an element in its context.
  enum Element: Sendable {
    case gpx, track, segment, point, extensions, route, routePoint, waypoint
    case field(Field)
    /// An unknown element, with all its contents.
    case other
  }

  /// The meaning of the element `name` inside of `parent`.
  static func element(_ name: XMLName, in parent: Element) -> Element {
    switch parent {
    case .gpx: find(name, root)
    case .track: find(name, track)
    case .segment: name == trackPoint ? .point : .other
    case .point: find(name, point)
    case .extensions: find(name, extensions) ?? .extensions
    case .route: find(name, route)
    case .waypoint: name == nameName ? .field(.name) : .other
    case .routePoint, .field, .other: .other
    }
  }

  private typealias Table = [(name: XMLName, element: Element)]

  private static func find(_ name: XMLName, _ table: Table) -> Element? {
    for entry in table where entry.name == name { return entry.element }
    return nil
  }

  private static func find(_ name: XMLName, _ table: Table) -> Element {
    find(name, table) ?? .other
  }

  private static let trackPoint = XMLName("trkpt")
  private static let nameName = XMLName("name")

  private static let root: Table = [
    (XMLName("trk"), .track), (XMLName("wpt"), .waypoint), (XMLName("rte"), .route),
  ]
  private static let track: Table = [
    (XMLName("trkseg"), .segment), (nameName, .field(.name)),
    // Against the schema, but the point is valid otherwise.
    (trackPoint, .point),
  ]
  private static let route: Table = [
    (XMLName("rtept"), .routePoint), (nameName, .field(.name)),
  ]
  /// GPX 1.1 wptType, and speed and course of GPX 1.0.
  private static let point: Table = [
    (XMLName("ele"), .field(.altitude)), (XMLName("time"), .field(.time)),
    (XMLName("extensions"), .extensions), (XMLName("speed"), .field(.speed)),
    (XMLName("course"), .field(.course)), (XMLName("hdop"), .field(.hdop)),
    (XMLName("vdop"), .field(.vdop)), (XMLName("pdop"), .field(.pdop)),
    (XMLName("sat"), .field(.satellites)), (XMLName("fix"), .field(.mode)),
  ]
  /// Garmin TrackPointExtension v2 (speed, course, bearing), OsmAnd, GPSLogger and others.
  private static let extensions: Table = [
    (XMLName("speed"), .field(.speed)), (XMLName("course"), .field(.course)),
    (XMLName("bearing"), .field(.course)), (XMLName("direction"), .field(.course)),
    (XMLName("accuracy"), .field(.accuracy)), (XMLName("hacc"), .field(.accuracy)),
    (XMLName("hAcc"), .field(.accuracy)), (XMLName("horizontalAccuracy"), .field(.accuracy)),
    (XMLName("vacc"), .field(.verticalAccuracy)), (XMLName("vAcc"), .field(.verticalAccuracy)),
    (XMLName("verticalAccuracy"), .field(.verticalAccuracy)),
    (XMLName("speedAccuracy"), .field(.speedAccuracy)),
    (XMLName("courseAccuracy"), .field(.courseAccuracy)),
    (XMLName("ellipsoidalAltitude"), .field(.ellipsoidalAltitude)),
    (XMLName("hdop"), .field(.hdop)), (XMLName("vdop"), .field(.vdop)),
    (XMLName("pdop"), .field(.pdop)), (XMLName("sat"), .field(.satellites)),
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
    }
  }

  /// The valid values, for a message.
  var expectation: String {
    switch self {
    case .time: "a time such as 2024-02-29T12:00:00Z"
    case .mode: "none, 2d, 3d, dgps or pps"
    case .satellites: "a whole number"
    default: "a number"
    }
  }
}
