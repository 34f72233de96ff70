internal import Yams

extension Configuration {
  /// Reads the config file at `path` and the files that it includes.
  /// - Parameters:
  ///   - sections: The sections of other modules; a key of any other section is an error.
  ///   - ignored: The keys of sections that other programs read.
  ///   - change: A value that takes the place of one in the file, which must be valid without it.
  ///   - placesFences: Whether the program can place fences by fixes, or needs none; otherwise
  ///     `center: here` is an error.
  package init(
    path: String, sections: [any ConfigurationSection.Type] = [], ignoring ignored: [String] = [],
    changing change: ConfigurationChange? = nil, placesFences: Bool = false
  ) throws(ConfigurationError) {
    let bytes = try ConfigurationFile.contents(of: path, expected: "a config in YAML or JSON")
    try self.init(
      bytes, file: path, sections: sections, ignoring: ignored, changing: change,
      placesFences: placesFences, load: ConfigurationFile.read)
  }

  /// Reads a config from its text; the files that it includes are relative to the working folder.
  package init(
    text: [UInt8], sections: [any ConfigurationSection.Type], ignoring ignored: [String]
  ) throws(ConfigurationError) {
    try self.init(
      text, file: "config", sections: sections, ignoring: ignored, load: ConfigurationFile.read)
  }

  /// Reads a config that is in memory and includes no file; `name` is for its errors.
  package init(
    _ bytes: [UInt8], named name: String, sections: [any ConfigurationSection.Type] = []
  ) throws(ConfigurationError) {
    try self.init(bytes, file: name, sections: sections) {
      _ throws(ConfigurationFile.Failure) in throw .notFound
    }
  }

  /// Reads a config from the contents of `file`; `load` reads included files.
  init(
    _ bytes: [UInt8], file: String, sections: [any ConfigurationSection.Type] = [],
    ignoring ignored: [String] = [], changing change: ConfigurationChange? = nil,
    placesFences: Bool = false, load: @escaping ConfigurationReader.Load
  ) throws(ConfigurationError) {
    var root = try ConfigurationDocument.read(
      bytes, file: file, expected: "a config with keys such as fences and source")
    if let change { root = try change.applied(to: root) }
    var reader = ConfigurationReader(
      file: file, size: bytes.count, placesFences: placesFences, load: load)
    reader.readAll(root, sections, ignoring: ignored)
    if let problem = reader.problems.first, let change { throw change.error(problem) }
    guard reader.problems.isEmpty else { throw ConfigurationError(reader.sortedProblems) }
    self = reader.configuration
  }
}
