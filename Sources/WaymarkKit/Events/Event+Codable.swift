internal import EventLog
public import Tracking

/// An event is coded as a line of the event log without device and id; ``EventRecord`` has both.
extension Event: Codable {
  /// Reads an event; the device of a whole line of the log is skipped.
  ///
  /// - Throws: what the decoder throws, and `DecodingError` for what is no event.
  public init(from decoder: any Decoder) throws {
    let entry = try LogEntry(event: decoder, namesDevice: false)
    guard case .event(let event) = entry.content else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "the line is no event"))
    }
    self = event
  }

  /// Writes the keys and values of the line of the event log, with its digits.
  public func encode(to encoder: any Encoder) throws {
    try LogEntry(device: "", .event(self)).encode(to: encoder, namesDevice: false)
  }
}
