internal import CGazetteer
internal import Foundation
internal import Geodesy

/// A geocoder that needs no network: borders of countries and provinces, and towns.
///
/// The country and the province of a coordinate are those of the borders that it lies in; the town is
/// the one in that country that it belongs to most, by distance and population. What lies within 2 km
/// of a coast counts for the land, what lies within 12 nautical miles (22,224 m) for the country and
/// the sea; beyond it is open sea. Names are as in the sources, whatever language is asked for.
///
/// Borders are made with Natural Earth. Places are those of GeoNames (https://www.geonames.org),
/// licensed under CC BY 4.0: say so where they are shown, see ``attribution``.
public struct Gazetteer: Sendable {
  /// What is to be said where its names are shown.
  public static let attribution =
    "Places: GeoNames (geonames.org), CC BY 4.0. Borders: Natural Earth (public domain)."

  // A value that shares its bytes, and maps those of a file.
  private let data: Data

  /// Opens the one that is part of every program: places of more than 15,000 people and simplified
  /// borders.
  /// - Complexity: O(1); what is used of it is read when it is.
  public init() {
    // The C library never frees or changes the bytes.
    data = Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: waymark_gazetteer_bytes()),
      count: Int(waymark_gazetteer_size()), deallocator: .none)
  }

  /// Opens a file that `make gazetteer` built; it is mapped, not read.
  ///
  /// The file must not be cut short meanwhile; who builds a new one puts it in the place of the old.
  /// - Parameter path: Of the file.
  /// - Throws: ``GazetteerError``; the whole of the file is held against its checksum.
  /// - Complexity: O(bytes); some milliseconds.
  public init(contentsOf path: String) throws(GazetteerError) {
    data = try GazetteerFile.map(path)
    let failure: GazetteerError? = data.withUnsafeBytes {
      let bytes = GazetteerBytes($0)
      do throws(GazetteerError) {
        _ = try GazetteerFile(bytes, path: path)
        return GazetteerFile.isWhole(bytes) ? nil : .damaged(path: path, "its checksum is wrong")
      } catch { return error }
    }
    if let failure { throw failure }
  }

  /// One that is nothing but these bytes, whatever they are.
  init(unchecked data: Data) { self.data = data }

  /// How many places it knows.
  public var placeCount: Int { read { $0.places.count } ?? 0 }

  /// Reads its sections.
  func read<Result>(_ body: (GazetteerFile) -> Result) -> Result? {
    data.withUnsafeBytes { bytes in
      (try? GazetteerFile(GazetteerBytes(bytes), path: "")).map(body)
    }
  }
}

extension Gazetteer: Geocoder {
  /// One place for a coordinate; for a text those of that name, the nearest or largest first.
  public func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace] {
    guard !Task.isCancelled else { throw .cancelled }
    return try answer(to: request).get()
  }

  /// Always knows at once.
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
