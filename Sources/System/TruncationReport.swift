internal import Glibc
internal import Synchronization

/// Ends the process with a message when a mapped file is truncated while it is in use.
///
/// The system then sends SIGBUS at the next use of a page that is gone, whose default action ends the
/// process without a word. For programs; a library leaves the signals of its process alone.
package enum TruncationReport {
  /// Handles SIGBUS from now on, for files that are mapped later.
  package static func install(exitCode: Int32) {
    for word in 0..<Slots.count * Slots.size { (slots.words + word).initialize(to: Atomic(0)) }
    code.store(Int(exitCode), ordering: .sequentiallyConsistent)
    var action = sigaction()
    action.__sigaction_handler.sa_sigaction = { _, information, _ in
      let address = UInt(bitPattern: information?.pointee._sifields._sigfault.si_addr)
      slots.report(address)
      // Any other SIGBUS comes again when the handler returns, and ends the process.
      signal(SIGBUS, SIG_DFL)
    }
    action.sa_flags = SA_SIGINFO
    sigaction(SIGBUS, &action, nil)
  }

  /// Adds a mapped file; returns its number, nil when there is no place for it.
  static func add(_ path: String, _ bytes: UnsafeRawBufferPointer) -> Int? {
    guard code.load(ordering: .sequentiallyConsistent) >= 0, let start = bytes.baseAddress else {
      return nil
    }
    let name = path.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "?") : $0 }
    let message =
      Array("waymark: ".utf8) + name
      + " was truncated while it was in use; write another file and rename it to this name\n".utf8
    return slots.add(UInt(bitPattern: start), bytes.count, message)
  }

  static func remove(_ number: Int) { slots.remove(number) }
}

/// The mapped files in words that the handler reads: it can neither lock nor allocate.
private struct Slots: @unchecked Sendable {
  // Unchecked: the words are atomic, and never freed.
  private let memory = UnsafeMutableRawPointer.allocate(
    byteCount: count * size * MemoryLayout<UInt>.stride, alignment: MemoryLayout<UInt>.alignment)

  var words: UnsafeMutablePointer<Atomic<UInt>> {
    memory.assumingMemoryBound(to: Atomic<UInt>.self)
  }

  static let count = 64
  /// First and last address, address and length of the message; the first is 0 in a free one.
  static let size = 4

  func add(_ start: UInt, _ length: Int, _ message: [UInt8]) -> Int? {
    let text = UnsafeMutablePointer<UInt8>.allocate(capacity: message.count)
    text.initialize(from: message, count: message.count)
    for number in 0..<Self.count {
      let slot = words + number * Self.size
      // Taken, and not yet that of any address: the last one is below.
      guard
        slot[0].compareExchange(
          expected: 0, desired: start, ordering: .sequentiallyConsistent
        ).exchanged
      else { continue }
      slot[2].store(UInt(bitPattern: text), ordering: .sequentiallyConsistent)
      slot[3].store(UInt(message.count), ordering: .sequentiallyConsistent)
      slot[1].store(start + UInt(length) - 1, ordering: .sequentiallyConsistent)
      return number
    }
    text.deallocate()
    return nil
  }

  func remove(_ number: Int) {
    let slot = words + number * Self.size
    slot[1].store(0, ordering: .sequentiallyConsistent)
    let text = slot[2].exchange(0, ordering: .sequentiallyConsistent)
    UnsafeMutablePointer<UInt8>(bitPattern: text)?.deallocate()
    slot[0].store(0, ordering: .sequentiallyConsistent)
  }

  /// Ends the process if an address is one of a mapped file.
  func report(_ address: UInt) {
    for number in 0..<Self.count {
      let slot = words + number * Self.size
      let (first, last) = (
        slot[0].load(ordering: .sequentiallyConsistent),
        slot[1].load(ordering: .sequentiallyConsistent)
      )
      guard first != 0, first <= address, address <= last else { continue }
      let text = UnsafeRawPointer(bitPattern: slot[2].load(ordering: .sequentiallyConsistent))
      _ = write(STDERR_FILENO, text, Int(slot[3].load(ordering: .sequentiallyConsistent)))
      _exit(Int32(truncatingIfNeeded: code.load(ordering: .sequentiallyConsistent)))
    }
  }
}

private let slots = Slots()

/// The exit code; below 0 while nothing is reported.
private let code = Atomic<Int>(-1)
