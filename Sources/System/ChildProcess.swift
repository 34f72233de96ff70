internal import Glibc

/// A child process.
package struct ChildProcess {
  /// How it ended.
  package enum End: Sendable, Hashable {
    case exit(Int32)
    case signal(Int32)
    /// The system did not report how.
    case unknown

    package var sentence: String {
      switch self {
      case .exit(let code): "ended with code \(code)"
      case .signal(let number): "was ended by signal \(number)"
      case .unknown: "ended"
      }
    }
  }

  private let process: pid_t

  /// Finds a program as a shell does: its path, or the error.
  package static func find(_ name: String) -> Result<String, WholeFile.Failure> {
    if name.contains("/") { return check(name) }
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    var failure = WholeFile.Failure(code: ENOENT)
    for folder in folders.split(separator: ":", omittingEmptySubsequences: false) {
      switch check("\(folder.isEmpty ? "." : folder)/\(name)") {
      case .success(let path): return .success(path)
      case .failure(let other): if other.code == EACCES { failure = other }
      }
    }
    return .failure(failure)
  }

  private static func check(_ path: String) -> Result<String, WholeFile.Failure> {
    if Folder.exists(path) { return .failure(WholeFile.Failure(code: EACCES)) }
    return access(path, X_OK) == 0 ? .success(path) : .failure(WholeFile.Failure(code: errno))
  }

  /// The descriptors that become the standard streams of a child.
  struct Streams {
    var input: Int32
    /// Standard output and standard error.
    var output: Int32
  }

  /// Starts a program with the environment of this process and more variables.
  package init(
    _ path: String, _ arguments: [String], environment more: [String: String]
  ) throws(WholeFile.Failure) {
    try self.init(path, arguments, environment: more, streams: nil)
  }

  /// Starts a program; with streams of its own it leads a process group, which
  /// ``signalGroup(_:)`` reaches.
  init(
    _ path: String, _ arguments: [String], environment more: [String: String], streams: Streams?
  ) throws(WholeFile.Failure) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let streams {
      posix_spawn_file_actions_adddup2(&actions, streams.input, STDIN_FILENO)
      posix_spawn_file_actions_adddup2(&actions, streams.output, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, streams.output, STDERR_FILENO)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Waymark itself ignores these, which the child would inherit.
    var usual = sigset_t()
    sigemptyset(&usual)
    for number in [SIGPIPE, SIGXFSZ] { sigaddset(&usual, number) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    let group = streams == nil ? 0 : POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | group))
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    let variables = Self.environment(more).map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var number = pid_t()
    let code = posix_spawn(&number, path, &actions, &attributes, words, variables)
    guard code == 0 else { throw WholeFile.Failure(code: code) }
    process = number
  }

  private static func environment(_ more: [String: String]) -> [String] {
    var lines: [String] = []
    var place = environ
    while let line = place.pointee {
      let text = String(cString: line)
      let name = text.prefix { $0 != "=" }
      if more[String(name)] == nil { lines.append(text) }
      place += 1
    }
    return lines + more.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }

  /// How it ended; nil while it runs.
  package func poll() -> End? {
    var status: Int32 = 0
    let found = waitpid(process, &status, WNOHANG)
    guard found != 0 else { return nil }
    // ECHILD: the system reaped it, because SIGCHLD is ignored.
    guard found > 0 else { return .unknown }
    // wait(2): the low seven bits are the signal, the next byte is the code.
    let signal = status & 0x7F
    return signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
  }

  /// Sends it SIGTERM.
  package func stop() { kill(process, SIGTERM) }

  /// Sends a signal to the process group that it leads.
  func signalGroup(_ signal: Int32) { kill(-process, signal) }
}
