internal import Glibc
internal import Synchronization

/// Signals as something that ``Poller`` waits for.
///
/// The handler only writes a byte into a pipe, so that nothing happens while the program is in the
/// middle of something. A signal that was ignored from the start (nohup) stays ignored, unless it is
/// one of `wake`, and a second one of those that stop ends the program at once. There is one at a
/// time in a process.
package final class Signals {
  /// What the user wants.
  package enum Wish: Sendable, Hashable {
    case stop, reload
  }

  /// Readable when a signal has come.
  package let descriptor: Int32
  private let writer: Int32
  private let reloading: [Int32]
  private let waking: [Int32]
  private var before: [(signal: Int32, action: sigaction)] = []

  /// Takes signals over until the end of this object's life; those of `wake` ask for nothing, but end
  /// a wait, also when they were ignored at the start: with SIGCHLD ignored the system reports the end
  /// of no child.
  ///
  /// - Throws: ``SystemError`` when no pipe is to be had.
  package init(
    stop: [Int32] = [SIGINT, SIGTERM], reload: [Int32] = [], wake: [Int32] = []
  ) throws(SystemError) {
    (descriptor, writer) = try Pipe.make()
    reloading = reload
    waking = wake
    signalPipe.store(writer, ordering: .sequentiallyConsistent)
    for number in stop { install(number, flags: Int32(bitPattern: UInt32(SA_RESETHAND))) }
    for number in reload { install(number, flags: 0) }
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

  /// What the signals since the last time ask for, in order.
  package func take() -> [Wish] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return [] }
    return bytes[..<count].map(Int32.init).filter { !waking.contains($0) }
      .map { reloading.contains($0) ? .reload : .stop }
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
      // A full pipe is full of signals already: nothing is missed.
      _ = write(signalPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
      errno = code
    }
    new.sa_flags = flags | SA_RESTART
    sigaction(number, &new, nil)
    // Whoever started the program may have left the signal blocked, which is inherited.
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    before.append((number, old))
  }
}

/// Where the handler writes; a handler in C can capture nothing.
private let signalPipe = Atomic<Int32>(-1)
