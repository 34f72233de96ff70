import ArgumentParser
import FenceTesting
import Foundation
import Settings
import System
import Text
import Traces

struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Run fence tests: tracks, and what must and must not happen.",
    discussion: """
      A file of tests names a config, and for each test a track, or a path that is described in a \
      line, and the events that are expected, in order. The tests are played as replay plays them, on \
      every core. A failure names the file and the line, the nearest event, and why it came.

        waymark test waymark-test.yaml
        waymark test waymark-test.yaml --run office --coverage
        waymark test waymark-test.yaml --seeds 100
        waymark test waymark-test.yaml --update
        waymark test waymark-test.yaml --format github --junit tests.xml

      The format of the files is in Docs/Testing-Fences.md. The exit code is 0 when all tests passed \
      and 1 when one failed. Before that come 78 for an error in a file of tests or its config (then no \
      test is run), 66 for a missing track, and 65 for a track with errors.
      """)

  @Argument(
    help: ArgumentHelp("Files of tests, YAML or JSON.", valueName: "file"), completion: .file())
  var files: [String]

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp(
      "Run only tests whose name has a match of this regular expression.", valueName: "regex"))
  var pattern: String?

  @Option(
    help: ArgumentHelp(
      "Run tests of a path with noise with this many seeds; all must pass.", valueName: "number"))
  var seeds = 1

  @Flag(help: "List the fences, and the edges of polygons, that no test crossed.")
  var coverage = false

  @Flag(
    help: """
      Write the times, durations and confidences of this run into the expectations that failed, and \
      show the lines that change.
      """)
  var update = false

  @Option(help: "How results are written: text, json, tap, junit or github.")
  var format: FenceTestFormat = .text

  @Option(
    help: ArgumentHelp("Also write the results as JUnit's XML to this file.", valueName: "file"),
    completion: .file())
  var junit: String?

  @Option(
    help: ArgumentHelp(
      "How many threads work; one for each core if not given.", valueName: "number")
  )
  var threads: Int?

  func validate() throws {
    if let threads { try ThreadOptions.check(threads) }
    guard (1...1_000_000).contains(seeds) else {
      throw ValidationError("--seeds is \(seeds), expected a number from 1 to 1000000")
    }
    if update, seeds > 1 {
      throw ValidationError("--update writes the values of one seed; leave --seeds out")
    }
    if junit == "-" {
      throw ValidationError(
        "--junit and the results both use standard output (-); name a file, or give --format junit")
    }
    _ = try regex()
    try FileUse.check(uses())
  }

  /// The files that are read and written, as far as they are known.
  private func uses(_ read: [FenceTestFile] = []) -> [FileUse] {
    var uses = FileUse.inputs(files)
    for file in read {
      uses.append(.reading("the config of '\(file.path)'", file.config))
      uses += FileUse.config(nil, file.configuration)
    }
    // A recording may be in thousands of tests.
    uses += FileUse.inputs(Set(read.flatMap(\.tracks)).sorted())
    if update {
      for path in Set(files.map { FileIdentity.target(behind: $0) }).sorted() {
        uses += WholeFile.suffixes.map { FileUse.writing("the new file of --update", path + $0) }
      }
    }
    if let junit { uses.append(.writing("--junit", junit)) }
    return uses
  }

  private func regex() throws -> Regex<AnyRegexOutput>? {
    guard let pattern else { return nil }
    guard let regex = try? Regex(pattern) else {
      throw ValidationError("--run: '\(pattern)' is not a regular expression")
    }
    return regex
  }

  func run() throws {
    do {
      let all = try read()
      if update || junit != nil { try FileUse.check(uses(all)) }
      let files = try chosen(from: all)
      let meter = ProgressMeter()
      var run = FenceTestRun()
      (run.seeds, run.wantsCoverage) = (seeds, coverage)
      run.threads = threads ?? ProcessInfo.processInfo.activeProcessorCount
      var report = run.run(files) { done, all in
        meter.show { ProgressMeter.line(done, of: all, "tests", elapsed: $0) }
      }
      meter.finish()
      if update { try write(FenceTestUpdate(of: files, mending: &report)) }
      try show(report)
      if let code = code(report) { throw code }
    } catch {
      throw ExitStatus.of(error)
    }
  }

  // MARK: What is run

  /// Reads all files, and reports the errors of all.
  private func read() throws -> [FenceTestFile] {
    var loader = FenceTestLoader(sections: SessionOptions.sections)
    var (read, failures) = ([] as [FenceTestFile], [] as [ConfigurationError])
    for path in files {
      do throws(ConfigurationError) {
        read.append(try loader.read(path))
      } catch {
        failures.append(error)
      }
    }
    guard let first = failures.first else { return read }
    let worst = failures.first { $0.kind == .invalid } ?? first
    throw ConfigurationError(failures.flatMap(\.problems), kind: worst.kind)
  }

  private func chosen(from files: [FenceTestFile]) throws -> [FenceTestFile] {
    guard let regex = try regex() else { return files }
    let chosen = files.map { file in
      var file = file
      file.tests.removeAll { !$0.name.contains(regex) }
      return file
    }
    guard chosen.contains(where: { !$0.tests.isEmpty }) else {
      throw ValidationError("--run: no test has a name with a match of '\(pattern ?? "")'")
    }
    return chosen
  }

  // MARK: What comes out

  private func write(_ update: FenceTestUpdate) throws {
    for file in update.files {
      do throws(WholeFile.Failure) {
        let target = FileIdentity.target(behind: file.path)
        let mode = try WholeFile.mode(of: target) ?? 0o644
        try WholeFile.replace(target, with: file.bytes, mode: mode)
      } catch {
        throw OutputError.refused(path: file.path, reason: error.reason)
      }
      // Programs get the results alone.
      if format == .text { try answer(file.diff) } else { file.diff.forEach(Terminal.report) }
    }
  }

  private func show(_ report: FenceTestReport) throws {
    var shown: Set<String> = []
    for warning in report.results.flatMap(\.warnings) where shown.insert(warning).inserted {
      Terminal.report("waymark: \(warning)")
    }
    if let junit {
      let text = FenceTestFormat.junit.lines(report).map { $0.withoutControls + "\n" }.joined()
      let file = try OutputFile(path: junit)
      try file.append(Array(text.utf8))
      try file.close()
    }
    try answer(format.lines(report))
    // JUnit's XML has no place for it.
    if format == .junit { report.coverage?.lines.forEach { Terminal.report("waymark: \($0)") } }
    Terminal.report("waymark: \(report.summary)")
  }

  private func answer(_ lines: [String]) throws {
    do {
      try Terminal.answer(lines)
    } catch let code as ExitCode where code.isSuccess {
      // The reader has gone; the exit code still reports what failed.
    }
  }

  /// The exit code; nil when all is well.
  private func code(_ report: FenceTestReport) -> ExitCode? {
    var codes = Set(report.results.compactMap(\.error).map(ExitStatus.status))
    if report.results.contains(where: \.hasIssues) { codes.insert(ExitStatus.badData) }
    if report.failed > 0 { codes.insert(ExitStatus.different) }
    return Self.precedence.first(where: codes.contains)
  }

  /// What could not be tested comes before what failed.
  private static let precedence = [
    ExitStatus.noInput, ExitStatus.inputOutput, ExitStatus.badData, ExitStatus.different,
  ]
}

extension FenceTestFormat: ExpressibleByArgument {}
