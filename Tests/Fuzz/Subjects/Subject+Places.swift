import Foundation
import Geodesy
import HTTP

@testable import Geocoding

extension Subject {
  /// Names of places.
  static let places = [
    Subject(name: "gazetteer", decodes: "files of gazetteers") { try checkGazetteer($0) },
    Subject(name: "nominatim", decodes: "answers of servers") { try checkAnswer($0) },
    Subject(name: "retry-after", decodes: "when servers may be asked again") { try checkDelay($0) },
    Subject(name: "place-cache", decodes: "the file of a cache of names") { try checkCache($0) },
    Subject(name: "stub-table", decodes: "tables of a stub geocoder") { try checkTable($0) },
  ]

  private static func checkGazetteer(_ bytes: [UInt8]) throws -> Bool {
    let gazetteer = Gazetteer(unchecked: Data(bytes))
    for (latitude, longitude) in [(52.5, 13.4), (-90, -180), (90, 180), (-89.9, 0.5), (0, 0)] {
      let place = Coordinate(latitude: latitude, longitude: longitude)
      _ = gazetteer.answerAtOnce(to: try .reverse(place))
    }
    _ = gazetteer.answerAtOnce(to: try .forward("a"))
    return gazetteer.placeCount > 0
  }

  private static func checkAnswer(_ bytes: [UInt8]) throws -> Bool {
    var reader = ByteReader(bytes)
    let status = reader.one(of: [200, 200, 404, 500, 302])
    let isReverse = reader.below(2) == 0
    let response = HTTPResponse(
      status: status, headers: ["content-type": "text/html"], body: Data(reader.rest))
    let request: GeocoderRequest =
      isReverse ? try .reverse(Coordinate(latitude: 52.5, longitude: 13.4)) : try .forward("Berlin")
    let reading = NominatimResponse(response, server: "https://nominatim.example/")
    guard let places = try? reading.places(for: request) else { return false }
    try hold("an answer has places", !places.isEmpty && places.allSatisfy(\.coordinate.isValid))
    return true
  }

  private static func checkDelay(_ bytes: [UInt8]) throws -> Bool {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
      .map { String(decoding: $0, as: UTF8.self) }
    var headers: [String: String] = [:]
    headers["retry-after"] = lines.first
    if lines.count > 1 { headers["date"] = lines[1] }
    let delay = RetryAfter.delay(headers, now: Date(timeIntervalSince1970: 1_763_000_000))
    try hold(
      "a delay is at most a week", delay.map { (.zero)...(.seconds(604_800)) ~= $0 } ?? true,
      "\(headers)")
    return delay != nil
  }

  private static func checkCache(_ bytes: [UInt8]) throws -> Bool {
    let header = CacheLine.Header(version: CacheFile.version, cell: 100, source: "fuzz")
    let lines = CacheLine(header)
    // The first line without its sum and its end.
    let sealed = Array(lines.first.dropFirst(17).dropLast())
    var file: [UInt8] = []
    for (index, line) in bytes.split(separator: CacheLine.end).enumerated() {
      let rest = Array(line)
      let sum = ((index == 0 ? [] : sealed) + rest).withUnsafeBytes { GazetteerBytes($0).checksum }
      let digits = String(sum, radix: 16)
      file += Array((String(repeating: "0", count: 16 - digits.count) + digits + " ").utf8) + rest
      file.append(CacheLine.end)
    }
    let cache = CacheFile(folder: "/nowhere", cell: 100, source: "fuzz")
    _ = cache.content(of: bytes)
    let entries = cache.content(of: file).entries
    for (key, entry) in entries {
      let again = lines.entry(lines.line(key, entry).dropLast())
      try hold("an answer is read as it was written", again?.key == key && again?.entry == entry)
      let places = try? JSONDecoder().decode([CachedPlace].self, from: Data(entry.body))
      for place in places ?? [] where place.isValid {
        _ = place.place(for: try .reverse(Coordinate(latitude: 52.5, longitude: 13.4)))
      }
    }
    return !entries.isEmpty
  }

  private static func checkTable(_ bytes: [UInt8]) throws -> Bool {
    ScratchFile.shared.write(bytes)
    let stub: StubGeocoder
    do throws(GeocoderTableError) {
      stub = try StubGeocoder(contentsOf: ScratchFile.shared.path)
    } catch {
      try hold("a refusal says something", !error.description.isEmpty)
      return false
    }
    _ = stub.answerAtOnce(to: try .reverse(Coordinate(latitude: 52.5, longitude: 13.4)))
    return true
  }
}
