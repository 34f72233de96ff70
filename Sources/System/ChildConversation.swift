internal import Glibc
internal import Locking

/// A program that is given an input, and whose output is read, with a limit of time.
package enum ChildConversation {
  /// How it ended.
  package enum End: Sendable, Hashable {
    case ended(ChildProcess.End)
    /// It was killed at the limit.
    case tooLong
    /// It was killed because the wait was ended.
    case stopped
  }

  /// The time between SIGTERM and SIGKILL.
  private static let grace = Duration.seconds(2)
  /// How often the end of the program is looked for.
  private static let pause = Duration.milliseconds(10)

  /// Runs a program to its end.
  ///
  /// Processes that it leaves behind are not waited for.
  ///
  /// - Parameters:
  ///   - outputLimit: How many bytes of standard output and standard error are returned; the rest is
  ///     read and dropped.
  ///   - isStopped: Whether to end it before the limit; asked some hundred times a second.
  package static func run(
    _ path: String, _ arguments: [String], environment: [String: String], input: [UInt8],
    limit: Duration, outputLimit: Int, isStopped: () -> Bool
  ) throws(WholeFile.Failure) -> (end: End, output: [UInt8]) {
    let (child, talk) = try start(path, arguments, environment, input, outputLimit)
    defer { talk.close() }
    let end = wait(for: child, talk, limit: limit, isStopped)
    talk.read()
    return (end, talk.output)
  }

  /// Held while pipes are made and a child starts: a child that another thread starts meanwhile would
  /// inherit their ends, and then this one would not see the end of its input.
  private static let starting = Mutex(())

  private static func start(
    _ path: String, _ arguments: [String], _ environment: [String: String], _ input: [UInt8],
    _ outputLimit: Int
  ) throws(WholeFile.Failure) -> (ChildProcess, Talk) {
    try starting.withLock { _ throws(WholeFile.Failure) in
      let (toChild, fromChild) = try pipes()
      let talk = Talk(toChild.writer, fromChild.reader, input, outputLimit)
      defer {
        close(toChild.reader)
        close(fromChild.writer)
      }
      do throws(WholeFile.Failure) {
        let child = try ChildProcess(
          path, arguments, environment: environment,
          streams: .init(input: toChild.reader, output: fromChild.writer))
        return (child, talk)
      } catch {
        talk.close()
        throw error
      }
    }
  }

  private static func pipes() throws(WholeFile.Failure) -> (
    toChild: (reader: Int32, writer: Int32), fromChild: (reader: Int32, writer: Int32)
  ) {
    do throws(SystemError) {
      let first = try Pipe.makeBlocking()
      do throws(SystemError) {
        return (first, try Pipe.makeBlocking())
      } catch {
        close(first.reader)
        close(first.writer)
        throw error
      }
    } catch {
      throw WholeFile.Failure(code: error.code)
    }
  }

  private static func wait(
    for child: ChildProcess, _ talk: Talk, limit: Duration, _ isStopped: () -> Bool
  ) -> End {
    let deadline = ContinuousClock.now + limit
    while true {
      talk.exchange(until: .now + pause)
      if let end = child.poll() { return .ended(end) }
      if isStopped() {
        kill(child, talk)
        return .stopped
      }
      if ContinuousClock.now >= deadline {
        kill(child, talk)
        return .tooLong
      }
    }
  }

  private static func kill(_ child: ChildProcess, _ talk: Talk) {
    child.signalGroup(SIGTERM)
    let deadline = ContinuousClock.now + grace
    while child.poll() == nil {
      if ContinuousClock.now >= deadline { child.signalGroup(SIGKILL) }
      talk.exchange(until: .now + pause)
    }
    // Processes that it started may ignore SIGTERM.
    child.signalGroup(SIGKILL)
  }

  /// The parent's ends of both pipes.
  private final class Talk {
    private(set) var output: [UInt8] = []
    /// Nil when everything was written, or nobody reads.
    private var writer: Int32?
    /// Nil at the end of the output.
    private var reader: Int32?
    private var input: ArraySlice<UInt8>
    private let outputLimit: Int
    private var poller = Poller()
    private var buffer = [UInt8](repeating: 0, count: 4_096)

    init(_ writer: Int32, _ reader: Int32, _ input: [UInt8], _ outputLimit: Int) {
      self.writer = writer
      self.reader = reader
      self.input = input[...]
      self.outputLimit = outputLimit
      for end in [writer, reader] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    /// Writes and reads what can be, and waits for more until a deadline.
    func exchange(until deadline: ContinuousClock.Instant) {
      write()
      poller.removeAll()
      _ = poller.add(reader, .read)
      _ = poller.add(writer, .write)
      poller.wait(until: deadline)
      read()
    }

    private func write() {
      guard let writer else { return }
      while !input.isEmpty {
        let count = input.withUnsafeBytes { Glibc.write(writer, $0.baseAddress, $0.count) }
        guard count > 0 else {
          // A program need not read its input (EPIPE).
          if count < 0, errno != EAGAIN, errno != EINTR { closeWriter() }
          return
        }
        input = input.dropFirst(count)
      }
      closeWriter()
    }

    func read() {
      while let reader {
        let count = Glibc.read(reader, &buffer, buffer.count)
        guard count > 0 else {
          if count == 0 || errno != EAGAIN && errno != EINTR { closeReader() }
          return
        }
        output += buffer[..<min(count, outputLimit - output.count)]
      }
    }

    func close() {
      closeWriter()
      closeReader()
    }

    private func closeWriter() {
      if let writer { Glibc.close(writer) }
      writer = nil
    }

    private func closeReader() {
      if let reader { Glibc.close(reader) }
      reader = nil
    }
  }
}
