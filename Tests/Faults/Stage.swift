import Foundation
import Glibc
import TestSupport

/// A folder in which the shipped program runs, and in which its files go wrong.
final class Stage {
  let folder: ScratchFolder
  /// How many lines gpsd said before the power was cut, which it will not say again.
  var said = 0
  /// The state with which the last run began.
  var stateBefore: [UInt8]?
  /// Answers the program, when it connects to ``port``.
  var peer: Peer?
  private let server: FakeServer
  /// What is not for the program's eyes: logs of calls.
  private let side: ScratchFolder

  /// Makes an empty one, in the folder given or where temporary files are.
  init(in parent: String? = nil) throws {
    folder = try ScratchFolder(in: parent)
    side = try ScratchFolder()
    server = try FakeServer(backlog: 64)
  }

  /// The same files once more, and the same port.
  private init(_ other: Stage, in parent: String?) throws {
    folder = try ScratchFolder(in: parent)
    side = try ScratchFolder()
    server = other.server
    for name in try other.folder.names() { try folder.copy(name, from: other.folder) }
  }

  func copy(in parent: String? = nil) throws -> Stage { try Stage(self, in: parent) }

  var port: UInt16 { server.port }

  /// How a program ended.
  struct Outcome: Equatable {
    /// The exit code, or 128 and the signal.
    var code: Int32
    var errors: String

    var isKilled: Bool { code == 128 + SIGKILL }
  }

  /// Runs a program of the package to its end.
  ///
  /// - Parameters:
  ///   - input: The name of the file that is its standard input.
  ///   - output: The name of the file to which it writes its standard output.
  ///   - environment: What the library of faults is told beside the fault.
  ///   - setup: Lines of shell that come before, such as a limit.
  func run(
    _ arguments: [String], program: String = "waymark", input: String? = nil,
    output: String? = nil, fault: Fault? = nil, environment: [String: String] = [:],
    setup: String = ""
  ) throws -> Outcome {
    var ends: [Int32] = [0, 0]
    // Not a pipe: no other process that is started meanwhile may hold its end open.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure("no socket: \(errno)") }
    defer { Glibc.close(ends[0]) }
    var values = ProcessInfo.processInfo.environment
    // Programs take it for a setting of their own that they do not know.
    values["WAYMARK_PROGRAMS"] = nil
    values["FAULTS_UNDER"] = folder.path
    values["FAULTS_NOSYNC"] = "1"
    values["FAULTS_LINES"] = "1"
    values["SWIFT_BACKTRACE"] = "enable=no"
    if let lookEvery {
      values["FAULTS_USES"] = usesFile
      values["FAULTS_LOOK"] = "\(lookEvery)"
    }
    values.merge(fault?.environment ?? [:]) { $1 }
    values.merge(environment) { $1 }
    let process = try spawn(
      [
        "/bin/sh", "-c", Self.shell(setup), folder.path, try Shim.path(),
        try Self.program(program),
      ] + arguments, values.map { "\($0)=\($1)" },
      [
        (input.map(folder.file) ?? "/dev/null", O_RDONLY),
        (output.map(folder.file) ?? "/dev/null", O_WRONLY | O_CREAT | O_TRUNC),
      ], errors: ends[1])
    Glibc.close(ends[1])
    let errors: [UInt8]
    do {
      errors = try listen(to: ends[0])
    } catch {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
      throw error
    }
    var status: Int32 = 0
    do {
      // It has closed its standard error, which need not be its end.
      try blockUntil("the end of \(program)") { waitpid(process, &status, WNOHANG) != 0 }
    } catch {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
      throw error
    }
    let signal = status & 0x7f
    return Outcome(
      code: signal != 0 ? 128 + signal : (status >> 8) & 0xff,
      errors: String(decoding: errors, as: UTF8.self))
  }

