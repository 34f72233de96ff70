/// The steps between the fixes of one or more devices, without those over a gap.
package struct StepTotals: Sendable, Hashable {
  /// Metres.
  package internal(set) var length = 0.0
  /// Seconds in steps faster than ``movingSpeed``.
  package internal(set) var movingTime = 0.0
  package internal(set) var gaps = 0
  /// Seconds.
  package internal(set) var longestGap = 0.0
  /// Longer steps are gaps, seconds; nil when it is not the same for all devices.
  package internal(set) var gapLimit: Double?

  /// A slower step between two fixes counts as standing still, metres per second: half of a slow walk
  /// (Bohannon 1997 gives 1.2 to 1.4 m/s as comfortable), above the noise of a fix a second.
  package static let movingSpeed = 0.5
  /// A gap is longer than this, seconds: five times the slowest regular sampling of vehicles.
  package static let shortestGap = 300.0
  /// A gap is longer than so many median steps of the device, which may report once a day.
  package static let gapSteps = 5.0
  /// The least number of steps that have a median.
  package static let leastSteps = 5

  /// No device.
  init() {}

  /// The steps of several devices.
  init(_ parts: [StepTotals]) {
    gapLimit = parts.first?.gapLimit
    for part in parts { add(part) }
  }

  private mutating func add(_ other: StepTotals) {
    if gapLimit != other.gapLimit { gapLimit = nil }
    length += other.length
    movingTime += other.movingTime
    gaps += other.gaps
    longestGap = max(longestGap, other.longestGap)
  }
}

/// The steps of one device.
///
/// Which of them are gaps is known at the end, so all that may be one are grouped by their length.
struct DeviceSteps: Sendable {
  private struct Group: Sendable {
    var count = 0
    var length = 0.0
    var movingTime = 0.0
    var longest = 0.0

    mutating func add(_ seconds: Double, _ metres: Double?) {
      count += 1
      longest = max(longest, seconds)
      guard let metres else { return }
      length += metres
      if metres / seconds > StepTotals.movingSpeed { movingTime += seconds }
    }
  }

  /// Steps that are no gaps, whatever the median is.
  private var short = Group()
  /// Other steps by their length in seconds, which is rounded up.
  private var long: [Int: Group] = [:]
  /// Longest of the short steps, seconds: a device whose median is below it has gaps of
  /// ``StepTotals/shortestGap``.
  private static let longestShort = StepTotals.shortestGap / StepTotals.gapSteps

  /// Adds a step.
  ///
  /// - Parameter metres: nil when a new track or segment begins after it.
  mutating func add(seconds: Double, metres: Double?) {
    if seconds <= Self.longestShort {
      short.add(seconds, metres)
    } else {
      long[Self.group(seconds), default: Group()].add(seconds, metres)
    }
  }

  /// The steps that are no gaps, and the gaps.
  var totals: StepTotals {
    var totals = StepTotals()
    let limit = max(StepTotals.shortestGap, StepTotals.gapSteps * Double(median))
    totals.gapLimit = limit
    for (seconds, group) in [(0, short)] + long.sorted(by: { $0.key < $1.key }) {
      if Double(seconds) > limit {
        totals.gaps += group.count
        totals.longestGap = max(totals.longestGap, group.longest)
      } else {
        totals.length += group.length
        totals.movingTime += group.movingTime
      }
    }
    return totals
  }

  /// The lower median of the steps, seconds; 0 when it is a short one or there are too few.
  private var median: Int {
    let count = long.values.reduce(short.count) { $0 + $1.count }
    guard count >= StepTotals.leastSteps else { return 0 }
    var below = short.count
    for (seconds, group) in long.sorted(by: { $0.key < $1.key }) where 2 * below < count {
      below += group.count
      if 2 * below >= count { return seconds }
    }
    return 0
  }

  /// Seconds rounded up: to whole ones in an hour, to minutes in a day, else to hours.
  private static func group(_ seconds: Double) -> Int {
    let unit = seconds <= 3_600 ? 1.0 : seconds <= 86_400 ? 60 : 3_600
    // Times are in a range of 600 years.
    return Int((seconds / unit).rounded(.up) * unit)
  }
}
