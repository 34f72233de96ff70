import Foundation
import Testing

/// What the documents show is what the commands print.
@Suite("Documentation", .timeLimit(.minutes(90)))
struct DocumentationTests {
  /// The documents whose blocks are run, each from its top to its end in a folder of its own.
  static let documents = [
    "README.md", "Docs/Guide.md", "Docs/Formats.md", "Docs/Cookbook.md", "Docs/Geocoding.md",
    "Docs/Live.md",
    "Docs/Maps.md", "Docs/Simulation.md", "Docs/Store.md", "Docs/Delivery.md",
    "Docs/Testing-Fences.md",
  ]
  static let reports = documents.flatMap(Report.all)

  @Test("a block that shows a command shows what it prints", arguments: reports)
  func blocksAreTrue(_ report: Report) {
    for fault in report.faults { Issue.record("\(report): \(fault)") }
  }

  @Test("every document has blocks to run, and a rule for those that are not")
  func blocksAreFound() throws {
    for path in Self.documents {
      let blocks = try Transcript.all(in: path)
      #expect(blocks.contains { $0.reasonToSkip == nil }, "\(path)")
    }
  }

  @Test(
    "lines are taken as shown when a terminal could have shown them",
    arguments: [
      (["a", "b"], ["a", "b"], [], nil),
      (["w", "a", "b"], ["a", "b"], ["w"], nil),
      (["a", "w", "b", "v"], ["a", "b"], ["w", "v"], nil),
      (["a", "…", "d"], ["a", "b", "c", "d"], ["w"], nil),
      (["..."], ["a"], ["w"], nil),
      (["b", "a"], ["a", "b"], [], "b"),
      (["a", "x"], ["a"], [], "x"),
      (["a"], ["a", "b"], [], "the end"),
      (["a"], ["a"], ["w"], "the end"),
      ([], [], [], nil),
    ] as [([String], [String], [String], String?)])
  func comparison(shown: [String], output: [String], errors: [String], stop: String?) {
    #expect(Transcript.firstUntrue(of: shown, output: output, errors: errors) == stop)
  }

  @Test("a block is cut into commands and what each printed")
  func cutting() {
    let text = [
      "# Title", "```yaml", "$ no", "```", "```", "$ cat f", "1", "$ a |", "  b", "2", "```",
    ]
    let blocks = Transcript.all(of: text, in: "x.md")
    #expect(blocks.count == 1)
    #expect(blocks.first?.lines == 5..<10)
    #expect(blocks.first?.steps.map(\.command) == ["cat f", "a |\n  b"])
    #expect(blocks.first?.steps.map(\.shown) == [["1"], ["2"]])
  }
}

/// A fenced block without a language that begins with `$ `: commands, and what they print.
///
/// A command whose line ends with `|` goes on in the next one. A line `…` or `...` stands for any
/// lines.
struct Transcript {
  struct Step {
    var command: String
    var shown: [String]

    /// The step as the document has it.
    var text: [String] { ["$ " + command] + shown }

    /// The file whose contents the step shows, when it is no more than that.
    var shownFile: String? {
      let words = command.split(separator: " ")
      guard words.count == 2, words[0] == "cat" else { return nil }
      return String(words[1])
    }
  }

  var path: String
  /// Which lines of the document it is, the first being 0.
  var lines: Range<Int>
  var steps: [Step]

  /// Why the block is not run, if it is not: it builds or installs, it takes the time that it
  /// shows, or the machine lacks a tool that the project does not need.
  var reasonToSkip: String? {
    for step in steps {
      let words = step.command.split { $0.isWhitespace }.map(String.init)
      if let first = words.first, ["make", "swift", "git", "install"].contains(first) {
        return "\(first) is for a checkout"
      }
      if words.first == "apt" { return "apt changes the machine" }
      if words.contains("--speed") { return "--speed waits" }
      if words.contains("jq"), !Self.hasJQ { return "jq is not installed" }
    }
    return nil
  }

  private static let hasJQ = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/jq") }

  static func all(in path: String) throws -> [Transcript] {
    let text = try String(contentsOf: CommandRunner.package(path), encoding: .utf8)
    return all(of: text.components(separatedBy: "\n"), in: path)
  }

