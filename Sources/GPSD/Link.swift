internal import System
internal import Traces

/// The rules of a connection to gpsd, without any socket and without a clock.
///
/// What happened goes in with the instant at which it did, what is to be done and to be told comes
/// out of ``next()``, and ``deadline`` says when to come back with ``Input/wake`` if nothing
/// happens. The same inputs give the same outputs. ``GPSDClient`` does what it says.
///
/// - A name is resolved anew for every try; its addresses are tried in turn, each with an equal
///   share of the time that is left.
/// - gpsd must greet (VERSION), then agree to report (WATCH), each in time; whoever says something
///   else first is no gpsd.
/// - A line longer than ``longestLine`` is passed over and told. ``mostJunk`` bytes of lines that
///   are no JSON objects without one between them that is, or a line of ``endlessLine`` bytes, end
///   the connection.
/// - A silence makes it ask ?DEVICES: an answer proves that gpsd lives and that nothing is queued,
///   none in time ends the connection. A line of any kind but junk puts the end off.
/// - A connection that is lost is made anew after a wait that grows, see ``LinkOptions``.
///
/// Memory is bounded: one line and one piece of what was read.
package struct Link: Sendable {
  /// The version of the protocol that is known (gpsd 2.90 to 3.27 speak it).
  package static let protocolMajor = 3
  /// Longest line that is read, in bytes without its line feed; gpsd's own end at 20 KiB.
  package static let longestLine = 1 << 16
  /// Most bytes of lines that are no JSON objects, in a row.
  package static let mostJunk = 1 << 16
  /// A line that has no end after so many bytes will have none.
  package static let endlessLine = 1 << 20

  /// What happened.
  enum Input: Sendable, Hashable {
    /// The host has so many addresses, at least one.
    case resolved(addresses: Int)
    /// It has none; the system's words.
    case unresolved(String)
    /// The address took the connection.
    case opened
    /// It did not; the system's words.
    case refused(String)
    /// gpsd closed the connection.
    case closed
    /// The connection broke; the system's words.
    case broken(String)
    /// Time has passed.
    case wake
    /// The caller wants to know that nothing is queued (``LinkEvent/answered``).
    case ask
    /// The caller has had enough; nothing more comes out but ``LinkCommand/close``.
    case stop
  }

  /// What comes of it.
  enum Output: Sendable, Hashable {
    case command(LinkCommand)
    case event(LinkEvent)
  }

  private enum State: Sendable {
    case idle
    case resolving(until: ContinuousClock.Instant)
    /// `address` of `count` is tried until `turn`, all of them until `end`.
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
  /// Of the connection that reports; apart from the state, which is asked about at every line.
  private var watchdog: LinkWatchdog?
  private var backOff: BackOff
  private var buffer = LinkBuffer(limit: Link.longestLine)
  /// Bytes of junk since the last line that was none.
  private var junk = 0
  /// Whole lines that are to be handed out, as a range of the buffer.
  private var run = 0..<0
  private var outputs = LinkOutputs()

  /// A link that has not begun: its deadline has passed already.
  ///
  /// `device` is the receiver that is wanted, nil for all.
  init(device: String?, options: LinkOptions, seed: UInt64) {
    self.device = device
    self.options = options
    backOff = BackOff(options.backOff, seed: seed)
  }

  /// Whether nothing will happen any more.
  var isOver: Bool {
    if case .over = state { true } else { false }
  }

  /// When to come back at the latest; the past for at once, nil for never.
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

  /// Whether something is to be done or told at once.
  var hasOutputs: Bool { !outputs.isEmpty }

  /// Bytes that are kept; at most one line and one piece of what was read.
  var bufferedBytes: Int { buffer.bytes.count }

  /// What is to be done or told next, nil when all is.
  mutating func next() -> Output? { outputs.next() }

  /// Takes what happened.
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
    case (.closed, .greeting), (.closed, .subscribing), (.closed, .reporting):
      lose(.closed, at: now)
    case (.broken(let reason), .greeting), (.broken(let reason), .subscribing),
      (.broken(let reason), .reporting):
      lose(.broken(reason), at: now)
    case (.ask, .reporting): ask(at: now)
    // What comes too late, or too early, changes nothing.
    case (.resolved, _), (.unresolved, _), (.opened, _), (.refused, _), (.closed, _), (.broken, _),
      (.ask, _):
      break
    }
  }

  /// Takes bytes that came from gpsd.
  mutating func receive(_ bytes: ArraySlice<UInt8>, at now: ContinuousClock.Instant) {
    guard isConnected else { return }
    buffer.append(bytes)
    run = 0..<0
    while isConnected, let piece = buffer.next() {
      switch piece {
      case .line(let range): take(range, at: now)
      case .overlong:
        if isGreeted { tell(.status(.notice(.overlongLine(limit: Self.longestLine)))) }
      }
    }
    handOut()
    if isConnected, buffer.skipped >= Self.endlessLine {
      lose(.junk(bytes: buffer.skipped), at: now)
    }
  }

  /// Whether what gpsd says is handed out.
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
      if watchdog?.isAsking == true { lose(.timeout(.answering), at: now) } else { ask(at: now) }
    case .over: break
    }
  }

  private mutating func connect(at now: ContinuousClock.Instant) {
    tell(.status(.connecting(attempt: backOff.failures + 1)))
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

  private mutating func ask(at now: ContinuousClock.Instant) {
    guard watchdog?.ask(at: now) == true else { return }
    outputs.append(.command(.send(LinkRequest.devices)))
  }

  private mutating func lose(_ loss: LinkLoss, at now: ContinuousClock.Instant) {
    if watchdog?.hasReported(for: options.goodAfter) == true { backOff.reset() }
    outputs.append(.command(.close))
    handOut()
    if isGreeted {
      let rest = buffer.takeRest()
      if !rest.isEmpty { tell(.bytes(rest + CollectionOfOne(UInt8(ascii: "\n")))) }
      tell(.ended)
    }
    forget()
    let retry = options.reconnects ? backOff.next() : nil
    state = retry.map { .waiting(until: now + $0) } ?? .over
    tell(.status(.lost(loss, retry: retry)))
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
    // A gpsd says nothing before its greeting; what something else says is of no use.
    if case .greeting = state { return greet(line, range, at: now) }
    add(range)
    if case .report = line, case .reporting = state {
      // Nearly every line is one, so it is told apart from the rest first.
      junk = 0
      if watchdog?.reported(at: now) == true { tell(.status(.reporting)) }
      return
    }
    switch (line, state) {
    case (.junk, _):
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
    if line != .junk { junk = 0 }
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
    case .blank, .watch, .devices, .device, .error, .report: break
    }
  }

  private mutating func begin(_ version: GPSDVersion, at now: ContinuousClock.Instant) {
    state = .reporting
    watchdog = LinkWatchdog(since: now)
    tell(.status(.connected(version)))
    if version.major != Self.protocolMajor { tell(.status(.notice(.strangeProtocol(version)))) }
  }

  /// Takes a line that is no report.
  private mutating func watch(_ line: LinkLine, at now: ContinuousClock.Instant) {
    switch line {
    case .devices:
      let patience = options.silence
      guard let answer = watchdog?.answered(at: now, silence: patience) else { return }
      if let silence = answer.silence { tell(.status(.silent(for: silence))) }
      if answer.isWanted { tell(.answered) }
    case .error(let message):
      watchdog?.lived(at: now)
      tell(.status(.notice(.error(message))))
    case .version, .watch, .device, .blank, .junk, .report: watchdog?.lived(at: now)
    }
  }

  // MARK: Handing out

  /// Tells something, after the lines before it.
  private mutating func tell(_ event: LinkEvent) {
    handOut()
    outputs.append(.event(event))
  }

  private mutating func add(_ range: Range<Int>) {
    if range.lowerBound == run.upperBound, !run.isEmpty {
      run = run.lowerBound..<range.upperBound
    } else {
      handOut()
      run = range
    }
  }

  private mutating func handOut() {
    guard !run.isEmpty else { return }
    outputs.append(.event(.bytes(buffer.bytes[run])))
    run = 0..<0
  }
}
