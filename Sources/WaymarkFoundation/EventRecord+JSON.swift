public import Foundation
public import WaymarkKit

extension EventRecord {
  /// Reads a line of an event log in JSON.
  ///
  /// - Throws: `DecodingError` for what is no event; its description names the key.
  public init(json line: some DataProtocol) throws {
    self = try JSONDecoder().decode(EventRecord.self, from: Data(line))
  }
}
