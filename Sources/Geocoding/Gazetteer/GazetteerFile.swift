internal import Foundation
internal import Glibc
internal import System

/// The sections of a gazetteer: see Docs/Geocoding.md.
struct GazetteerFile {
  /// Of the format that this program reads.
  static let version = 1
  private static let sectionCount = 9
  /// Bytes before the offsets of the sections: mark, version, number of sections, checksum.
  private static let headLength = 24

  let texts, countries, regions, zones: GazetteerBytes
  let borders: GazetteerBorders
  let places: GazetteerPlaces

  /// Finds the sections, with the checks that safe reading needs.
  ///
  /// - Parameter path: The path for errors.
  /// - Throws: ``GazetteerError``: it is no gazetteer, of another version, or shorter than its
  ///   sections.
  /// - Complexity: O(1).
  init(_ bytes: GazetteerBytes, path: String) throws(GazetteerError) {
    guard bytes.begin(with: "WAYMARKG") else { throw .notAGazetteer(path: path) }
    let version = bytes.word(8)
    guard version == Self.version else { throw .unknownVersion(path: path, version) }
    guard bytes.word(12) == Self.sectionCount else {
      throw .damaged(path: path, "it has \(bytes.word(12)) sections of \(Self.sectionCount)")
    }
    var sections: [GazetteerBytes] = []
    for number in 0..<Self.sectionCount {
      let entry = Self.headLength + 8 * number
      guard let section = bytes.part(bytes.word(entry), bytes.word(entry + 4)) else {
        throw .damaged(path: path, "it ends before its section \(number + 1)")
      }
      sections.append(section)
    }
    (texts, countries, regions, zones) = (sections[0], sections[1], sections[2], sections[3])
    borders = GazetteerBorders(rows: sections[4], runs: sections[5], lines: sections[6])
    places = GazetteerPlaces(cells: sections[7], records: sections[8])
  }

  /// Whether the file matches its checksum.
  /// - Complexity: O(bytes); a millisecond for 8 MB.
  static func isWhole(_ bytes: GazetteerBytes) -> Bool {
    bytes.part(headLength, bytes.count - headLength)?.checksum == bytes.long(16)
  }

  /// Whether a search takes time in proportion to the file: no place is in two cells, and names that many
  /// places share are not long.
  /// - Complexity: O(places); a millisecond for 100,000.
  var hasProperPlaces: Bool {
    guard places.isInOrder else { return false }
    var length = 0
    places.forEach { _, place in length += texts.byte(place.name) }
    return length <= texts.count + places.records.count
  }

  /// The bytes of a file, mapped into memory.
  static func map(_ path: String) throws(GazetteerError) -> Data {
    do throws(WholeFile.Failure) {
      let file = try MappedFile(path)
      guard let start = file.bytes.baseAddress else { return Data() }
      return Data(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: file.bytes.count,
        // The file stays mapped as long as its bytes are in use.
        deallocator: .custom { _, _ in withExtendedLifetime(file) {} })
    } catch {
      throw .unreadable(
        path: path, reason: error.code == ENOENT ? "there is no such file" : error.reason)
    }
  }
}

// MARK: - Names of regions

extension GazetteerFile {
  /// The number of the country of a region; nil for the sea.
  @inline(__always)
  func country(ofRegion region: Int) -> Int? {
    region > 0 ? regions.short(8 * region) : nil
  }

  /// The time zone of the place nearest to a region's middle.
  func zone(ofRegion region: Int) -> String? { zone(regions.short(8 * region + 2)) }

  /// The name of a province; nil for one without.
  func name(ofRegion region: Int) -> String? { text(regions.word(8 * region + 4)) }

  /// The name of a country; nil for one without.
  func name(ofCountry country: Int) -> String? { text(countries.word(8 * country + 4)) }

  /// Two letters of ISO 3166-1; nil for a land without a code.
  func code(ofCountry country: Int) -> String? {
    let letters = [countries.byte(8 * country), countries.byte(8 * country + 1)]
    guard letters.allSatisfy({ (65...90).contains($0) }) else { return nil }
    return String(decoding: letters.map { UInt8($0) }, as: UTF8.self)
  }

  /// A time zone by its number; nil for an unknown number.
  func zone(_ number: Int) -> String? {
    4 * number < zones.count ? text(zones.word(4 * number)) : nil
  }

  private func text(_ offset: Int) -> String? {
    let text = texts.text(offset)
    return text.isEmpty ? nil : text
  }
}
