import Settings
import TestSupport

@testable import FenceTesting

/// A folder with a config and files of tests.
struct FenceTestFixture {
  let folder: ScratchFolder

  /// A way of 4 km to the north through three fences: at 5 m/s the edges are crossed after 180 s and
  /// 220 s (gate, 100 m), 380 s and 420 s (yard), and the end of the way is in goal.
  static let way = "path: {points: [[0, 1], [0.036, 1]], speed: 5 m/s, every: 1 s}"
  static let config = """
    device: van
    fences:
      - {id: gate, center: [0.009043, 1], radius: 100 m}
      - {id: yard, center: [0.018087, 1], radius: 100 m, notify: [enter, exit, dwell], dwell: 20 s}
      - {id: goal, center: [0.036, 1], radius: 200 m, notify: [enter]}
    visits: false
    significant-changes: false

    """

  init(config: String = Self.config) throws {
    folder = try ScratchFolder()
    try folder.write("waymark.yaml", config)
  }

  /// The text of a file with one test on the way.
  static func text(_ statements: String) -> String {
    let lines = statements.split(separator: "\n", omittingEmptySubsequences: false)
    return """
      config: waymark.yaml
      tests:
        - name: a way
          \(way)

      """ + lines.map { "    \($0)\n" }.joined()
  }

  /// Reads a file of tests.
  func read(_ text: String, _ name: String = "test.yaml") throws -> FenceTestFile {
    try folder.write(name, text)
    var loader = FenceTestLoader(sections: [])
    return try loader.read(folder.file(name))
  }

  /// Runs a file of tests.
  func run(
    _ text: String, _ run: FenceTestRun = FenceTestRun()
  ) throws -> FenceTestReport {
    run.run([try read(text)])
  }

  /// The failures of a test on the way, without the folder.
  func failures(_ statements: String) throws -> [String] {
    let report = try run(Self.text(statements))
    return report.results.flatMap(\.failures).map { "\($0.place.line): \($0.message)" }
  }

  /// The errors of a file, without the folder.
  func errors(_ text: String) -> [String] {
    do {
      _ = try read(text)
      return []
    } catch let error as ConfigurationError {
      return error.description.split(separator: "\n").map {
        String($0).replacing(folder.path + "/", with: "").replacing("test.yaml:", with: "")
      }
    } catch {
      return ["\(error)"]
    }
  }
}
