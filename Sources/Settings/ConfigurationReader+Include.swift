internal import Formats
internal import Geodesy
internal import Text
internal import Traces
internal import Yams

/// Fences from included files.
extension ConfigurationReader {
  mutating func readInclude(_ keys: ConfigurationKeys) {
    let path = keys.path("include")
    let settings = settings(keys)
    guard let node = keys["include"],
      let name = name(node, path, expected: "the path of a GeoJSON file such as fences.geojson")
    else { return }
    let included = ConfigurationFile.resolve(name, besides: file)
    configuration.included.append(included)
    guard !included.hasSuffix(CompiledFences.suffix) else {
      includeCompiled(included, node, path, hasSettings: keys.pairs.count > 1)
      return
    }
    guard let bytes = contents(of: included, node, path) else { return }
    do {
      let features = try GeoJSON.fences(in: bytes.span, path: included)
      add(features, from: included, settings ?? ConfigurationFenceSettings())
    } catch {
      note(problem(error, included))
    }
  }

  /// Includes compiled fences, which have their own settings.
  private mutating func includeCompiled(
    _ included: String, _ node: Node, _ path: String, hasSettings: Bool
  ) {
    guard !hasSettings else {
      note(
        node, path, found: "settings beside compiled fences",
        expected: "none, as they have their own: give them to the config that is compiled")
      return
    }
    do throws(FenceSourceError) {
      configuration.compiled.append(try CompiledFences.open(included))
    } catch {
      note(
        node, path, found: "no compiled fences (\(error))",
        expected: "a file that 'waymark compile' wrote")
    }
  }

  private mutating func contents(of included: String, _ node: Node, _ path: String) -> [UInt8]? {
    let shown = Self.quoted(included)
    do {
      let bytes = try load(included)
      includedBytesLeft -= bytes.count
      if includedBytesLeft >= 0 { return bytes }
      note(
        node, path, found: "\(shown) to make included files over 256 MiB",
        expected: "less, or a file that 'waymark compile' wrote")
      return nil
    } catch {
      switch error {
      case .notFound:
        note(
          node, path, found: "no file \(shown)",
          expected: "a GeoJSON file, its path relative to the config")
      case .tooLarge:
        note(node, path, found: "\(shown) to be over 64 MiB", expected: "a smaller file")
      case .refused(let reason):
        note(node, path, found: "\(shown) unreadable (\(reason))", expected: "a readable file")
      }
      return nil
    }
  }

  private func problem(_ error: TraceError, _ included: String) -> ConfigurationProblem {
    guard case .invalid(_, let line, let column, let message) = error else {
      return ConfigurationProblem(
        ConfigurationPlace(file: included), found: "no GeoJSON (\(error))",
        expected: "an RFC 7946 file of Points with a radius, Polygons or MultiPolygons")
    }
    return ConfigurationProblem(
      ConfigurationPlace(file: included, line: line, column: column), found: message, expected: "")
  }

  private mutating func add(
    _ features: [GeoJSONFence], from included: String, _ settings: ConfigurationFenceSettings
  ) {
    let stem = Self.stem(included)
    for (index, feature) in features.enumerated() {
      let id = feature.id ?? "\(stem)-\(index + 1)"
      let place = ConfigurationPlace(file: included, line: feature.line)
      guard registered(id, place, "") else { continue }
      configuration.entries.append(
        settings.entry(
          id: id, area: feature.area, place: place, spansWideEdge: feature.spansWideEdge))
    }
  }

  /// The file name without its folder and its last extension.
  static func stem(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }
}
