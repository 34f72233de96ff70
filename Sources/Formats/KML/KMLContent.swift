import Geodesy
internal import Text
import Traces
import Tracking

/// KML 2.2 and 2.3: `gx:Track`, and geometries with a time.
///
/// The fixes of a `gx:Track` have their times and values. Of a `LineString` with a `TimeSpan` only the
/// first and the last point have a time; those between are counted as points of a route, and so are
/// the points of lines without a time. A `Point` with a time is a fix, another is a waypoint.
struct KMLContent: XMLTraceContent {
  enum Element: XMLTraceElement {
    case root
    /// An element around places and tracks: Document, Folder.
    case container
    case placemark
    case name
    /// An element around geometries.
    case geometries
    case timeSpan, timeStamp
    /// The time of a place: of a `TimeStamp`, or at the begin of a `TimeSpan`.
    case begin
    case end
    case point, lineString, coordinates
    case track
    /// The time and the position of a fix of a track.
    case when, coord
    /// An element around arrays of values, and one array.
    case arrays, array
    case value
    /// An element around values of a place, one of them, and its text.
    case dataSet, data, dataValue
    /// A value of a place that is itself a text.
    case simpleData
    case altitudeMode
    /// The author of a document (Atom's `author`), and its name.
    case producer, producerName
    /// An unknown element, with all its contents.
    case other

    var text: XMLTraceText {
      switch self {
      case .name, .begin, .end, .when, .coord, .value, .producerName, .dataValue, .simpleData,
        .altitudeMode:
        .whole
      case .coordinates: .streamed
      default: .none
      }
    }
  }

  static func code(ofText element: Element) -> IssueCode {
    switch element {
    case .begin, .end, .when: .wrongTime
    case .coord, .coordinates, .value: .wrongNumber
    default: .wrongValue
    }
  }

  static var root: (name: String, element: Element) { ("kml", .root) }

  private(set) var producer: String?
  private var hasGeometry = false
  /// Whether any geometry had a position, valid or not.
  private var hasPosition = false
  private var place = KMLPlace()
  private var track = KMLTrackValues()
  private var times = KMLTimes()
  /// The name of the value of a place that is read.
  private var dataName = ""
  /// Whether altitudes are above the ground or the sea floor, so that they are not read.
  private var isAboveGround = false
  private var hasNotedGround = false
  private var devices = DeviceTable()
  /// The names of values of fixes that are not read.
  private var unreadNames: [String] = []

  mutating func begin(
    _ element: Element, name: String?, line: Int, into batch: inout TraceBatch
  ) {
    switch element {
    case .placemark: (place, isAboveGround) = (KMLPlace(), false)
    case .data, .simpleData: dataName = name ?? ""
    case .track:
      hasGeometry = true
      batch.mark(.track(name: place.name))
      batch.mark(.segment)
      track = KMLTrackValues(device: place.device)
    case .array: track.beginArray(name ?? "")
    case .point, .lineString:
      hasGeometry = true
      place.beginGeometry(isPoint: element == .point, line: line)
    case .coord: track.line = line
    default: break
    }
  }

  mutating func read(
    _ element: Element, _ text: borrowing Span<UInt8>, into batch: inout TraceBatch
  ) -> String? {
    switch element {
    case .name:
      place.name = GPXText.name(text)
      return nil
    case .producerName:
      producer = producer ?? GPXText.name(text)
      return nil
    case .begin:
      place.begin = times.instant(text, into: &batch)
      return times.problem
    case .end:
      place.end = times.instant(text, into: &batch)
      return times.problem
    case .when:
      track.add(time: times.instant(text, into: &batch))
      return times.problem
    case .coord:
      notePosition(text)
      return track.addPosition(text, into: &batch) ? nil : "longitude, latitude and altitude"
    case .value: return track.addValue(text) ? nil : "a number"
    case .dataValue, .simpleData:
      if dataName == "device" {
        place.device = devices.index(ofName: text, in: &batch.devices)
      } else if !text.isEmpty {
        place.addValue(dataName, text)
      }
      return nil
    case .altitudeMode:
      isAboveGround =
        text.equals("relativeToGround") || text.equals("relativeToSeaFloor")
      return nil
    case .coordinates:
      notePosition(text)
      _ = place.addPositions(text, isWhole: true, into: &batch)
      return nil
    default: return nil
    }
  }

  mutating func readPiece(
    _ element: Element, _ text: borrowing Span<UInt8>, into batch: inout TraceBatch
  ) -> Int {
    notePosition(text)
    return place.addPositions(text, isWhole: false, into: &batch)
  }

