internal import Settings

/// Why a config file cannot be used: all of its problems.
public struct SettingsError: Error, Sendable, Hashable {
  /// What is wrong, for programs.
  ///
  /// Later versions may add codes, so a `switch` over them needs a `default`.
  public struct Code: RawRepresentable, Sendable, Hashable, Codable {
    /// The name of the code, which stays the same in later versions.
    public let rawValue: String
    /// A code by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such file.
    public static let notFound = Self(rawValue: "notFound")
    /// The system refuses to read the file.
    public static let unreadable = Self(rawValue: "unreadable")
    /// The contents are invalid; ``SettingsError/problems`` has each place.
    public static let invalid = Self(rawValue: "invalid")
  }

  /// What is wrong.
  public let code: Code
  /// All problems, those of the file first, then those of the files that it includes; at most 1,000.
  public let problems: [SettingsProblem]

  init(_ error: ConfigurationError) {
    code =
      switch error.kind {
      case .notFound: .notFound
      case .unreadable: .unreadable
      case .invalid: .invalid
      }
    problems = error.problems.map {
      SettingsProblem($0.place, keyPath: $0.keyPath, message: $0.sentence)
    }
  }
}

extension SettingsError: CustomStringConvertible {
  /// One line for each problem.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// A problem of a config file, and its place.
public struct SettingsProblem: Sendable, Hashable {
  /// The path of the file.
  public let file: String
  /// The line, from 1; nil for the whole file.
  public let line: Int?
  /// The column in Unicode scalars, from 1; nil for the whole line.
  public let column: Int?
  /// The path of the value, such as `fences[2].radius`, counted from 0; empty for the whole file.
  public let keyPath: String
  /// What was found and what was expected, one sentence without the place.
  public let message: String

  init(_ place: ConfigurationPlace, keyPath: String, message: String) {
    file = place.file
    line = place.line > 0 ? place.line : nil
    column = place.line > 0 && place.column > 0 ? place.column : nil
    (self.keyPath, self.message) = (keyPath, message)
  }
}

extension SettingsProblem: CustomStringConvertible {
  /// One line: the place as `file:line:column`, and the message.
  public var description: String {
    let place = [line, column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(file)\(place): \(message)"
  }
}
