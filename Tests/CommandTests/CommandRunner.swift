import Foundation
import Glibc
import TestSupport

/// Runs `waymark` as a user does, in a new folder with a link to `traces/`.
///
/// Commands run in the folder, so paths in messages are short and the same in every run.
final class CommandRunner {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("waymark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("traces"), withDestinationURL: Self.package("traces"))
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// The output, messages and exit code of a command.
  struct Outcome: Equatable {
    var output: String
    var errors: String
    var code: Int32
  }

  /// Runs `waymark` with standard input from `input`, or closed to it.
  func waymark(
    _ arguments: [String], input: String? = nil, environment: [String: String] = [:]
  ) throws -> Outcome {
    try run(try Built.program("waymark"), arguments, input, environment)
  }

  /// Starts `waymark` without waiting for its end.
  ///
  /// Its standard error goes to a file, and its standard output to `output`, if given.
  func start(
    _ arguments: [String], errors: String = ".err-\(UUID().uuidString)", output: Pipe? = nil,
    umask: String = "022", environment: [String: String] = [:],
    input: FileHandle = .nullDevice
  ) throws -> Running {
    let process = Process()
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // A write beyond the file size limit must fail, as on a full disk, instead of killing the
    // process.
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      ["-c", #"umask \#(umask); trap "" XFSZ; exec "$0" "$@""#, try Built.program("waymark")]
      + arguments
    process.currentDirectoryURL = folder
    process.standardInput = input
    process.standardOutput = output ?? FileHandle.nullDevice
    let file = try scratch(errors)
    process.standardError = try FileHandle(forWritingTo: file)
    try process.run()
    return Running(process: process, errors: file)
  }

  /// A started command, which is killed when this object is released.
  final class Running {
    private let process: Process
    private let errors: URL

    fileprivate init(process: Process, errors: URL) {
      self.process = process
      self.errors = errors
    }

    deinit { if process.isRunning { send(SIGKILL) } }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// The bytes of memory that it has (VmRSS of proc(5)).
    func memory() throws -> Int {
      let status = try String(
        contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      guard let kilobytes = status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap({ Int($0.1) }) else {
        throw Failure(description: "no VmRSS in \(status)")
      }
      return kilobytes << 10
    }

    /// Limits the size of its files to so many bytes; nil for no limit.
    func limitFiles(to length: Int?) throws {
      let limiter = Process()
      limiter.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      limiter.arguments = [
        "prlimit", "--pid", "\(process.processIdentifier)",
        "--fsize=\(length.map(String.init) ?? "unlimited"):unlimited",
      ]
      try limiter.run()
      try limiter.waitForEnd()
      guard limiter.terminationStatus == 0 else { throw Failure(description: "prlimit failed") }
    }

    /// Waits for its end and returns its standard error and its exit code.
    func finish() throws -> Outcome {
      try process.waitForEnd()
      let isKilled = process.terminationReason == .uncaughtSignal
      return Outcome(
        output: "", errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self),
        code: isKilled ? 128 + process.terminationStatus : process.terminationStatus)
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Waits until a file contains a text.
  func wait(for text: String, in file: String) throws {
    try blockUntil("\(text) in \(file): \((try? read(file)) ?? "no file")") {
      (try? read(file))?.contains(text) == true
    }
  }

  /// Runs a shell command line, in which `$waymark` is the binary.
  func shell(_ line: String, _ shell: String = "sh") throws -> Outcome {
    try run("/bin/\(shell)", ["-c", line], nil, ["waymark": try Built.program("waymark")])
  }

  func write(_ name: String, _ text: String) throws {
    let file = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
  }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
  }

  /// A file of the package.
  static func package(_ path: String) -> URL { Built.package(path) }

  /// How long a command may take, with a large input on a busy machine.
  private static let longest = Duration.seconds(1_200)

  /// Output goes to files: a full pipe without a reader would block the command.
  private func run(
    _ path: String, _ arguments: [String], _ input: String?, _ environment: [String: String]
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let files = try ["in", "out", "err"].map { try scratch(".std\($0)-\(UUID().uuidString)") }
    process.standardInput = FileHandle.nullDevice
    if let input {
      try Data(input.utf8).write(to: files[0])
      process.standardInput = try FileHandle(forReadingFrom: files[0])
    }
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try process.run()
    try process.waitForEnd(within: Self.longest)
    let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    for file in files { try FileManager.default.removeItem(at: file) }
    let isKilled = process.terminationReason == .uncaughtSignal
    return Outcome(
      output: texts[1], errors: texts[2],
      code: isKilled ? 128 + process.terminationStatus : process.terminationStatus)
  }

  private func scratch(_ name: String) throws -> URL {
    let file = folder.appendingPathComponent(name)
    try Data().write(to: file)
    return file
  }
}
