@_implementationOnly import CGazetteer
internal import Foundation
internal import Geodesy

/// A geocoder without a network: borders of countries and provinces, and towns.
///
/// The country and the province of a coordinate are those whose borders contain it. The town is the
/// best one in that country by distance and population. A coordinate within 2 km of a coast is on land,
/// within 12 nautical miles (22,224 m) on the country's sea, beyond it on the open sea. Names are as in
/// the sources, in any language of a request.
///
/// Borders are made with Natural Earth. Places are those of GeoNames (https://www.geonames.org),
/// licensed under CC BY 4.0: credit it where they are shown, see ``attribution``.
///
/// A value that many threads may use at once; copies share the bytes. Docs/Geocoding.md has the
/// score of towns, how often the country is right, and the format of the file.
public struct Gazetteer: Sendable {
  /// The credit to show with its names.
  public static let attribution =
    "Places: GeoNames (geonames.org), CC BY 4.0. Borders: Natural Earth (public domain)."

  // Shares its bytes, and maps those of a file.
  private let data: Data

  /// Opens the built-in gazetteer: places of more than 15,000 people and simplified borders.
  /// - Complexity: O(1); its parts are read when they are used.
  public init() {
    // The C library never frees or changes the bytes.
    data = Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: waymark_gazetteer_bytes()),
      count: Int(waymark_gazetteer_size()), deallocator: .none)
  }

  /// Opens a file that `make gazetteer` built; it is mapped, not read.
  ///
  /// The file must not be cut short while it is open; replace it instead.
  /// - Parameter path: The path of the file.
  /// - Throws: ``GazetteerError``; also if the file does not match its checksum.
  /// - Complexity: O(bytes); some milliseconds.
  public init(contentsOf path: String) throws(GazetteerError) {
    data = try GazetteerFile.map(path)
    let failure: GazetteerError? = data.withUnsafeBytes {
      let bytes = GazetteerBytes($0)
      do throws(GazetteerError) {
        let file = try GazetteerFile(bytes, path: path)
        guard GazetteerFile.isWhole(bytes) else {
          return .damaged(path: path, "its checksum is wrong")
        }
        return file.hasProperPlaces ? nil : .damaged(path: path, "its places are not in order")
      } catch { return error }
    }
    if let failure { throw failure }
  }

  /// A gazetteer of any bytes, for tests.
  init(unchecked data: Data) { self.data = data }

  /// The number of its places.
  ///
  /// Some 34,000 in the one that is built in.
  public var placeCount: Int { read { $0.places.count } ?? 0 }

  /// Reads its sections.
  ///
  /// Nil when the bytes are no gazetteer, which only a test can bring about: files are checked when
  /// they are opened.
  func read<Result>(_ body: (GazetteerFile) -> Result) -> Result? {
    data.withUnsafeBytes { bytes in
      (try? GazetteerFile(GazetteerBytes(bytes), path: "")).map(body)
    }
  }
}

extension Gazetteer: Geocoder {
  /// One place for a coordinate; for a text the places of that name, nearest or largest first.
  ///
  /// - Throws: ``GeocoderError/noResult`` for a text that names no place; a coordinate has an
  ///   answer always, if only `Open sea`. ``GeocoderError/cancelled`` when the task is cancelled.
  /// - Complexity: microseconds for a coordinate, O(places) for a text.
  public func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace] {
    guard !Task.isCancelled else { throw .cancelled }
    return try answer(to: request).get()
  }

  /// The same answer: it never waits.
  public func answerAtOnce(
    to request: GeocoderRequest
  ) -> Result<[GeocodedPlace], GeocoderError>? {
    answer(to: request)
  }

  private func answer(to request: GeocoderRequest) -> Result<[GeocodedPlace], GeocoderError> {
    let found: [GeocodedPlace] =
      switch request.subject {
      case .coordinate(let coordinate): read { [$0.place(at: coordinate)] } ?? []
      case .text(let text, let near): read { $0.places(named: text, near: near) } ?? []
      }
    return found.isEmpty ? .failure(.noResult) : .success(found)
  }
}