  /// The calls that a run makes.
  func calls(_ run: ([String: String]) throws -> Outcome) throws -> (Outcome, [Call]) {
    let log = side.file("calls-\(UUID().uuidString)")
    let outcome = try run(["FAULTS_LOG": log])
    return (outcome, try Call.read(log))
  }

  /// The bytes of a file; nil when there is none.
  func bytes(_ name: String) -> [UInt8]? {
    (try? Data(contentsOf: URL(fileURLWithPath: folder.file(name)))).map { [UInt8]($0) }
  }

  func text(_ name: String) -> String { String(decoding: bytes(name) ?? [], as: UTF8.self) }

  // MARK: What it uses

  /// What a process uses at a moment.
  struct Use: Sendable {
    /// Bytes.
    ///
    /// Not what wait4(2) says: to that the test's own counts, as the process began in it.
    var memory: Int
    var files: Int
    var threads: Int
  }

  /// After how many reads and writes the program is looked at; nil for not at all.
  var lookEvery: Int?

  /// What it used whenever it was looked at.
  func uses() throws -> [Use] {
    try String(contentsOfFile: usesFile, encoding: .utf8).split(separator: "\n").map { line in
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 3 else { throw Failure("no use: \(line)") }
      return Use(memory: numbers[0] << 10, files: numbers[1], threads: numbers[2])
    }
  }

  private var usesFile: String { side.file("uses") }

  // MARK: A process

  /// The one that is shipped, where there is one: WAYMARK_PROGRAMS is the folder of a release build.
  static func program(_ name: String) throws -> String {
    if let folder = ProcessInfo.processInfo.environment["WAYMARK_PROGRAMS"] {
      let file =
        folder.hasPrefix("/") ? "\(folder)/\(name)" : Built.package("\(folder)/\(name)").path
      if FileManager.default.isExecutableFile(atPath: file) { return file }
    }
    return try Built.program(name)
  }

  /// Goes to the folder, and becomes the program, which alone has the library of faults.
  private static func shell(_ setup: String) -> String {
    """
    cd "$0" || exit 125
    library=$1; shift
    \(setup)
    LD_PRELOAD=$library exec "$@"
    """
  }

  private func spawn(
    _ arguments: [String], _ environment: [String], _ files: [(path: String, flags: Int32)],
    errors: Int32
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, file) in files.enumerated() {
      posix_spawn_file_actions_addopen(&actions, Int32(number), file.path, file.flags, 0o600)
    }
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    var process: pid_t = 0
    var arguments = arguments.map { strdup($0) } + [nil]
    var environment = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    let code = posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, &environment)
    guard code == 0 else { throw Failure("no process: \(code)") }
    return process
  }

  /// Reads what the program says until it ends, and talks with it meanwhile.
  private func listen(to errors: Int32) throws -> [UInt8] {
    var said: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var talks: [Conversation] = []
    while true {
      var requests = [
        pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
        pollfd(fd: peer == nil ? -1 : server.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      for talk in talks {
        requests.append(pollfd(fd: talk.peer.descriptor, events: talk.events, revents: 0))
      }
      guard poll(&requests, nfds_t(requests.count), patienceInMilliseconds) > 0 else {
        throw Failure("the program does nothing any more; it said: \(said.text)")
      }
      for (place, talk) in talks.enumerated().reversed() {
        if requests[place + 2].revents != 0, try !talk.turn(requests[place + 2].revents) {
          talks.remove(at: place)
        }
      }
      if requests[1].revents != 0, let peer {
        talks.append(Conversation(try server.accept(), peer))
      }
      if requests[0].revents != 0 {
        let count = Glibc.read(errors, &buffer, buffer.count)
        guard count > 0 else { break }
        said += buffer[..<count]
      }
    }
    // Whoever came and was killed is not to be met by the next run.
    while server.hasClient { _ = try server.accept() }
    return said
  }
}

extension [UInt8] {
  var text: String { String(decoding: self, as: UTF8.self) }
}
