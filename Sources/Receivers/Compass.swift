internal import Estimation
internal import Traces

/// Turns the reports of a compass into headings.
///
/// A compass reports the angle from one north, the magnetic or the true one. The variation, which a
/// receiver reports with its positions, gives the other: true = magnetic + variation. Variation changes
/// by a degree in a hundred kilometres, so the last one reported counts until there is another.
///
/// The compass may be another device of gpsd than the receiver. The first that reports a heading is
/// followed until it is removed; the receiver that is followed replaces it.
struct Compass: Sendable, Hashable {
  private var device: GPSDDeviceKey?
  /// Degrees, positive to the east.
  private var variation: Double?
  /// The time of the last report of the receiver.
  private var time: Timestamp?

  /// Takes the time and the variation of a report of the receiver.
  mutating func hear(_ report: GPSDPosition) {
    time = report.time ?? time
    hear(variation: report.variation)
  }

  /// Takes a variation; one that is unknown, or out of range, changes nothing.
  mutating func hear(variation: Double) {
    if -180...180 ~= variation { self.variation = variation }
  }

  /// The heading of a report of gpsd; nil without an angle in range, and for a compass that is not
  /// followed.
  ///
  /// - Parameter receiver: The receiver that is followed; nil before there is one.
  mutating func take(_ report: GPSDAttitude, receiver: GPSDDeviceKey?) -> Heading? {
    guard report.geographic.isNaN || abs(report.geographic - Self.absentOnNetwork) > 0.001,
      var heading = heading(magnetic: report.magnetic, geographic: report.geographic)
    else { return nil }
    if device == nil || report.device == receiver { device = report.device }
    guard report.device == device else { return nil }
    heading.time = report.time ?? time
    heading.field = report.field
    heading.isReliable = report.isReliable
    return heading
  }

  /// The heading of a sentence at `time`.
  func heading(
    magnetic: Double, geographic: Double = .nan, at time: Timestamp?
  ) -> Heading? {
    var heading = heading(magnetic: magnetic, geographic: geographic)
    heading?.time = time
    return heading
  }

  /// A device of gpsd was removed.
  mutating func remove(_ gone: GPSDDeviceKey) {
    if device == gone { device = nil }
  }

  private func heading(magnetic: Double, geographic: Double) -> Heading? {
    let (magnetic, geographic) = (Self.turned(magnetic), Self.turned(geographic))
    guard magnetic != nil || geographic != nil else { return nil }
    guard let variation else { return Heading(magnetic: magnetic, geographic: geographic) }
    return Heading(
      magnetic: magnetic ?? geographic.flatMap { Self.turned($0 - variation) },
      geographic: geographic ?? magnetic.flatMap { Self.turned($0 + variation) })
  }

  /// The angle that gpsd makes of the number by which a compass on NMEA 2000 has no heading: 65,535 units of
  /// 0.0001 radians.
  private static let absentOnNetwork = 375.488

  /// The angle from 0 to below 360; nil for one more than half a turn outside of it, and for NaN.
  private static func turned(_ degrees: Double) -> Double? {
    guard -180...540 ~= degrees else { return nil }
    let turned = degrees < 0 ? degrees + 360 : degrees >= 360 ? degrees - 360 : degrees
    // A tiny negative angle is rounded to a full turn, and -0 is 0.
    return turned == 360 || turned == 0 ? 0 : turned
  }
}
