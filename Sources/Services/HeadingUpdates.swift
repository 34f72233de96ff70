internal import Geodesy
internal import Traces

/// The heading updates of one manager.
struct HeadingUpdates: Sendable {
  /// Whether they are started.
  var isRunning = false
  /// The last heading delivered, also before a stop.
  private(set) var last: Heading?
  /// Whether the next heading passes any filter, because none was delivered since the start.
  var awaitsFirst = false

  /// The change at which a heading passes the filter may be so much less, degrees: sums of decimals are
  /// rounded.
  private static let tolerance = 1e-9

  /// Whether to deliver a heading; if so, the filter measures from it.
  ///
  /// The one that was delivered last does not pass again.
  /// A heading that knows more, or less, than the last one passes: one of the two norths, or whether the
  /// compass is reliable.
  mutating func takes(_ heading: Heading, filter: Double) -> Bool {
    if !awaitsFirst, let last {
      guard heading != last else { return false }
      if filter > 0, last.knowsAsMuch(as: heading),
        last.turn(to: heading) < filter - Self.tolerance
      {
        return false
      }
    }
    last = heading
    awaitsFirst = false
    return true
  }
}

extension Heading {
  fileprivate func knowsAsMuch(as other: Heading) -> Bool {
    (magnetic == nil) == (other.magnetic == nil) && (geographic == nil) == (other.geographic == nil)
      && isReliable == other.isReliable
  }

  /// The angle between two headings that know as much, 0 to 180 degrees.
  fileprivate func turn(to other: Heading) -> Double {
    guard let from = magnetic ?? geographic,
      let to = magnetic == nil ? other.geographic : other.magnetic
    else { return 0 }
    return abs(Angle.wrapped(to - from))
  }

  /// The heading of an axis that points so many degrees to the right of the compass, 0 to below 360.
  func turned(by offset: Double) -> Heading {
    guard offset != 0 else { return self }
    var heading = self
    heading.magnetic = magnetic.map { ($0 + offset).truncatingRemainder(dividingBy: 360) }
    heading.geographic = geographic.map { ($0 + offset).truncatingRemainder(dividingBy: 360) }
    return heading
  }
}
