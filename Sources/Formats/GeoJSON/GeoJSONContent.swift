import Geodesy
internal import Text
import Traces
import Tracking

/// The tracks of GeoJSON (RFC 7946): lines whose properties hold their times, and points with one.
///
/// Members come in any order, and Overland's `locations` are as `features`. A line without times is
/// planned, a point without a time is a waypoint, and areas are counted.
struct GeoJSONContent: JSONTraceContent {
  enum Element: JSONTraceElement {
    /// A collection, a feature, a geometry, or an array of features.
    case root
    case features, feature
    case geometries, geometry
    case type
    /// Coordinates, or a part of them.
    case coordinates
    case properties
    case name
    /// When an event was decided: the Feature is one of an event log.
    case decision
    /// A property of a fix, or the list of those of the fixes of a line.
    case value(GeoJSONFeature.Property)
    /// What shows a format that looks like GeoJSON.
    case temporalGeometry, attributes

    var form: JSONTraceForm {
      switch self {
      case .root: .objectOrArray
      case .features, .geometries: .array
      case .feature, .geometry, .properties: .object
      case .type: .plain
      case .coordinates, .name, .decision, .value, .temporalGeometry, .attributes: .any
      }
    }
  }

  /// A format of Features that have their positions elsewhere.
  enum Foreign: Sendable {
    case movingFeatures, esri
  }

  static var root: Element { .root }

  private var feature: GeoJSONFeature
  private let options: ReadingOptions
  private var devices = DeviceTable()
  private var times: CSVTimes
  private let universalTimes = CSVTimes(form: .automatic, zone: nil, isUniversal: true)
  /// What the names of properties mean, as far as they came up.
  private var meanings: [String: GeoJSONFeature.Property?] = [:]
  /// What there was, besides fixes.
  private var (areaCount, otherCount) = (0, 0)
  /// Features without a position.
  private var emptyCount = 0
  private var foreign: Foreign?
  /// Whether the document has features, and is not one itself.
  private var hasFeatures = false

  /// The most names that are remembered.
  private static let mostMeanings = 1_000

  init(_ options: ReadingOptions) {
    self.options = options
    times = CSVTimes(form: .automatic, zone: options.zone)
    feature = GeoJSONFeature(line: 1)
  }

  mutating func member(_ key: JSONSlice, of parent: Element, _ bytes: Span<UInt8>) -> Element? {
    switch parent {
    case .root: Self.rootMembers[ShortName(key, bytes)]
    case .feature: Self.featureMembers[ShortName(key, bytes)]
    case .geometry: Self.geometryMembers[ShortName(key, bytes)]
    case .properties: property(key.string(in: bytes))
    case .features, .geometries, .type, .coordinates, .name, .decision, .value,
      .temporalGeometry, .attributes:
      nil
    }
  }

  private mutating func property(_ name: String) -> Element? {
    switch name {
    case "coordinateProperties": return .properties
    case "name": return .name
    case "decided": return .decision
    default: break
    }
    if let known = meanings[name] { return known.map { .value($0) } }
    let meaning = GeoJSONFeature.Property(named: name)
    if meanings.count < Self.mostMeanings { meanings[name] = .some(meaning) }
    return meaning.map { .value($0) }
  }

  func item(of parent: Element) -> Element? {
    switch parent {
    case .root, .features: .feature
    case .geometries: .geometry
    case .coordinates: .coordinates
    // A list names no device.
    case .value(let property): property.role == .device ? nil : .value(property)
    case .feature, .geometry, .type, .properties, .name, .decision, .temporalGeometry, .attributes:
      nil
    }
  }

  func code(of element: Element) -> IssueCode {
    switch element {
    case .value(let property): property.role.field.code
    case .coordinates: .wrongNumber
    case .name, .decision: .wrongValue
    case .root, .features, .feature, .geometries, .geometry, .type, .properties,
      .temporalGeometry, .attributes:
      .unknownRecord
    }
  }

