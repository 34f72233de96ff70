package import Traces
internal import Estimation

/// Combines all reports of one instant to one fix.
///
/// gpsd reports an instant once, or in parts; NMEA 0183 always in parts. The rules:
///
/// - Reports of one time are merged; a later one's values win. The fix is emitted as soon as it
///   contains as much (speed, course, altitude, accuracy) as the last instant with a position did,
///   so the usual report is not delayed. Otherwise it is held until a report of its instant
///   completes it, or the instant ends: by a report of another time, a new connection or
///   ``finish(into:)``.
/// - A report of an instant whose fix was emitted is skipped (``TraceMark/repeatedReport``): an
///   instant never has two positions.
/// - An instant has a position when any of its reports has one, because gpsd's mode may go 3, 1, 1
///   within an instant. The first report of an instant without one (mode 0 or 1) emits a fix of
///   mode ``Fix/Mode/none`` at once; if another report of it has a position, that is emitted too.
/// - A report without a time produces a fix without a time, and does not end an instant.
/// - Nothing but the contents of SKY is carried from one instant to the next (``SkyMemory``).
/// - A simulated position is refused (``TraceMark/simulatedFix(_:)``), unless they are allowed.
/// - One of several receivers is followed (``ReceiverChoice``); reports of others are skipped
///   (``TraceMark/otherReceiver``).
package struct ReceiverEpochs: Sendable {
  /// The instant of the last report.
  private struct Instant: Sendable {
    enum State { case held, withoutPosition, emitted }

    var report: GPSDPosition
    var line: Int
    var state = State.held
  }

  private var choice = ReceiverChoice()
  private var sky = SkyMemory()
  private var instant: Instant?
  /// The contents of the last instant with a position.
  private var usual: GPSDPosition.Content = []
  /// The device of the points, as an index of the batch's names.
  private(set) var device: Int32?
  /// Whether positions that the receiver calls simulated are positions.
  var allowsSimulated: Bool

  package init(allowsSimulated: Bool = false) {
    self.allowsSimulated = allowsSimulated
  }

  /// Whether the position of a report is refused.
  func refuses(_ report: GPSDPosition) -> Bool {
    !allowsSimulated && report.hasPosition && report.solution == .simulated
  }

  /// The followed receiver, nil before one had a position.
  package var receiver: GPSDDeviceKey? { choice.receiver }

  // MARK: Reports

  /// Adds a position report from `line`.
  ///
  /// - Returns: whether its receiver is followed.
  package mutating func take(
    _ report: GPSDPosition, line: Int, into batch: inout TraceBatch
  ) -> Bool {
    switch choice.decide(report) {
    case .pass:
      batch.mark(.otherReceiver)
      return false
    case .change: endInstant(into: &batch)
    case .follow: break
    }
    add(report, line: line, isWhole: false, into: &batch)
    return true
  }

  /// Adds the complete report of an instant from a source with one receiver.
  mutating func take(whole report: GPSDPosition, line: Int, into batch: inout TraceBatch) {
    add(report, line: line, isWhole: true, into: &batch)
  }

  /// Adds a satellite report; returns whether its receiver is followed.
  package mutating func take(_ report: GPSDSky, into batch: inout TraceBatch) -> Bool {
    guard choice.follows(report.device) else {
      batch.mark(.otherReceiver)
      return false
    }
    sky.take(report)
    return true
  }

  /// Adds the satellite report of a source with one receiver.
  mutating func take(whole report: GPSDSky) {
    sky.take(report)
  }

  /// A receiver was removed.
  package mutating func remove(_ gone: GPSDDeviceKey, into batch: inout TraceBatch) {
    if choice.receiver == gone { endInstant(into: &batch) }
    choice.remove(gone)
  }

  /// A new connection to gpsd: starts over, like a program that starts with it.
  ///
  /// So a recording that continues after a restart replays as the input of both programs.
  package mutating func beginConnection(into batch: inout TraceBatch) {
    endInstant(into: &batch)
    (choice, sky, instant, usual) = (ReceiverChoice(), SkyMemory(), nil, [])
  }

  /// The following points are of this device, an index of the batch's names.
  package mutating func follow(_ device: Int32, into batch: inout TraceBatch) {
    endInstant(into: &batch)
    self.device = device
  }

  /// Emits a held fix: its instant is complete.
  package mutating func finish(into batch: inout TraceBatch) {
    endInstant(into: &batch)
  }

  // MARK: Instants

  private mutating func add(
    _ report: GPSDPosition, line: Int, isWhole: Bool, into batch: inout TraceBatch
  ) {
    guard let time = report.time else { return emit(report, line: line, into: &batch) }
    sky.pass(time)
    if instant?.report.time == time { return merge(report, line: line, isWhole, into: &batch) }
    endInstant(into: &batch)
    instant = Instant(report: report, line: line)
    emitWhenComplete(isWhole, into: &batch)
  }

  private mutating func merge(
    _ report: GPSDPosition, line: Int, _ isWhole: Bool, into batch: inout TraceBatch
  ) {
    let isGiven = instant?.state == .emitted
    guard !isGiven, report.mode >= 2 else {
      if report.mode >= 2 { instant?.report.merge(report) }
      return batch.mark(.repeatedReport)
    }
    instant?.report.merge(report)
    // The instant was first reported without this position.
    if report.hasPosition { instant?.state = .held }
    if instant?.state == .held { emitWhenComplete(isWhole, into: &batch) }
  }

  private mutating func emitWhenComplete(_ isWhole: Bool, into batch: inout TraceBatch) {
    guard let held = instant else { return }
    if held.report.hasPosition {
      guard isWhole || held.report.content.isSuperset(of: usual) else { return }
      instant?.state = .emitted
    } else {
      guard held.report.mode < 2 || isWhole else { return }
      instant?.state = .withoutPosition
    }
    emit(held.report, line: held.line, into: &batch)
  }

  /// Ends the instant and emits its held fix.
  ///
  /// The instant stays known, so a repeated report of it is not taken for another.
  private mutating func endInstant(into batch: inout TraceBatch) {
    guard let last = instant else { return }
    if last.report.hasPosition { usual = last.report.content }
    guard last.state == .held else { return }
    instant?.state = last.report.hasPosition ? .emitted : .withoutPosition
    emit(last.report, line: last.line, into: &batch)
  }

  private func emit(_ report: GPSDPosition, line: Int, into batch: inout TraceBatch) {
    guard !refuses(report) else { return batch.mark(.simulatedFix(report.time)) }
    var point = TracePoint(fix: report.fix, line: line, device: device)
    if point.fix.mode != .none {
      sky.complete(&point.fix, of: report.device)
      point.solution = report.solution
    }
    batch.points.append(point)
  }
}
