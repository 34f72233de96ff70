internal import Geodesy
internal import Text
internal import Traces
package import Tracking

/// The positions in a message of a device, or of a server that forwards them.
///
/// The formats are those that `replay` reads, and their readers the same.
package struct ReportMessage: Sendable {
  /// Who wrote it, which decides how it is answered.
  package enum Dialect: Sendable, Hashable {
    case ownTracks, overland, traccar
    /// The query of an address, as GPSLogger and OsmAnd write it.
    case query
  }

  package let dialect: Dialect
  /// The devices, each with its positions in the order of the message.
  package private(set) var reports: [(device: String, fixes: [Fix])] = []
  /// The type of a message without a position; nil for one with positions.
  package private(set) var ignored: String?
  /// What was left out, in words.
  package private(set) var problems: [String] = []

  /// The longest name of a device, bytes.
  static let longestName = 200

  /// Reads a message in JSON: of OwnTracks, Overland or Traccar.
  package init(json bytes: [UInt8], from sender: ReportSender = ReportSender()) throws(ReportError)
  {
    let shape: ReportShape
    do throws(JSONError) {
      shape = try ReportShape(bytes.span)
    } catch {
      throw ReportError("byte \(error.offset): \(error.message)")
    }
    switch shape.kind {
    case .ownTracks("encrypted"):
      throw ReportError("the message is encrypted; switch the encryption off in OwnTracks")
    case .ownTracks(let type):
      dialect = .ownTracks
      guard type == "location" else {
        ignored = String(type.prefix(Self.longestType))
        return
      }
      try read(bytes[...], JSONTraceDecoder(JSONRecords(.ownTracks)), sender.device) {
        ReportSender.name(ofTopic: $0)
      }
    case .overland:
      dialect = .overland
      let decoder = JSONTraceDecoder(GeoJSONContent(ReadingOptions()))
      try read(bytes[...], decoder, nil) { $0.isEmpty ? sender.device : $0 }
    case .traccar(let position):
      dialect = .traccar
      let decoder = JSONTraceDecoder(JSONRecords(.traccar))
      try read(bytes[position], decoder, shape.device ?? sender.device) { $0 }
    case nil:
      throw ReportError(
        "found an object without _type, locations or position, expected a message of OwnTracks, "
          + "Overland or Traccar")
    }
  }

  /// Reads a message that OwnTracks published under a topic, which names the device.
  ///
  /// A broker decides who may publish under a topic, so no name in the message counts.
  package init(published bytes: [UInt8], under topic: String) throws(ReportError) {
    guard bytes.count <= Self.longestPublished else {
      throw ReportError("the message is longer than the limit of 1 MiB")
    }
    // It clears what the broker has retained.
    guard !bytes.isEmpty else {
      self.init(ignoring: "empty")
      return
    }
    try self.init(json: bytes, from: ReportSender(topic: topic))
    guard dialect == .ownTracks else {
      throw ReportError("found no message of OwnTracks, expected one")
    }
  }

  private init(ignoring type: String) { (dialect, ignored) = (.ownTracks, type) }

  private static let longestPublished = 1 << 20
  /// The longest type that is passed on, characters.
  private static let longestType = 40

  /// Reads the query of an address: `lat`, `lon`, `timestamp` and so on.
  package init(
    query: [(name: String, value: String)], from sender: ReportSender = ReportSender()
  ) throws(ReportError) {
    dialect = .query
    var json = Array("{".utf8)
    for (name, value) in query where !value.isEmpty {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      JSONText.append(name, to: &json)
      json.append(UInt8(ascii: ":"))
      JSONText.append(value, to: &json)
    }
    json.append(UInt8(ascii: "}"))
    try read(json[...], JSONTraceDecoder(JSONRecords(.query)), nil) {
      $0.isEmpty ? sender.device : $0
    }
    guard !reports.isEmpty else { throw ReportError("found no lat and lon, expected both") }
  }

  /// Reads positions.
  ///
  /// - Parameters:
  ///   - device: The device of all positions; nil where each names its own.
  ///   - rename: The name of a device by the name in the message, which is empty where it has none.
  private mutating func read(
    _ bytes: ArraySlice<UInt8>, _ decoder: some TraceDecoder, _ device: String?,
    _ rename: (String) -> String?
  ) throws(ReportError) {
    var (decoder, batch) = (decoder, TraceBatch())
    _ = decoder.decode(bytes.span, isFinal: true, into: &batch)
    var places: [ExactText: Int] = [:]
    for point in batch.points {
      let found = point.device.map { batch.devices[Int($0)] } ?? ""
      let name = try Self.checked(device ?? rename(found) ?? "")
      let place = places[ExactText(name)] ?? reports.count
      if place == reports.count {
        places[ExactText(name)] = place
        reports.append((name, []))
      }
      reports[place].fixes.append(point.fix.estimatingAccuracy)
    }
    for (_, mark) in batch.marks {
      switch mark {
      // Records of other kinds alone are no error of a message.
      case .issue(let issue) where issue.code == .noTrack: break
      case .issue(let issue): problems.append(issue.message)
      case .waypoint: problems.append("a position has no time; it is left out")
      default: break
      }
    }
    if reports.isEmpty, let problem = problems.first { throw ReportError(problem) }
  }

  private static func checked(_ name: String) throws(ReportError) -> String {
    guard !name.isEmpty else {
      throw ReportError(
        "found no name of the device, expected one: topic or tid of OwnTracks, device_id of Overland, "
          + "id in a query")
    }
    guard name.utf8.count <= longestName, name.withoutControls == name else {
      throw ReportError(
        "found a name of the device with control characters, or of more than \(longestName) bytes")
    }
    return name
  }
}
