internal import Tracking

/// Makes one fix out of all that a receiver reports of one instant.
///
/// gpsd reports an instant once, or piece by piece; NMEA 0183 always in pieces. The rules:
///
/// - Reports of one time are merged: what a later one knows is taken. The fix is given as soon as
///   it tells as much (speed, course, altitude, accuracy) as the last instant with a position did,
///   so that the usual report is not delayed; else it is held until a report of its instant
///   completes it, or the instant is over: by a report of another time, a new connection or
///   ``finish(into:)``.
/// - A report of an instant whose fix was given is passed over (``TraceMark/repeatedReport``):
///   an instant never gives two places.
/// - An instant has a position when any of its reports has one, as gpsd's mode may go 3, 1, 1
///   within an instant. The first report of an instant without one (mode 0 or 1) gives a fix of
///   mode ``Fix/Mode/none`` at once; should another report of it have a position, that is given
///   too.
/// - A report without a time gives a fix without a time, and does not end an instant.
/// - Nothing of one instant is carried to the next but what SKY says (``SkyMemory``).
/// - One of several receivers is followed (``ReceiverChoice``); reports of others are passed over
///   (``TraceMark/otherReceiver``).
package struct ReceiverEpochs: Sendable {
  /// The instant of the last report.
  private struct Instant: Sendable {
    enum State { case held, withoutPosition, given }

    var report: GPSDPosition
    var line: Int
    var state = State.held
  }

  private var choice = ReceiverChoice()
  private var sky = SkyMemory()
  private var instant: Instant?
  /// What the last instant with a position told.
  private var usual: GPSDPosition.Content = []
  /// Which device the points are of, as an index of the batch's names.
  private var device: Int32?
  private var names = DeviceTable()

  package init() {}

  /// The receiver that is followed, nil before one had a position.
  package var receiver: GPSDDeviceKey? { choice.receiver }

  // MARK: Reports

  /// Takes a position report that stands at `line`.
  ///
  /// - Returns: whether its receiver is followed.
  package mutating func take(
    _ report: GPSDPosition, line: Int, into batch: inout TraceBatch
  ) -> Bool {
    switch choice.judge(report) {
    case .pass:
      batch.mark(.otherReceiver)
      return false
    case .change: endInstant(into: &batch)
    case .follow: break
    }
    add(report, line: line, isWhole: false, into: &batch)
    return true
  }

  /// Takes all that was reported of an instant by a source that has one receiver.
  mutating func take(whole report: GPSDPosition, line: Int, into batch: inout TraceBatch) {
    add(report, line: line, isWhole: true, into: &batch)
  }

  /// Takes what a receiver says of its satellites; returns whether the receiver is followed.
  package mutating func take(_ report: GPSDSky, into batch: inout TraceBatch) -> Bool {
    guard choice.follows(report.device) else {
      batch.mark(.otherReceiver)
      return false
    }
    sky.take(report)
    return true
  }

  /// Takes what a source that has one receiver says of its satellites.
  mutating func take(whole report: GPSDSky) {
    sky.take(report)
  }

  /// A receiver is gone.
  package mutating func remove(_ gone: GPSDDeviceKey, into batch: inout TraceBatch) {
    if choice.receiver == gone { endInstant(into: &batch) }
    choice.remove(gone)
  }

  /// A new connection to gpsd: all begins anew, as for a program that begins with it.
  ///
  /// So a recording that goes on over the end of a program replays as what both programs saw.
  package mutating func beginConnection(into batch: inout TraceBatch) {
    endInstant(into: &batch)
    (choice, sky, instant, usual) = (ReceiverChoice(), SkyMemory(), nil, [])
  }

  /// The points that follow are of the device with this name.
  package mutating func name(_ device: String, into batch: inout TraceBatch) {
    endInstant(into: &batch)
    let bytes = Array(device.utf8)
    let index = names.index(of: bytes.span, in: &batch.devices)
    // A recording that is gone on with says it again.
    if index != self.device { batch.mark(.track(name: device)) }
    self.device = index
  }

  /// Gives what is held: nothing more is reported of its instant.
  package mutating func finish(into batch: inout TraceBatch) {
    endInstant(into: &batch)
  }

  // MARK: Instants

  private mutating func add(
    _ report: GPSDPosition, line: Int, isWhole: Bool, into batch: inout TraceBatch
  ) {
    guard let time = report.time else { return give(report, line: line, into: &batch) }
    sky.pass(time)
    if instant?.report.time == time { return merge(report, line: line, isWhole, into: &batch) }
    endInstant(into: &batch)
    instant = Instant(report: report, line: line)
    giveWhenComplete(isWhole, into: &batch)
  }

  private mutating func merge(
    _ report: GPSDPosition, line: Int, _ isWhole: Bool, into batch: inout TraceBatch
  ) {
    let isGiven = instant?.state == .given
    guard !isGiven, report.mode >= 2 else {
      if report.mode >= 2 { instant?.report.merge(report) }
      return batch.mark(.repeatedReport)
    }
    instant?.report.merge(report)
    // The position that the instant first was said not to have.
    if report.hasPlace { instant?.state = .held }
    if instant?.state == .held { giveWhenComplete(isWhole, into: &batch) }
  }

  private mutating func giveWhenComplete(_ isWhole: Bool, into batch: inout TraceBatch) {
    guard let held = instant else { return }
    if held.report.hasPlace {
      guard isWhole || held.report.content.isSuperset(of: usual) else { return }
      instant?.state = .given
    } else {
      guard held.report.mode < 2 || isWhole else { return }
      instant?.state = .withoutPosition
    }
    give(held.report, line: held.line, into: &batch)
  }

  /// Ends the instant: what was held of it is given.
  ///
  /// It stays known, so that a report of it that comes again is not taken for another.
  private mutating func endInstant(into batch: inout TraceBatch) {
    guard let last = instant else { return }
    if last.report.hasPlace { usual = last.report.content }
    guard last.state == .held else { return }
    instant?.state = last.report.hasPlace ? .given : .withoutPosition
    give(last.report, line: last.line, into: &batch)
  }

  private func give(_ report: GPSDPosition, line: Int, into batch: inout TraceBatch) {
    var fix = report.fix
    if fix.mode != .none { sky.complete(&fix, of: report.device) }
    batch.points.append(TracePoint(fix: fix, line: line, device: device))
  }
}
