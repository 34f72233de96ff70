package import Settings
internal import Tracking

/// Reads files of tests and the configs that they name.
package struct FenceTestLoader {
  private let sections: [any ConfigurationSection.Type]
  /// The configs read so far, by path.
  private var configurations: [String: Result<Loaded, ConfigurationError>] = [:]

  struct Loaded {
    var path: String
    var configuration: Configuration
    var rules: Rules
  }

  /// - Parameter sections: The sections of the config that other modules read.
  package init(sections: [any ConfigurationSection.Type]) { self.sections = sections }

  /// Reads a file of tests.
  ///
  /// - Throws: All errors of the file and of its config.
  package mutating func read(_ path: String) throws(ConfigurationError) -> FenceTestFile {
    let expected = "a file of tests with the keys config and tests"
    let bytes = try ConfigurationSectionReader.contents(of: path, expected: expected)
    var damage: [ConfigurationProblem] = []
    var file: FenceTestFile?
    do throws(ConfigurationError) {
      file = try ConfigurationSectionReader.read(
        bytes, file: path, keys: ["config", "tests"], expected: expected
      ) { section in
        let loaded = configuration(&section, &damage)
        let tests = FenceTestReader(fences: loaded?.rules.fences).tests(&section)
        return loaded.map { loaded in
          FenceTestFile(
            path: path, tests: tests, config: loaded.path, configuration: loaded.configuration,
            rules: loaded.rules, tables: loaded.configuration[CSVSection.self].options,
            bytes: bytes)
        }
      }
    } catch {
      throw ConfigurationError(error.problems + damage)
    }
    guard let file else { throw ConfigurationError(damage) }
    return file
  }

  /// The config that a file names; its own errors are added to `damage`.
  private mutating func configuration(
    _ section: inout ConfigurationSectionReader, _ damage: inout [ConfigurationProblem]
  ) -> Loaded? {
    guard let path = section.path("config", expected: "the path of a config") else {
      if !section.has("config") {
        section.note(found: "no config", expected: "config: and the path of a config")
      }
      return nil
    }
    let result =
      configurations[path]
      ?? Result { () throws(ConfigurationError) in try load(path) }
    configurations[path] = result
    switch result {
    case .success(let loaded): return loaded
    case .failure(let error) where error.kind == .invalid: damage += error.problems
    case .failure(let error):
      let found = error.problems.first?.found ?? "an unreadable file"
      section.note(valueOf: "config", found: "\(found) at '\(path)'", expected: "a config")
    }
    return nil
  }

  private func load(_ path: String) throws(ConfigurationError) -> Loaded {
    let configuration = try Configuration(path: path, sections: sections)
    do throws(FenceSetError) {
      return Loaded(path: path, configuration: configuration, rules: try configuration.rules())
    } catch {
      let place = ConfigurationPlace(file: path)
      throw ConfigurationError([
        ConfigurationProblem(place, found: error.description, expected: "")
      ])
    }
  }
}
