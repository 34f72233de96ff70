internal import Formats
internal import Geodesy
internal import System
internal import Text
package import Traces
package import Tracking

/// Fences to compile, read from a file in any supported format.
package struct FenceSource {
  package let fences: FenceSet
  /// The files that a config includes.
  package let included: [String]

  /// Reads a file of fences: by its extension CSV (`.csv`), GeoJSON (`.geojson`), or a config.
  ///
  /// - Throws: ``FenceSourceError``.
  package init(
    _ path: String, sections: [any ConfigurationSection.Type] = []
  ) throws(FenceSourceError) {
    if path.hasSuffix(".csv") {
      (fences, included) = (try Self.set(FenceCSV(path).fences(Self.bytes(path))), [])
      return
    }
    if path.hasSuffix(".geojson") {
      (fences, included) = (try Self.set(Self.geoJSON(path)), [])
      return
    }
    let configuration: Configuration
    do throws(ConfigurationError) {
      configuration = try Configuration(path: path, sections: sections)
    } catch {
      throw .configuration(error)
    }
    do throws(FenceSetError) {
      fences = try configuration.rules().fences
    } catch {
      throw .set(error)
    }
    included = configuration.included
  }

  private static func geoJSON(_ path: String) throws(FenceSourceError) -> [Fence] {
    let bytes = try bytes(path)
    let stem = ConfigurationReader.stem(path)
    do throws(TraceError) {
      return try GeoJSON.fences(in: bytes.span, path: path).enumerated().map { index, feature in
        Fence(id: feature.id ?? "\(stem)-\(index + 1)", area: feature.area)
      }
    } catch {
      throw .trace(error)
    }
  }

  private static func bytes(_ path: String) throws(FenceSourceError) -> [UInt8] {
    do throws(WholeFile.Failure) {
      return try WholeFile.read(path)
    } catch {
      throw .system(path: path, reason: error.reason)
    }
  }

  private static func set(_ fences: [Fence]) throws(FenceSourceError) -> FenceSet {
    do throws(FenceSetError) {
      return try FenceSet(fences)
    } catch {
      throw .set(error)
    }
  }
}

/// Reads circles from lines of `id,latitude,longitude,radius` after a header line.
struct FenceCSV {
  private static let header = "id,latitude,longitude,radius"
  private let path: String

  init(_ path: String) { self.path = path }

  func fences(_ bytes: [UInt8]) throws(FenceSourceError) -> [Fence] {
    var fences: [Fence] = []
    var number = 0
    // Spreadsheets begin a file in UTF-8 with a byte order mark.
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      let text = String(
        decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
      if number == 1 {
        guard text == Self.header else { throw problem(1, text, Self.header) }
      } else if !text.isEmpty {
        fences.append(try fence(text, number))
      }
    }
    guard number > 0 else { throw problem(1, "", Self.header) }
    return fences
  }

  private func fence(_ text: String, _ line: Int) throws(FenceSourceError) -> Fence {
    let cells = text.split(separator: ",", omittingEmptySubsequences: false)
    guard cells.count == 4, !cells[0].isEmpty else {
      throw problem(line, text, "an id without commas, a latitude, a longitude and a radius")
    }
    guard let latitude = Double(cells[1]), let longitude = Double(cells[2]) else {
      throw problem(line, text, "numbers of degrees in the second and the third cell")
    }
    let center = Coordinate(latitude: latitude, longitude: longitude)
    guard center.isValid else {
      throw problem(line, text, "a latitude of -90 to 90 and a longitude of -180 to 180")
    }
    guard let radius = Double(cells[3]), radius > 0, radius <= Measure.largestRadius else {
      throw problem(line, text, "a radius in metres, above 0 and up to 1,000,000")
    }
    return Fence(
      id: String(cells[0]), area: .circle(Circle(center: center, radius: radius)))
  }

  private func problem(_ line: Int, _ found: String, _ expected: String) -> FenceSourceError {
    .line(path: path, line: line, found: String(found.prefix(80)), expected: expected)
  }
}

/// Why fences could not be read.
package enum FenceSourceError: Error, Sendable, CustomStringConvertible {
  case system(path: String, reason: String)
  case compiled(path: String, FenceFileError)
  case line(path: String, line: Int, found: String, expected: String)
  case trace(TraceError)
  case set(FenceSetError)
  case configuration(ConfigurationError)

  /// The error and what was expected.
  package var description: String {
    switch self {
    case .system(let path, let reason): "\(path): \(reason)"
    case .compiled(let path, let error): "\(path): \(error)"
    case .line(let path, let line, let found, let expected):
      "\(path):\(line): found '\(found)', expected \(expected)"
    case .trace(let error): "\(error)"
    case .set(let error): "\(error)"
    case .configuration(let error): error.description
    }
  }
}