  mutating func begin(_ element: Element, isArray: Bool, line: Int, into batch: inout TraceBatch) {
    switch element {
    case .feature: feature = GeoJSONFeature(line: line)
    case .root:
      feature = GeoJSONFeature(line: line)
      hasFeatures = isArray
    case .features: hasFeatures = true
    case .temporalGeometry: foreign = .movingFeatures
    case .attributes: foreign = .esri
    case .coordinates: feature.beginArray(line: line)
    case .value(let property):
      if property.role == .device { return feature.noteUnreadableDevice() }
      feature.begin(property, isArray: isArray)
    case .geometries, .geometry, .type, .properties, .name, .decision: break
    }
  }

  mutating func read(
    _ element: Element, _ value: JSONToken, _ bytes: Span<UInt8>, into batch: inout TraceBatch
  ) -> String? {
    switch element {
    case .type: _ = value.plainBytes(bytes) { feature.setType($0) }
    case .coordinates:
      return feature.add(coordinate: value.number(bytes), isNull: value == .null)
    case .name:
      if case .string(let slice) = value { feature.name = slice.string(in: bytes) }
    case .decision:
      if value.plainBytes(bytes, { TimeText.parse($0) != nil }) == true { feature.isEvent = true }
    case .value(let property):
      switch property.role {
      case .device:
        let index = value.deviceName(bytes) { devices.index(of: $0, in: &batch.devices) }
        if case .bool = value { feature.noteUnreadableDevice() }
        feature.set(device: index, property)
      case .time:
        let written = value.plainBytes(bytes) {
          property.isUniversal ? universalTimes.parseWritten($0) : times.parseWritten($0)
        }
        feature.add(time: written, value, property, bytes)
      default: feature.add(value.number(bytes), value, property)
      }
    case .root, .features, .feature, .geometries, .geometry, .properties, .temporalGeometry,
      .attributes:
      break
    }
    return nil
  }

  mutating func end(_ element: Element, into batch: inout TraceBatch) -> String? {
    switch element {
    case .coordinates: return feature.endArray()
    case .geometry: feature.endGeometry()
    case .features: feature = GeoJSONFeature(line: 1)
    case .feature, .root:
      feature.endGeometry()
      if case .root = element, hasFeatures, !feature.hasPosition, !feature.isUnlocated {
        return nil
      }
      if feature.isArea {
        areaCount += 1
      } else if feature.hasPosition || feature.isUnlocated || feature.isEvent {
        otherCount += 1
      } else {
        emptyCount += 1
      }
      defer { feature = GeoJSONFeature(line: 1) }
      feature.placeTimes(&times)
      return feature.finish(into: &batch)
    case .value(let property): feature.end(property)
    case .geometries, .type, .properties, .name, .decision, .temporalGeometry, .attributes: break
    }
    return nil
  }

  mutating func finish(into batch: inout TraceBatch) {
    for note in times.notes(of: times.remarks) { batch.mark(.note(note)) }
    guard otherCount == 0, areaCount + emptyCount > 0 else { return }
    let problem =
      areaCount > 0 ? ", only areas; a config reads them as fences" : ": \(missingPositions)"
    let message = "there is no track\(problem)"
    batch.mark(.issue(TraceIssue(.record, line: 1, column: 1, message, code: .noTrack)))
  }

  /// What a document without a position has instead.
  private var missingPositions: String {
    let found =
      switch foreign {
      case .movingFeatures: ", but a temporalGeometry, as in OGC Moving Features"
      case .esri: ", but attributes, as in Esri JSON"
      case nil: ""
      }
    return "no feature has a geometry with positions\(found); convert the file to GeoJSON with "
      + "coordinates and times, or to CSV"
  }
}

extension GeoJSONContent {
  private static let geometryMembers: [ShortName: Element] = [
    ShortName("type"): .type, ShortName("coordinates"): .coordinates,
    ShortName("geometries"): .geometries,
  ]
  private static let featureMembers: [ShortName: Element] = [
    ShortName("geometry"): .geometry, ShortName("properties"): .properties,
    ShortName("temporalGeometry"): .temporalGeometry,
    ShortName("attributes"): .attributes,
  ]
  private static let rootMembers = geometryMembers.merging(featureMembers) { $1 }.merging([
    ShortName("features"): .features, ShortName("locations"): .features,
  ]) { $1 }
}
