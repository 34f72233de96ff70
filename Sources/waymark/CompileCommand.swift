import ArgumentParser
import Session
import Settings
import System
import Tracking

struct CompileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile",
    abstract: "Compile fences into one file that loads in milliseconds.",
    discussion: """
      Reads fences from GeoJSON (.geojson), from CSV (.csv: id,latitude,longitude,radius), or from \
      a config and its included files, and writes them with their index as one file. A config \
      includes it in milliseconds, however many fences it has; all processes share its memory.

        waymark compile fences.geojson -o fences.wmf
        waymark compile waymark.yaml -o fences.wmf
        waymark compile --verify fences.wmf

      In the config: `fences: [{include: fences.wmf}]`. The settings of the fences, such as \
      dwell, are compiled with them. The file works on machines with the same byte order and with \
      versions of waymark that know its version. Compile it again rather than keep it.
      """)

  @Argument(
    help: ArgumentHelp("The fences; a compiled file with --verify.", valueName: "fences"),
    completion: .file())
  var fences: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Only read a compiled file and verify that it is intact.")
  var verify = false

  func validate() throws {
    if verify, output != nil { throw ValidationError("--verify writes nothing: leave out -o") }
    guard !verify else { return }
    guard let output else {
      throw ValidationError("-o is missing; expected a name such as fences.wmf")
    }
    guard output.hasSuffix(CompiledFences.suffix) else {
      throw ValidationError(
        "found -o \(output), expected a name that ends in \(CompiledFences.suffix)")
    }
    try FileUse.check(FileUse.inputs([fences]) + [written(output)])
  }

  private func written(_ output: String) -> FileUse {
    .writing("--output", output, suffixes: WholeFile.suffixes)
  }

  func run() throws {
    do {
      try verify ? check() : compile()
    } catch {
      throw ExitStatus.of(error)
    }
  }

  private func check() throws(FenceSourceError) {
    let set = try CompiledFences.open(fences)
    do throws(FenceFileError) {
      try set.verify()
    } catch {
      throw .compiled(path: fences, error)
    }
    Terminal.report("\(fences): \(SessionTotals.count(set.count, "fence")), whole")
  }

  private func compile() throws {
    guard let output else { return }
    let source = try FenceSource(fences, sections: SessionOptions.sections)
    try FileUse.check(
      source.included.map { .reading("an include of the config", $0) } + [written(output)])
    let set = source.fences
    if set.isEmpty { Terminal.remark("no fence in \(fences)") }
    try CompiledFences.write(set, to: output)
    let count = SessionTotals.count(set.count, "fence")
    Terminal.report("\(output): \(count), \(set.byteCount) bytes")
  }
}
