import Foundation
import Glibc
import Synchronization
import TestSupport

/// A program that a test starts, talks with and ends: it lives no longer than this object.
///
/// Nothing is ever waited for by the clock alone: a test waits for a line, or for the end, and gives
/// up after ``patience``.
final class Program {

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// What it says on standard output and on standard error.
  let output: LineReader
  let errors: LineReader
  private let process = Process()
  private let name: String
  private let input = Pipe()

  /// Starts a program that is found as the shell finds it, or by its path.
  init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    self.name = name
    let (outputs, failures) = (Pipe(), Pipe())
    process.executableURL = try Self.find(name)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = outputs
    process.standardError = failures
    output = LineReader(outputs.fileHandleForReading)
    errors = LineReader(failures.fileHandleForReading)
    try Self.withoutBlockedSignals { try process.run() }
  }

  /// A child inherits which signals are blocked, and the threads of a test block those that are to
  /// end it.
  private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  var identifier: Int32 { process.processIdentifier }
  var isRunning: Bool { process.isRunning }

  /// The first line of standard output from here on that has `text` in it.
  func line(with text: String) throws -> String {
    try found(output.line(with: text), text)
  }

  /// The first line of standard error from here on that has `text` in it.
  func error(with text: String) throws -> String {
    try found(errors.line(with: text), text)
  }

  private func found(_ line: String?, _ text: String) throws -> String {
    if let line { return line }
    throw Failure(
      description: "\(name) never said '\(text)', but: \(output.last) \(errors.last)")
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Writes to its standard input.
  func send(_ text: String) { try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  /// Ends its standard input.
  func closeInput() { try? input.fileHandleForWriting.close() }

  /// Waits for its end, and gives its exit code; 128 and the signal when one ended it.
  ///
  /// What it says is read meanwhile, so that no full pipe stops it.
  func end() throws -> Int32 {
    _ = output.rest()
    _ = errors.rest()
    guard output.isAtEnd, errors.isAtEnd else {
      signal(SIGKILL)
      throw Failure(description: "\(name) did not end: \(output.last) \(errors.last)")
    }
    try process.waitForEnd()
    let status = process.terminationStatus
    return process.terminationReason == .uncaughtSignal ? 128 + status : status
  }

  /// Waits until something holds, for ``patience`` at most.
  static func wait(_ what: @autoclosure () -> String, until holds: () -> Bool) throws {
    try blockUntil(what(), holds)
  }

  /// Whether a program is installed; when not, that is printed, so that no test is left out in
  /// silence.
  static func isInstalled(_ names: String...) -> Bool {
    let missing = names.filter { (try? find($0)) == nil }
    if !missing.isEmpty {
      print("SKIPPED: not installed: \(missing.joined(separator: ", ")); make test installs them")
    }
    return missing.isEmpty
  }

  private static func find(_ name: String) throws -> URL {
    if name.contains("/") { return URL(fileURLWithPath: name) }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    // Daemons lie where not every user looks.
    for folder in (path + ":/usr/local/sbin:/usr/sbin:/sbin").split(separator: ":") {
      let file = "\(folder)/\(name)"
      if FileManager.default.isExecutableFile(atPath: file) { return URL(fileURLWithPath: file) }
    }
    throw Failure(description: "\(name) is not installed")
  }

  /// The binary that is tested.
  static func waymark() throws -> String { try Built.program("waymark") }

  /// A file of the package.
  static func package(_ path: String) -> String { Built.package(path).path }
}

/// The lines that come out of a pipe, each waited for until a deadline.
final class LineReader {
  /// What was read last, for messages.
  private(set) var last = ""
  private let handle: FileHandle
  private var bytes: [UInt8] = []
  private(set) var isAtEnd = false

  init(_ handle: FileHandle) {
    self.handle = handle
  }

  /// The next line that has `text` in it; nil at the end, or when none has come in time.
  func line(with text: String) -> String? {
    while let line = next() {
      if line.contains(text) { return line }
    }
    return nil
  }

  /// All lines up to the end.
  func rest() -> [String] {
    var lines: [String] = []
    while let line = next() { lines.append(line) }
    return lines
  }

  /// The next line without its end; nil at the end, or when none has come in time.
  func next() -> String? {
    let deadline = ContinuousClock.now + patience
    while true {
      if let end = bytes.firstIndex(of: 0x0A) {
        last = String(decoding: bytes[..<end], as: UTF8.self)
        bytes.removeFirst(end + 1)
        return last
      }
      guard !isAtEnd, ContinuousClock.now < deadline else { break }
      readOn(until: deadline)
    }
    guard isAtEnd, !bytes.isEmpty else { return nil }
    defer { bytes = [] }
    last = String(decoding: bytes, as: UTF8.self)
    return last
  }

  /// What comes next, whether or not it is a line; nil at the end, or when nothing has come in time.
  func piece() -> String? {
    if bytes.isEmpty { readOn(until: .now + patience) }
    guard !bytes.isEmpty else { return nil }
    defer { bytes = [] }
    last = String(decoding: bytes, as: UTF8.self)
    return last
  }

  private func readOn(until deadline: ContinuousClock.Instant) {
    let wait = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
    var request = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, Int32(max(wait, 0))) > 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(handle.fileDescriptor, &buffer, buffer.count)
    isAtEnd = count <= 0
    bytes += buffer.prefix(max(count, 0))
  }
}
