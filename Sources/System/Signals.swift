internal import Glibc
internal import Synchronization

/// Signals as a descriptor for ``Poller``.
///
/// The handler only writes a byte into a pipe. A signal that was ignored at the start (nohup) stays
/// ignored, unless it is one of `wake`. A second signal to stop ends the program at once. A process
/// has at most one instance at a time.
package final class Signals {
  /// What a signal requests.
  package enum Request: Sendable, Hashable {
    case stop, reload, mark
  }

  /// Readable when a signal has come.
  package let descriptor: Int32
  private let writer: Int32
  private let reloading: [Int32]
  private let marking: [Int32]
  private let waking: [Int32]
  private var before: [(signal: Int32, action: sigaction)] = []

  /// Handles signals for the lifetime of this object.
  ///
  /// Signals of `wake` only end a wait. They are handled even if they were ignored at the start: while
  /// SIGCHLD is ignored, the system does not report the end of a child.
  ///
  /// - Throws: ``SystemError`` when no pipe can be made.
  package init(
    stop: [Int32] = [SIGINT, SIGTERM], reload: [Int32] = [], mark: [Int32] = [],
    wake: [Int32] = []
  ) throws(SystemError) {
    (descriptor, writer) = try Pipe.make()
    reloading = reload
    marking = mark
    waking = wake
    signalPipe.store(writer, ordering: .sequentiallyConsistent)
    for number in stop { install(number, flags: Int32(bitPattern: UInt32(SA_RESETHAND))) }
    for number in reload + mark { install(number, flags: 0) }
    for number in wake { install(number, flags: 0, evenIfIgnored: true) }
  }

  deinit {
    for (number, action) in before {
      var action = action
      sigaction(number, &action, nil)
    }
    signalPipe.store(-1, ordering: .sequentiallyConsistent)
    close(descriptor)
    close(writer)
  }

  /// The requests of the signals since the last call, in order.
  package func take() -> [Request] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return [] }
    return bytes[..<count].map(Int32.init).filter { !waking.contains($0) }
      .map { marking.contains($0) ? .mark : reloading.contains($0) ? .reload : .stop }
  }

  private func install(_ number: Int32, flags: Int32, evenIfIgnored: Bool = false) {
    var old = sigaction()
    sigaction(number, nil, &old)
    let isIgnored = unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1
    guard !isIgnored || evenIfIgnored else { return }
    var new = sigaction()
    new.__sigaction_handler.sa_handler = { number in
      let code = errno
      var byte = UInt8(truncatingIfNeeded: number)
      // A full pipe already holds enough signals: none is missed.
      _ = write(signalPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
      errno = code
    }
    new.sa_flags = flags | SA_RESTART
    sigaction(number, &new, nil)
    // A blocked signal is inherited from the parent process.
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    before.append((number, old))
  }
}

/// The pipe of the handler, which cannot capture anything, as it is a C function.
private let signalPipe = Atomic<Int32>(-1)