  private mutating func notePosition(_ text: borrowing Span<UInt8>) {
    guard !hasPosition else { return }
    for index in 0..<text.count where !isXMLSpace(text[index]) {
      hasPosition = true
      return
    }
  }

  mutating func end(_ element: Element, into batch: inout TraceBatch) -> String? {
    switch element {
    case .placemark:
      let count = batch.points.count
      place.finish(into: &batch)
      guard batch.points.count > count else { return nil }
      dropAltitudes(from: count, &batch)
      noteUnread()
      return nil
    case .root:
      times.note(into: &batch)
      if !unreadNames.isEmpty {
        batch.mark(.note("values that are not read: \(CSVHeader.list(unreadNames))"))
      }
      guard hasGeometry else { return "there is neither a track nor a line or a point" }
      return hasPosition ? nil : "no track, line or point has a position"
    case .coordinates: return place.takeProblem()
    case .track:
      let count = batch.points.count
      defer { dropAltitudes(from: count, &batch) }
      return track.finish(into: &batch)
    default: return nil
    }
  }

  /// Leaves out the altitudes of the last fixes where they are not above the sea.
  private mutating func dropAltitudes(from first: Int, _ batch: inout TraceBatch) {
    guard isAboveGround, first < batch.points.count else { return }
    for index in first..<batch.points.count { batch.points[index].fix.altitude = nil }
    guard !hasNotedGround else { return }
    hasNotedGround = true
    batch.mark(.note("altitudes above the ground are not read"))
  }

  /// Remembers the values of a fix that are not read, so many as are listed.
  private mutating func noteUnread() {
    for name in place.unreadNames where unreadNames.count <= 20 && !unreadNames.contains(name) {
      unreadNames.append(name)
    }
  }
}

extension KMLContent {
  static func element(_ name: ShortName, in parent: Element) -> Element {
    switch parent {
    case .root, .container: containers[name] ?? .other
    case .placemark: placemark[name] ?? .other
    case .geometries: geometries[name] ?? .other
    case .timeSpan: name == beginName ? .begin : name == endName ? .end : .other
    case .timeStamp: name == whenName ? .begin : .other
    case .point, .lineString:
      name == coordinatesName ? .coordinates : name == altitudeModeName ? .altitudeMode : .other
    case .track: track[name] ?? .other
    case .arrays: name == arrayName ? .array : name == schemaDataName ? .arrays : .other
    case .array: name == valueName ? .value : .other
    case .dataSet:
      name == dataName
        ? .data
        : name == simpleDataName
          ? .simpleData
          : name == schemaDataName ? .dataSet : .other
    case .data: name == valueName ? .dataValue : .other
    case .producer: name == nameName ? .producerName : .other
    case .dataValue, .simpleData, .altitudeMode: .other
    case .name, .begin, .end, .coordinates, .when, .coord, .value, .producerName, .other: .other
    }
  }

  private static let nameName = ShortName("name")
  private static let whenName = ShortName("when")
  private static let beginName = ShortName("begin")
  private static let endName = ShortName("end")
  private static let coordinatesName = ShortName("coordinates")
  private static let arrayName = ShortName("SimpleArrayData")
  private static let schemaDataName = ShortName("SchemaData")
  private static let valueName = ShortName("value")
  private static let dataName = ShortName("Data")
  private static let simpleDataName = ShortName("SimpleData")
  private static let altitudeModeName = ShortName("altitudeMode")
  private static let containers: [ShortName: Element] = [
    ShortName("Document"): .container, ShortName("Folder"): .container,
    ShortName("Placemark"): .placemark, ShortName("author"): .producer,
  ]
  private static let geometries: [ShortName: Element] = [
    ShortName("Point"): .point, ShortName("LineString"): .lineString, ShortName("Track"): .track,
    ShortName("MultiGeometry"): .geometries, ShortName("MultiTrack"): .geometries,
    altitudeModeName: .altitudeMode,
  ]
  private static let placemark = geometries.merging([
    nameName: .name, ShortName("TimeSpan"): .timeSpan, ShortName("TimeStamp"): .timeStamp,
    ShortName("ExtendedData"): .dataSet,
  ]) { $1 }
  private static let track: [ShortName: Element] = [
    whenName: .when, ShortName("coord"): .coord, ShortName("ExtendedData"): .arrays,
    altitudeModeName: .altitudeMode,
  ]
}
