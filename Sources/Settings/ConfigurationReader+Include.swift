internal import Formats
internal import Geodesy
internal import Text
internal import Traces
internal import Tracking
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
    if let packed = ForeignFile.packedName(of: bytes[...]) {
      note(
        node, path, found: "\(Self.quoted(included)) to be \(packed)",
        expected: "a GeoJSON file; fences are not read from packed files, so unpack it first")
      return
    }
    let (features, errors) = GeoJSON.read(bytes.span, path: included)
    for error in errors { note(ConfigurationProblem(error, in: included)) }
    add(features, from: included, settings ?? ConfigurationFenceSettings())
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
      configuration.compiledFiles.append(included)
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

  private mutating func add(
    _ features: [GeoJSONFence], from included: String, _ settings: ConfigurationFenceSettings
  ) {
    for feature in features {
      let id = feature.fenceID(in: included)
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

  /// Notes the ids of compiled fences that others have too.
  ///
  /// A file that is alone is not read, and the ids of the longest are not kept.
  mutating func registerCompiled() {
    let files = zip(configuration.compiledFiles, configuration.compiled)
      .sorted { $0.1.count < $1.1.count }
    guard files.count > 1 || !ids.isEmpty else { return }
    for (index, (file, fences)) in files.enumerated() {
      let (place, isKept) = (ConfigurationPlace(file: file), index + 1 < files.count)
      for fence in fences.indices {
        guard problems.count < ConfigurationError.mostProblems else { return }
        if let problem = ids.add(fences.id(at: fence), at: place, isKept: isKept) { note(problem) }
      }
    }
  }
}

extension GeoJSONFence {
  /// Its id, or that of a feature without one: the file's name with a number.
  func fenceID(in path: String) -> String {
    id ?? "\(ConfigurationReader.stem(path))-\(number)"
  }
}

extension ConfigurationProblem {
  /// The error of an included file.
  init(_ error: TraceError, in file: String) {
    guard case .invalid(_, let line, let column, let message) = error else {
      self.init(
        ConfigurationPlace(file: file), found: "no GeoJSON (\(error))",
        expected: "an RFC 7946 file of Points with a radius, Polygons or MultiPolygons")
      return
    }
    self.init(
      ConfigurationPlace(file: file, line: line, column: column), found: message, expected: "")
  }
}
