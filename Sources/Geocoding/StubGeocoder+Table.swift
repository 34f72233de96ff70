internal import Foundation
internal import Geodesy
internal import Glibc
internal import System

/// An invalid table for a ``StubGeocoder``.
public struct GeocoderTableError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file, what is wrong, and what was expected.
  public let description: String
}

extension StubGeocoder {
  /// Larger tables are rejected, bytes: a table is for tests.
  private static let largestTable = 16 << 20

  /// Reads a table from a JSON file.
  ///
  /// It is a list of places, each with `latitude`, `longitude`, a `radius` in metres (100 by default),
  /// and either names (`name`, `locality`, `administrativeArea`, `country`, `isoCountryCode`,
  /// `timeZone`) or an `error`: `noResult`, `partialResult` or `network`. An entry with a `language`
  /// is for that language alone. `holdFor` delays the answer until so many more requests were made.
  /// - Throws: ``GeocoderTableError``.
  public convenience init(contentsOf path: String) throws(GeocoderTableError) {
    let rows: [Row]
    do {
      let bytes = try WholeFile.read(path, limit: Self.largestTable)
      rows = try JSONDecoder().decode([Row].self, from: Data(bytes))
    } catch let error as DecodingError {
      throw GeocoderTableError(description: "\(path): \(error.words)")
    } catch let failure as WholeFile.Failure {
      let reason =
        switch failure {
        case .tooLarge: "it is larger than 16 MiB, the limit"
        case WholeFile.Failure(code: ENOENT): "there is no such file"
        default: failure.reason
        }
      throw GeocoderTableError(description: "\(path): \(reason)")
    } catch {
      throw GeocoderTableError(
        description: "\(path): it cannot be read: \(error.localizedDescription)")
    }
    var entries: [Entry] = []
    for (index, row) in rows.enumerated() {
      guard let entry = row.entry else {
        throw GeocoderTableError(
          description: "\(path): entry \(index): expected a latitude of -90 to 90, a longitude of "
            + "-180 to 180, a radius above 0, and an error that is one of "
            + "\(Row.errors.keys.sorted().joined(separator: ", ")) if there is one")
      }
      entries.append(entry)
    }
    self.init(entries)
  }

  /// One place of a table.
  private struct Row: Decodable {
    var latitude, longitude: Double
    var radius: Double?
    var name, locality, administrativeArea, country, isoCountryCode, timeZone: String?
    var error, language: String?
    var holdFor: Int?

    static let errors: [String: GeocoderError] = [
      "noResult": .noResult, "partialResult": .partialResult,
      "network": .network("the table has no network here"),
    ]

    /// The entry; nil if it is invalid.
    var entry: Entry? {
      let area = Circle(
        center: Coordinate(latitude: latitude, longitude: longitude), radius: radius ?? 100)
      guard area.center.isValid, area.radius > 0 else { return nil }
      let delay = holdFor.map { Delay.requests(max($0, 0)) } ?? .none
      if let error {
        guard let failure = Self.errors[error] else { return nil }
        var entry = Entry(failure, in: area, delay: delay)
        entry.language = language
        return entry
      }
      var place = GeocodedPlace(
        coordinate: area.center, name: name, locality: locality,
        administrativeArea: administrativeArea, isoCountryCode: isoCountryCode, country: country)
      place.timeZoneIdentifier = timeZone
      return Entry(place, radius: area.radius, language: language, delay: delay)
    }
  }
}

extension DecodingError {
  /// What is wrong, with its path.
  fileprivate var words: String {
    let (context, what) =
      switch self {
      case .keyNotFound(let key, let context): (context, "'\(key.stringValue)' is missing")
      case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
        (context, "expected a value of the type \(type)")
      case .dataCorrupted(let context): (context, "invalid JSON")
      @unknown default: (Context(codingPath: [], debugDescription: ""), "\(self)")
      }
    guard !context.codingPath.isEmpty else { return what }
    let path = context.codingPath.map { $0.intValue.map { "entry \($0)" } ?? $0.stringValue }
    return "\(path.joined(separator: ", ")): \(what)"
  }
}
