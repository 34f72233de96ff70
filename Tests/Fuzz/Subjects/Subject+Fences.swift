@testable import Formats
@testable import Settings
import Geodesy
import PlaceNaming

@testable import Traces
@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

extension Subject {
  /// Configs and fences.
  static let configuration = [
    Subject(name: "config", decodes: "configs in YAML and JSON") { try checkConfiguration($0) },
    Subject(name: "geojson", decodes: "fences in GeoJSON") { try checkGeoJSON($0) },
    Subject(name: "fence-csv", decodes: "fences in CSV") { try checkTable($0) },
    Subject(name: "compiled-fences", decodes: "files of compiled fences") { try checkCompiled($0) },
  ]

  private static func checkConfiguration(_ bytes: [UInt8]) throws -> Bool {
    do throws(ConfigurationError) {
      let configuration = try Configuration(
        bytes, file: "fuzz.yaml", sections: [GeocoderSection.self]
      ) {
        (_) throws(ConfigurationFile.Failure) in throw .notFound
      }
      _ = configuration.summary
      for diagnostic in configuration.diagnostics { _ = diagnostic.description }
      try? checkSet(configuration.rules().fences)
      return true
    } catch {
      try hold("a refusal says something", !error.problems.isEmpty && !error.description.isEmpty)
      for problem in error.problems {
        try hold(
          "a problem has a place", problem.place.line >= 0 && problem.place.column >= 0,
          "\(problem)")
      }
      return false
    }
  }

  private static func checkGeoJSON(_ bytes: [UInt8]) throws -> Bool {
    let features: [GeoJSONFence]
    do throws(TraceError) {
      features = try GeoJSON.fences(in: bytes.span, path: "fuzz.geojson")
    } catch {
      guard case .invalid(_, let line, let column, let message) = error else {
        throw Violation(description: "violated: GeoJSON is refused with a place\n\(error)")
      }
      let lines = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
      try hold(
        "a refusal has a place", 1...lines ~= line && 1...bytes.count + 1 ~= column, "\(error)")
      try hold("a refusal says something", !message.isEmpty)
      return false
    }
    var set: [Fence] = []
    for (index, feature) in features.enumerated() {
      set.append(Fence(id: "\(index)", area: feature.area))
    }
    if let set = try? FenceSet(set) { try checkSet(set) }
    return !set.isEmpty
  }

  private static func checkTable(_ bytes: [UInt8]) throws -> Bool {
    let fences: [Fence]
    do throws(ConfigurationError) {
      fences = try FenceCSV.fences(bytes, path: "fuzz.csv")
    } catch {
      let lines = error.problems.map(\.place.line)
      try hold(
        "a table is refused with lines", !lines.isEmpty && lines.allSatisfy { $0 >= 1 }, "\(error)")
      return false
    }
    if let set = try? FenceSet(fences) { try checkSet(set) }
    return !fences.isEmpty
  }

  /// Compiled and opened again, fences are what they were; a device can be followed among them.
  private static func checkSet(_ set: FenceSet) throws {
    var bytes: [UInt8] = []
    set.writeCompiled { bytes.append(contentsOf: $0) }
    let opened = try FenceSet(compiled: bytes)
    try hold("compiled fences are what they were", opened == set)
    visit(opened)
  }

  /// Asks a set for all that it is asked for at work.
  private static func visit(_ set: FenceSet) {
    var places = [
      Coordinate(latitude: 52.5, longitude: 13.4), Coordinate(latitude: 90, longitude: 0),
      Coordinate(latitude: 0, longitude: 180),
    ]
    for fence in set.prefix(16) {
      _ = set.index(ofID: fence.id)
      switch fence.area {
      case .circle(let circle): places.append(circle.center)
      case .polygons(let polygons): places += polygons.prefix(2).compactMap(\.exterior.first)
      }
    }
    var tracker = Tracker(rules: Rules(fences: set))
    var events: [Event] = []
    for (number, place) in places.enumerated() where place.isValid {
      set.forEachFence(containing: place) { _ in }
      tracker.ingest(
        Fix(time: Timestamp(nanoseconds: Int64(number) * 3_600_000_000_000), coordinate: place),
        into: &events)
    }
  }

  // MARK: Compiled fences

  /// A good file, of which an input changes some bytes.
  private static let compiled: [UInt8] = {
    let home = Coordinate(latitude: 52.5, longitude: 13.4)
    var fences = (0..<4).map { number in
      Fence(
        id: "circle \(number)",
        area: .circle(
          Circle(center: home.destination(bearing: 90, distance: 300 * Double(number)), radius: 200)
        ))
    }
    let ring = (0..<7).map { home.destination(bearing: Double($0) * 50, distance: 400) }
    let hole = (0..<3).map { home.destination(bearing: Double($0) * 120, distance: 100) }
    if let polygon = try? Polygon(exterior: ring, holes: [hole]) {
      fences.append(Fence(id: "polygon", area: .polygons([polygon])))
    }
    var bytes: [UInt8] = []
    (try? FenceSet(fences))?.writeCompiled { bytes.append(contentsOf: $0) }
    return bytes
  }()

  /// The input is a file, or says which bytes of a good one are others: a place and a byte each.
  ///
  /// Its sums are made right, as they keep out damage, not malice.
  private static func checkCompiled(_ bytes: [UInt8]) throws -> Bool {
    var reader = ByteReader(bytes)
    var file = reader.below(4) == 0 ? reader.rest : reader.changed(compiled)
    if file.count >= FenceLayout.headerSize { mendSums(&file) }
    do throws(FenceFileError) {
      visit(try FenceSet(compiled: file))
      return true
    } catch {
      try hold("a refusal says something", !error.description.isEmpty)
      return false
    }
  }

  /// As ``FenceFileHead`` lays them out: the sum of the contents in the sixth word, that of the words
  /// before it behind the ranges of the parts.
  private static func mendSums(_ file: inout [UInt8]) {
    file.withUnsafeMutableBytes { bytes in
      let all = UnsafeRawBufferPointer(bytes)
      let contents = UnsafeRawBufferPointer(rebasing: all[FenceLayout.headerSize...])
      bytes.storeBytes(of: Checksum.of(contents), toByteOffset: 5 * 8, as: UInt64.self)
      let sumWord = 6 + 2 * FenceSection.allCases.count
      let summed = UnsafeRawBufferPointer(rebasing: all[0..<sumWord * 8])
      bytes.storeBytes(of: Checksum.of(summed), toByteOffset: sumWord * 8, as: UInt64.self)
    }
  }
}
