internal import Formats
internal import Geodesy
internal import Text
internal import Tracking

/// Reads circles from lines of `id,latitude,longitude,radius` after a header line.
///
/// A cell may be in quotes (RFC 4180), but holds no line break.
struct FenceCSV {
  private static let header = ["id", "latitude", "longitude", "radius"]
  private let path: String
  private var problems: [ConfigurationProblem] = []
  private var ids = FenceIDs()
  private var splitter = CSVLine()

  private init(_ path: String) { self.path = path }

  /// The fences of a file.
  /// - Throws: The errors of all lines.
  static func fences(
    _ bytes: [UInt8], path: String
  ) throws(ConfigurationError) -> [Fence] {
    var reader = FenceCSV(path)
    let fences = reader.fences(bytes)
    guard reader.problems.isEmpty else { throw ConfigurationError(reader.problems) }
    return fences
  }

  private mutating func fences(_ bytes: [UInt8]) -> [Fence] {
    var fences: [Fence] = []
    // Spreadsheets begin a file in UTF-8 with a byte order mark.
    let bytes = bytes.span.beginsWithByteOrderMark ? bytes[3...] : bytes[...]
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, whole) in lines.enumerated() {
      let line = whole.last == UInt8(ascii: "\r") ? whole.dropLast() : whole
      if index == 0 {
        guard splitter.cells(line.span) == Self.header else {
          note(1, line, Self.header.joined(separator: ","))
          break
        }
      } else if !line.isEmpty, let fence = fence(line, index + 1) {
        fences.append(fence)
      }
      if problems.count == ConfigurationError.mostProblems { break }
    }
    return fences
  }

  private mutating func fence(_ line: ArraySlice<UInt8>, _ number: Int) -> Fence? {
    guard String(validating: line, as: UTF8.self) != nil else {
      return note(number, line, "UTF-8 text")
    }
    guard let cells = splitter.cells(line.span), cells.count == 4, !cells[0].isEmpty else {
      return note(
        number, line,
        "an id, in quotes if it has a comma, a latitude, a longitude and a radius")
    }
    guard let latitude = Double(cells[1]), let longitude = Double(cells[2]) else {
      return note(number, line, "numbers of degrees in the second and the third cell")
    }
    let center = Coordinate(latitude: latitude, longitude: longitude)
    guard center.isValid else {
      return note(number, line, "a latitude of -90 to 90 and a longitude of -180 to 180")
    }
    guard let radius = Double(cells[3]), radius > 0, radius <= Measure.largestRadius else {
      return note(number, line, "a radius in metres, above 0 and up to 1,000,000")
    }
    if let problem = ids.add(cells[0], at: ConfigurationPlace(file: path, line: number)) {
      problems.append(problem)
      return nil
    }
    return Fence(id: cells[0], area: .circle(Circle(center: center, radius: radius)))
  }

  /// Notes what was found in a line; nil for its fence.
  @discardableResult
  private mutating func note(
    _ number: Int, _ line: ArraySlice<UInt8>, _ expected: String
  ) -> Fence? {
    let found = ConfigurationReader.quoted(String(decoding: line, as: UTF8.self))
    problems.append(
      ConfigurationProblem(
        ConfigurationPlace(file: path, line: number), found: found, expected: expected))
    return nil
  }
}
