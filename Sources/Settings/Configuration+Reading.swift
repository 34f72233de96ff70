internal import Yams

extension Configuration {
  /// Reads the config file at `path` and the files that it includes.
  /// - Parameter sections: The sections of other modules; a key of any other section is an error.
  package init(
    path: String, sections: [any ConfigurationSection.Type] = []
  ) throws(ConfigurationError) {
    let bytes = try ConfigurationFile.contents(of: path, expected: "a config in YAML or JSON")
    try self.init(bytes, file: path, sections: sections, load: ConfigurationFile.read)
  }

  /// Reads a config from the contents of `file`; `load` reads included files.
  init(
    _ bytes: [UInt8], file: String, sections: [any ConfigurationSection.Type] = [],
    load: @escaping ConfigurationReader.Load
  ) throws(ConfigurationError) {
    let root = try ConfigurationDocument.read(
      bytes, file: file, expected: "a config with keys such as fences and source")
    var reader = ConfigurationReader(file: file, size: bytes.count, load: load)
    reader.readAll(root, sections)
    guard reader.problems.isEmpty else { throw ConfigurationError(reader.sortedProblems) }
    self = reader.configuration
  }
}
