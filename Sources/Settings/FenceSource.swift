internal import Formats
internal import System
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
      (fences, included) = (try Self.set(Self.csv(path)), [])
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

  private static func csv(_ path: String) throws(FenceSourceError) -> [Fence] {
    let bytes = try bytes(path)
    do throws(ConfigurationError) {
      return try FenceCSV.fences(bytes, path: path)
    } catch {
      throw .invalid(error)
    }
  }

  private static func geoJSON(_ path: String) throws(FenceSourceError) -> [Fence] {
    let bytes = try bytes(path)
    let (features, errors) = GeoJSON.read(bytes.span, path: path)
    var (fences, ids) = ([Fence](), FenceIDs())
    var problems = errors.map { ConfigurationProblem($0, in: path) }
    for feature in features where problems.count < ConfigurationError.mostProblems {
      let id = feature.fenceID(in: path)
      if let problem = ids.add(id, at: ConfigurationPlace(file: path, line: feature.line)) {
        problems.append(problem)
      }
      fences.append(Fence(id: id, area: feature.area))
    }
    guard problems.isEmpty else { throw .invalid(ConfigurationError(problems)) }
    return fences
  }

  private static func bytes(_ path: String) throws(FenceSourceError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(WholeFile.Failure) {
      bytes = try WholeFile.read(path)
    } catch {
      throw .system(path: path, reason: error.reason)
    }
    if let packed = ForeignFile.packedName(of: bytes[...]) {
      let problem = ConfigurationProblem(
        ConfigurationPlace(file: path), found: packed,
        expected: "text; fences are not read from packed files, so unpack it first")
      throw .invalid(ConfigurationError([problem]))
    }
    return bytes
  }

  private static func set(_ fences: [Fence]) throws(FenceSourceError) -> FenceSet {
    do throws(FenceSetError) {
      return try FenceSet(fences)
    } catch {
      throw .set(error)
    }
  }
}

/// Why fences could not be read.
package enum FenceSourceError: Error, Sendable, CustomStringConvertible {
  case system(path: String, reason: String)
  case compiled(path: String, FenceFileError)
  /// The contents of a CSV or GeoJSON file are invalid.
  case invalid(ConfigurationError)
  case set(FenceSetError)
  case configuration(ConfigurationError)

  /// The error and what was expected.
  package var description: String {
    switch self {
    case .system(let path, let reason): "\(path): \(reason)"
    case .compiled(let path, let error): "\(path): \(error)"
    case .set(let error): "\(error)"
    case .invalid(let error), .configuration(let error): error.description
    }
  }
}
