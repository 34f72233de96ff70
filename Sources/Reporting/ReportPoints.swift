internal import Geodesy
internal import Tracking

/// A fix in the units of a page: milliseconds, 1e-7 degrees, decimetres, cm/s; 0 is unknown, and a known
/// length or speed is one more than its value.
struct ReportFix {
  let time: Int64
  let latitude: Int64
  let longitude: Int64
  let accuracy: Int64
  let speed: Int64
  var isDropped = false
  /// Whether nothing leads to it: after a jump, and where a segment begins.
  var begins = false

  init(_ fix: Fix, at time: Timestamp) {
    self.time = time.milliseconds
    latitude = Int64((fix.coordinate.latitude * 1e7).rounded())
    longitude = Int64((fix.coordinate.longitude * 1e7).rounded())
    accuracy = fix.horizontalAccuracy.map { Self.whole($0 * 10) + 1 } ?? 0
    speed = fix.speed.map { Self.whole($0 * 100) + 1 } ?? 0
  }

  var coordinate: Coordinate {
    Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
  }

  /// When and where it is.
  var place: Place { Place(time: time, latitude: latitude, longitude: longitude) }

  /// What distinguishes a fix from the others of its device.
  struct Place: Hashable {
    let time: Int64
    let latitude: Int64
    let longitude: Int64
  }

  /// The speed as reported, else that of the step from another fix.
  func metresPerSecond(since before: ReportFix) -> Double {
    if speed > 0 { return Double(speed - 1) / 100 }
    let seconds = Double(time - before.time) / 1_000
    return seconds > 0 ? before.coordinate.distance(to: coordinate) / seconds : 0
  }

  /// Rounded, and limited to what a receiver can mean.
  static func whole(_ value: Double) -> Int64 { Int64(min(max(value, 0), 1e9).rounded()) }
}

/// An estimate in the units of a page: milliseconds, 1e-6 degrees, decimetres, 1/200 of a probability.
struct ReportEstimate {
  let time: Int64
  let latitude: Int64
  let longitude: Int64
  let accuracy: Int64
  let inside: [(fence: Int, share: UInt8)]

  var coordinate: Coordinate {
    Coordinate(latitude: Double(latitude) / 1e6, longitude: Double(longitude) / 1e6)
  }

  /// Metres.
  var metres: Double { Double(accuracy) / 10 }

  init(_ observation: Observation) {
    let estimate = observation.estimate
    time = estimate.time.milliseconds
    latitude = Int64((estimate.coordinate.latitude * 1e6).rounded())
    longitude = Int64((estimate.coordinate.longitude * 1e6).rounded())
    accuracy = ReportFix.whole(estimate.horizontalAccuracy * 10)
    inside = observation.inside.compactMap { fence, probability in
      let share = UInt8((min(max(probability, 0), 1) * 200).rounded())
      return share > 0 ? (fence, share) : nil
    }
  }
}

extension Timestamp {
  fileprivate var milliseconds: Int64 {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return rest < 0 ? whole - 1 : whole
  }
}
