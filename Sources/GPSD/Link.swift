internal import Receivers
internal import System
internal import Text

/// The state machine of a connection to gpsd, without socket and clock.
///
/// Inputs come with the time at which they happened. Commands and events come out of ``next()``, and
/// ``deadline(now:)`` is the time of the next ``Input/wake`` if nothing happens before. The same
/// inputs give the same outputs. ``GPSDClient`` executes the commands.
///
/// - The host name is resolved again for every attempt. Its addresses are tried in turn, each with an
///   equal share of the remaining time.
/// - gpsd must send its greeting (VERSION) and then confirm the subscription (WATCH), each in time. A
///   server that sends something else first is not a gpsd.
/// - A line longer than ``longestLine`` is skipped and reported. ``mostJunk`` bytes in a row of lines
///   that are not JSON objects, or a line of ``endlessLine`` bytes, close the connection.
/// - A line that only recordings have would be obeyed: it is dropped, reported, and counts as junk.
/// - During a silence it sends ?DEVICES. An answer proves that gpsd is alive and that no report is
///   queued; without one in time the connection is closed. Every line except junk extends the time.
/// - A lost connection is retried with a growing back-off, see ``LinkOptions``.
///
/// Memory is bounded: one line and one chunk of input.
package struct Link: Sendable {
  /// The longest accepted line, in bytes without its line feed; gpsd's own are at most 20 KiB.
  package static let longestLine = 1 << 16
  /// The most bytes in a row of lines that are not JSON objects.
  package static let mostJunk = 1 << 16
  /// A line without an end after this many bytes closes the connection.
  package static let endlessLine = 1 << 20

  /// An input.
  enum Input: Sendable, Hashable {
    /// The host name was resolved to one address or more.
    case resolved(addresses: Int)
    /// The host name could not be resolved; the system's error.
    case unresolved(String)
    /// The connection was established.
    case opened
    /// The address did not accept the connection; the system's error.
    case refused(String)
    /// The host answers, but no program listens there.
    case noListener
    /// gpsd closed the connection.
    case closed
    /// The connection failed; the system's error.
    case broken(String)
    /// Time has passed.
    case wake
    /// The caller needs proof that no report is queued (``LinkEvent/answered``).
    case query
    /// The caller closes the client; the only further output is ``LinkCommand/close``.
    case stop
  }

  /// An output.
  enum Output: Sendable, Hashable {
    case command(LinkCommand)
    case event(LinkEvent)
  }

  private enum State: Sendable {
    case idle
    case resolving(until: ContinuousClock.Instant)
    /// Address `address` of `count` is tried until `turn`, all of them until `end`.
    case opening(
      address: Int, count: Int, turn: ContinuousClock.Instant, end: ContinuousClock.Instant)
    case greeting(until: ContinuousClock.Instant)
    case subscribing(GPSDVersion, until: ContinuousClock.Instant)
    case reporting
    case waiting(until: ContinuousClock.Instant)
    case over
  }

  let device: String?
  let options: LinkOptions
  private var state = State.idle
  /// The watchdog while reports come; apart from the state, which is checked for every line.
  private var watchdog: LinkWatchdog?
  private var backOff: BackOff
  private var buffer = LinkBuffer(limit: Link.longestLine)
  /// Bytes of junk since the last valid line.
  private var junk = 0
  /// Complete lines to be delivered, as a range of the buffer.
  private var run = 0..<0
  private var outputs = LinkOutputs()

  /// Makes a link that is not connected yet; its first deadline is now.
  ///
  /// `device` is the receiver to follow; nil for all.
  init(device: String?, options: LinkOptions, seed: UInt64) {
    self.device = device
    self.options = options
    backOff = BackOff(options.backOff, seed: seed)
  }

  /// Whether no more outputs will come.
  var isOver: Bool {
    if case .over = state { true } else { false }
  }

  /// When to send the next ``Input/wake``; nil for never.
  func deadline(now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    switch state {
    case .idle: now
    case .resolving(let until), .greeting(let until), .subscribing(_, let until),
      .waiting(let until):
      until
    case .opening(_, _, let turn, _): turn
    case .reporting: watchdog?.deadline(options)
    case .over: nil
    }
  }

  /// Whether there are pending outputs.
  var hasOutputs: Bool { !outputs.isEmpty }

  /// Bytes in the buffer: at most one line and one chunk of input.
  var bufferedBytes: Int { buffer.bytes.count }

  /// The next pending output; nil when there is none.
  mutating func next() -> Output? { outputs.next() }

  /// Processes an input.
  mutating func handle(_ input: Input, at now: ContinuousClock.Instant) {
    switch (input, state) {
    case (_, .over): break
    case (.stop, _): stop()
    case (.wake, _): wake(at: now)
    case (.resolved(let count), .resolving):
      open(address: 0, of: count, until: now + options.connectTimeout, at: now)
    case (.unresolved(let reason), .resolving): lose(.unknownHost(reason), at: now)
    case (.opened, .opening): state = .greeting(until: now + options.handshakeTimeout)
    case (.refused(let reason), .opening(let address, let count, _, let end)):
      tryNext(after: address, of: count, until: end, .refused(reason), at: now)
    case (.noListener, .opening(let address, let count, _, let end)):
      tryNext(after: address, of: count, until: end, .noListener, at: now)
    case (.closed, .greeting), (.closed, .subscribing), (.closed, .reporting):
      lose(.closed, at: now)
    case (.broken(let reason), .greeting), (.broken(let reason), .subscribing),
      (.broken(let reason), .reporting):
      lose(.broken(reason), at: now)
    case (.query, .reporting): query(at: now)
    // Inputs that come too late or too early are ignored.
    case (.resolved, _), (.unresolved, _), (.opened, _), (.refused, _), (.noListener, _),
      (.closed, _), (.broken, _), (.query, _):
      break
    }
  }

  /// Processes bytes received from gpsd.
  mutating func receive(_ bytes: ArraySlice<UInt8>, at now: ContinuousClock.Instant) {
    guard isConnected else { return }
    buffer.append(bytes)
    run = 0..<0
    while isConnected, let piece = buffer.next() {
      switch piece {
      case .line(let range): take(range, at: now)
      case .overlong:
        if isGreeted { emit(.status(.notice(.overlongLine(limit: Self.longestLine)))) }
      }
    }
    deliverLines()
    if isConnected, buffer.skipped >= Self.endlessLine {
      lose(.junk(bytes: buffer.skipped), at: now)
    }
  }

  /// Whether gpsd's lines are delivered to the caller.
  private var isGreeted: Bool {
    switch state {
    case .subscribing, .reporting: true
    case .idle, .resolving, .opening, .greeting, .waiting, .over: false
    }
  }

  private var isConnected: Bool {
    switch state {
    case .greeting, .subscribing, .reporting: true
    case .idle, .resolving, .opening, .waiting, .over: false
    }
  }

  // MARK: Steps

  private mutating func wake(at now: ContinuousClock.Instant) {
    guard let deadline = deadline(now: now), now >= deadline else { return }
    switch state {
    case .idle, .waiting: connect(at: now)
    case .resolving: lose(.timeout(.resolving), at: now)
    case .opening(let address, let count, _, let end):
      tryNext(after: address, of: count, until: end, .timeout(.connecting), at: now)
    case .greeting: lose(.timeout(.greeting), at: now)
    case .subscribing: lose(.timeout(.subscribing), at: now)
    case .reporting:
      if watchdog?.isAwaitingAnswer == true {
        lose(.timeout(.answering), at: now)
      } else {
        query(at: now)
      }
    case .over: break
    }
  }

  private mutating func connect(at now: ContinuousClock.Instant) {
    emit(.status(.connecting(attempt: backOff.failures + 1)))
    state = .resolving(until: now + options.connectTimeout)
    outputs.append(.command(.resolve))
  }

  private mutating func open(
    address: Int, of count: Int, until end: ContinuousClock.Instant,
    at now: ContinuousClock.Instant
  ) {
    let share = (end - now) / (count - address)
    state = .opening(address: address, count: count, turn: now + share, end: end)
    outputs.append(.command(.open(address: address)))
  }

  private mutating func tryNext(
    after address: Int, of count: Int, until end: ContinuousClock.Instant, _ loss: LinkLoss,
    at now: ContinuousClock.Instant
  ) {
    guard address + 1 < count, now < end else { return lose(loss, at: now) }
    open(address: address + 1, of: count, until: end, at: now)
  }

  private mutating func query(at now: ContinuousClock.Instant) {
    guard watchdog?.query(at: now) == true else { return }
    outputs.append(.command(.send(LinkRequest.devices)))
  }

  private mutating func lose(_ loss: LinkLoss, at now: ContinuousClock.Instant) {
    if watchdog?.hasReported == true { backOff.reset() }
    // A connection that was open shows that the host was there a moment ago.
    let isNearby = loss.isHostThere || isConnected
    outputs.append(.command(.close))
    deliverLines()
    if isGreeted {
      let rest = buffer.takeRest()
      if LinkLine(rest.span) == .ownLine {
        emit(.status(.notice(.ownLine)))
      } else if !rest.isEmpty {
        emit(.bytes(rest + CollectionOfOne(UInt8(ascii: "\n"))))
      }
      emit(.ended)
    }
    forget()
    let longest = isNearby ? options.longestNearby : nil
    let retry = options.reconnects ? backOff.next(atMost: longest) : nil
    state = retry.map { .waiting(until: now + $0) } ?? .over
    emit(.status(.lost(loss, retry: retry)))
  }

  private mutating func stop() {
    forget()
    outputs.removeAll()
    outputs.append(.command(.close))
    state = .over
  }

  private mutating func forget() {
    _ = buffer.takeRest()
    (run, junk, watchdog) = (0..<0, 0, nil)
  }

  // MARK: Lines

  private mutating func take(_ range: Range<Int>, at now: ContinuousClock.Instant) {
    let line = LinkLine(buffer.bytes.span.extracting(range))
    // gpsd sends nothing before its greeting; the output of another server is useless.
    if case .greeting = state { return greet(line, range, at: now) }
    if case .ownLine = line {
      emit(.status(.notice(.ownLine)))
    } else {
      add(range)
    }
    if case .report = line, case .reporting = state {
      // Nearly every line is a report, so this case comes first.
      junk = 0
      if watchdog?.reported(at: now) == true { emit(.status(.reporting)) }
      return
    }
    switch (line, state) {
    case (.junk, _), (.ownLine, _):
      junk += range.count
      if junk > Self.mostJunk { return lose(.junk(bytes: junk), at: now) }
    case (.blank, _): return
    case (.error(let message), .subscribing): return lose(.denied(message), at: now)
    case (.watch(isEnabled: true), .subscribing(let version, _)),
      (.report, .subscribing(let version, _)):
      begin(version, at: now)
    case (_, .reporting): watch(line, at: now)
    case (_, _): break
    }
    if line != .junk, line != .ownLine { junk = 0 }
  }

  private mutating func greet(
    _ line: LinkLine, _ range: Range<Int>, at now: ContinuousClock.Instant
  ) {
    switch line {
    case .version(let version):
      add(range)
      state = .subscribing(version, until: now + options.handshakeTimeout)
      outputs.append(.command(.send(LinkRequest.watch(device: device))))
    case .junk: lose(.notGPSD(buffer.bytes.span.quoted(range)), at: now)
    case .blank, .watch, .devices, .device, .error, .ownLine, .report: break
    }
  }

  private mutating func begin(_ version: GPSDVersion, at now: ContinuousClock.Instant) {
    state = .reporting
    watchdog = LinkWatchdog(since: now)
    emit(.status(.connected(version)))
    if !version.isKnown { emit(.status(.notice(.strangeProtocol(version)))) }
  }

  /// Processes a line that is not a report.
  private mutating func watch(_ line: LinkLine, at now: ContinuousClock.Instant) {
    switch line {
    case .devices(let isEmpty):
      let patience = options.silence
      guard let answer = watchdog?.answered(at: now, silence: patience) else { return }
      if let silence = answer.silence {
        emit(.status(.silent(for: silence, hasReceiver: !isEmpty)))
      }
      if answer.isWanted { emit(.answered) }
    case .error(let message):
      watchdog?.lived(at: now)
      emit(.status(.notice(.error(message))))
    case .version, .watch, .device, .blank, .junk, .ownLine, .report: watchdog?.lived(at: now)
    }
  }

  // MARK: Output

  /// Emits an event, after the lines before it.
  private mutating func emit(_ event: LinkEvent) {
    deliverLines()
    outputs.append(.event(event))
  }

  private mutating func add(_ range: Range<Int>) {
    if range.lowerBound == run.upperBound, !run.isEmpty {
      run = run.lowerBound..<range.upperBound
    } else {
      deliverLines()
      run = range
    }
  }

  private mutating func deliverLines() {
    guard !run.isEmpty else { return }
    outputs.append(.event(.bytes(buffer.bytes[run])))
    run = 0..<0
  }
}

extension GPSDVersion {
  /// Whether its reports are known: protocol 3 from gpsd 2.90 on, which 3.27 calls 0, and later releases
  /// from 16 on, as the library.
  fileprivate var isKnown: Bool { major == 3 || major == 0 || major >= 16 }
}
