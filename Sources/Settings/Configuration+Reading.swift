internal import Yams

extension Configuration {
  /// Reads the config file at `path` and the files that it includes.
  /// - Parameters:
  ///   - sections: The sections of other modules; a key of any other section is an error.
  ///   - change: A value that takes the place of one in the file, which must be valid without it.
  package init(
    path: String, sections: [any ConfigurationSection.Type] = [],
    changing change: ConfigurationChange? = nil
  ) throws(ConfigurationError) {
    let bytes: [UInt8]
    do {
      bytes = try ConfigurationFile.read(path)
    } catch {
      throw Self.error(error, path)
    }
    try self.init(
      bytes, file: path, sections: sections, changing: change, load: ConfigurationFile.read)
  }

  /// Reads a config from the contents of `file`; `load` reads included files.
  init(
    _ bytes: [UInt8], file: String, sections: [any ConfigurationSection.Type] = [],
    changing change: ConfigurationChange? = nil,
    load: @escaping ConfigurationReader.Load
  ) throws(ConfigurationError) {
    var root = try ConfigurationDocument.read(bytes, file: file)
    if let change { root = try change.applied(to: root) }
    var reader = ConfigurationReader(file: file, size: bytes.count, load: load)
    reader.readAll(root, sections)
    if let problem = reader.problems.first, let change { throw change.error(problem) }
    guard reader.problems.isEmpty else { throw ConfigurationError(reader.sortedProblems) }
    self = reader.configuration
  }

  private static func error(_ failure: ConfigurationFile.Failure, _ path: String)
    -> ConfigurationError
  {
    let place = ConfigurationPlace(file: path)
    switch failure {
    case .notFound:
      return ConfigurationError(
        [ConfigurationProblem(place, found: "no such file", expected: "a config in YAML or JSON")],
        kind: .notFound)
    case .refused(let reason):
      return ConfigurationError(
        [
          ConfigurationProblem(
            place, found: "it unreadable (\(reason))", expected: "a readable file")
        ],
        kind: .unreadable)
    case .tooLarge:
      return ConfigurationError([
        ConfigurationProblem(place, found: "more than 64 MiB", expected: "a smaller config")
      ])
    }
  }
}