  static func all(of lines: [String], in path: String) -> [Transcript] {
    var blocks: [Transcript] = []
    var start: Int?
    for (index, line) in lines.enumerated() where line.hasPrefix("```") {
      guard let begin = start else {
        start = index
        continue
      }
      start = nil
      let body = Array(lines[(begin + 1)..<index])
      guard lines[begin] == "```", body.first?.hasPrefix("$ ") == true else { continue }
      blocks.append(
        Transcript(path: path, lines: begin + 1..<index, steps: steps(of: body)))
    }
    return blocks
  }

  private static func steps(of lines: [String]) -> [Step] {
    var steps: [Step] = []
    for line in lines {
      if line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2)), shown: []))
      } else if let last = steps.indices.last {
        if steps[last].shown.isEmpty, steps[last].command.hasSuffix("|") {
          steps[last].command += "\n" + line
        } else {
          steps[last].shown.append(line)
        }
      }
    }
    return steps
  }

  /// The first shown line that cannot be true, nil when all are: the shown lines must be those of
  /// output and errors, each in its order, mingled in any way, as a terminal would.
  static func firstUntrue(of shown: [String], output: [String], errors: [String]) -> String? {
    // How many lines of each may have been shown so far.
    var places: Set<[Int]> = [[0, 0]]
    for line in shown {
      var next: Set<[Int]> = []
      for place in places {
        let (out, err) = (place[0], place[1])
        if line == "…" || line == "..." {
          for later in out...output.count {
            for alsoLater in err...errors.count { next.insert([later, alsoLater]) }
          }
        } else {
          if out < output.count, output[out] == line { next.insert([out + 1, err]) }
          if err < errors.count, errors[err] == line { next.insert([out, err + 1]) }
        }
      }
      if next.isEmpty { return line }
      places = next
    }
    return places.contains([output.count, errors.count]) ? nil : "the end"
  }
}

/// What running a block showed.
struct Report: CustomTestStringConvertible, CustomStringConvertible {
  var path: String
  var line: Int
  var faults: [String]

  var description: String { "\(path):\(line)" }
  var testDescription: String { description }

  /// Whether samples that are not true are written anew instead (`make samples`).
  private static let mends = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"] == "write"

  /// Runs the blocks of a document in their order, so that each finds the files of those before.
  static func all(in path: String) -> [Report] {
    do {
      let runner = try CommandRunner()
      var mended: [(lines: Range<Int>, text: [String])] = []
      let reports = try Transcript.all(in: path).filter { $0.reasonToSkip == nil }.map { block in
        var steps = block.steps
        let faults = try steps.indices.compactMap { try check(&steps[$0], on: runner) }
        if mends { mended.append((block.lines, steps.flatMap(\.text))) }
        return Report(path: path, line: block.lines.lowerBound + 1, faults: faults)
      }
      if mends { try write(mended, to: path) }
      return reports
    } catch {
      return [Report(path: path, line: 1, faults: ["cannot be run: \(error)"])]
    }
  }

  /// What is untrue of what a step shows; nil when nothing is, or when it was mended.
  private static func check(_ step: inout Transcript.Step, on runner: CommandRunner) throws
    -> String?
  {
    if let name = step.shownFile, !runner.exists(name) {
      try runner.write(name, step.shown.map { $0 + "\n" }.joined())
    }
    let command = "PATH=\"${waymark%/*}:$PATH\"\n" + step.command
    let outcome = try runner.shell(command)
    guard
      let untrue = Transcript.firstUntrue(
        of: step.shown, output: lines(outcome.output), errors: lines(outcome.errors))
    else { return nil }
    // What is left out is a choice that only a person can make anew.
    if mends, !step.shown.contains(where: { ["…", "..."].contains($0) }) {
      step.shown = lines(try runner.shell("exec 2>&1\n" + command).output)
      return nil
    }
    return """
      `\(step.command)` does not print what is shown, from: \(untrue)
      standard output:
      \(outcome.output)standard error:
      \(outcome.errors)
      """
  }

  /// Puts texts in the place of lines of a document.
  private static func write(
    _ mended: [(lines: Range<Int>, text: [String])], to path: String
  ) throws {
    let file = CommandRunner.package(path)
    var page = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    for (lines, text) in mended.reversed() { page.replaceSubrange(lines, with: text) }
    try page.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
  }

  private static func lines(_ text: String) -> [String] {
    var lines = text.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
