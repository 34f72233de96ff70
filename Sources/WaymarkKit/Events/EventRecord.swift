internal import EventLog
internal import Text
public import Tracking

/// One event of the event log: what happened, and to which device.
///
/// The engine knows no names, so a program that runs it adds the device. As JSON it is a line of the
/// event log, see ``json``.
public struct EventRecord: Sendable, Hashable, Identifiable {
  /// The name of the device.
  public var device: String
  /// What happened.
  public var event: Event
  /// The name of a stay's place; nil when it is unknown, and for other events.
  public var place: String?

  /// Makes a record.
  ///
  /// - Parameters:
  ///   - device: The name of the device.
  ///   - event: What happened to it.
  ///   - place: The name of a stay's place.
  public init(device: String, event: Event, place: String? = nil) {
    (self.device, self.event, self.place) = (device, event, place)
  }

  /// 16 hexadecimal digits, the same in every run: a receiver knows a repeated event by its id.
  ///
  /// Both reports of a visit have the same one. It is a hash of the device, the kind, the fence and the
  /// time, so among a million events two have the same one with a probability of 1 to 37 million.
  /// - Complexity: O(length of the names).
  public var id: String { entry.id?.description ?? "" }

  /// The line of the event log in JSON, without its line feed: the bytes that `replay` writes.
  ///
  /// Numbers have the decimals of the log (positions 7, about a centimetre), times milliseconds.
  /// - Complexity: O(length).
  public var json: String {
    var bytes: [UInt8] = []
    JSONLinesWriter.append(entry, to: &bytes)
    return bytes.span.extracting(..<(bytes.count - 1)).string
  }

  var entry: LogEntry {
    var entry = LogEntry(device: device, .event(event))
    entry.place = place
    return entry
  }
}

extension EventRecord: Codable {
  /// Reads a line of the event log.
  ///
  /// - Throws: what the decoder throws, and `DecodingError` for a line that is no event, whose
  ///   description names the key, what was found and what was expected.
  public init(from decoder: any Decoder) throws {
    let entry = try LogEntry(event: decoder, namesDevice: true)
    guard case .event(let event) = entry.content else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "the line is no event"))
    }
    self.init(device: entry.device, event: event, place: entry.place)
  }

  /// Writes the keys and values of the line of the event log.
  ///
  /// Encoders choose the order of keys, and how many digits they write; ``json`` has the very bytes of
  /// the log. Numbers that are not finite are left out, as in the log.
  public func encode(to encoder: any Encoder) throws {
    try entry.encode(to: encoder, namesDevice: true)
  }
}
