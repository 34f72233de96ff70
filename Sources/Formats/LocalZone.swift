/// The rules of local time in one place.
///
/// It follows the times of each device of a file in their order: that shows which of two equal hours a
/// time is of.
package struct LocalZone: Sendable {
  /// Why a local time is not one instant.
  enum Oddity: Sendable {
    /// The clock shows it twice.
    case repeated
    /// The clock skips it.
    case skipped
  }

  /// What a local time may mean.
  private struct Reading {
    var offset: Int
    /// The offset after the clock went back; nil when the clock shows the time once.
    var later: Int?
    var isSkipped = false
  }

  /// How the times of a device went on.
  fileprivate struct Course {
    /// The last time, and whether the clock shows it twice.
    var previous: (seconds: Int64, isRepeated: Bool)?
    /// Whether times that the clock shows twice are of the second hour.
    var isLater = false
    /// Whether times went on since the file, or a part of it, began.
    var isOrdered = true
  }

  package let name: String
  /// Whether the order of times shows which of two equal hours one is of; else the first is taken.
  package var followsOrder = true
  /// Seconds by which local time is ahead of UTC at an instant, in seconds since 1970.
  private let offset: @Sendable (Int64) -> Int
  /// The quarter of an hour of the last time, and its reading: clocks change on a quarter at most.
  private var last: (quarter: Int64, reading: Reading)?
  /// Those of times without a device, then of each device.
  private var courses: [Course] = []

  package init(name: String, offset: @escaping @Sendable (Int64) -> Int) {
    self.name = name
    self.offset = offset
  }

  /// Why the last time is not one instant; nil when it is.
  var oddity: Oddity? {
    guard let reading = last?.reading else { return nil }
    return reading.isSkipped ? .skipped : reading.later == nil ? nil : .repeated
  }

  /// Seconds to subtract from a local time, given in seconds since 1970 as if it were UTC.
  ///
  /// Of an hour that the clock shows twice the first is taken, and the second from the step back on that
  /// the times of an ordered file make there. An hour that it skips is read with the clock before the
  /// change.
  ///
  /// - Parameter device: whose time it is, as its number in the file; nil for none.
  mutating func offset(atLocal seconds: Int64, of device: Int32? = nil) -> Int {
    let quarter = seconds / 900
    let reading: Reading
    if let last, last.quarter == quarter {
      reading = last.reading
    } else {
      reading = self.reading(of: seconds)
      last = (quarter, reading)
    }
    guard followsOrder else { return reading.offset }
    let place = device.map { Int($0) + 1 } ?? 0
    if place >= courses.count {
      courses += Array(repeating: Course(), count: place - courses.count + 1)
    }
    courses[place].follow(seconds, reading.offset, later: reading.later)
    guard courses[place].isLater, let later = reading.later else { return reading.offset }
    return later
  }

  private func reading(of seconds: Int64) -> Reading {
    let (before, after) = (offset(seconds - 86_400), offset(seconds + 86_400))
    guard before != after else { return Reading(offset: before) }
    let isBefore = offset(seconds - Int64(before)) == before
    let isAfter = offset(seconds - Int64(after)) == after
    if isBefore { return Reading(offset: before, later: isAfter ? after : nil) }
    return Reading(offset: isAfter ? after : before, isSkipped: !isAfter)
  }
}

extension LocalZone.Course {
  /// Steps back of fewer seconds show nothing: rows that come a little late are common.
  private static let leastStep: Int64 = 60
  /// After a step back of more seconds another part of the file begins, as of another device.
  private static let longestStep: Int64 = 3_600

  /// Notes the next time.
  ///
  /// The same time again changes nothing, so a row may be read twice.
  ///
  /// - Parameters:
  ///   - offset: that of the time, the first of two.
  ///   - later: the second of them; nil when the clock shows the time once.
  fileprivate mutating func follow(_ seconds: Int64, _ offset: Int, later: Int?) {
    let isRepeated = later != nil
    let before = previous ?? (seconds: seconds, isRepeated: false)
    previous = (seconds, isRepeated)
    let step = before.seconds - seconds
    if !isRepeated || step > Self.longestStep { isLater = false }
    if step > Self.longestStep { isOrdered = true }
    guard (Self.leastStep...Self.longestStep).contains(step) else { return }
    // The clock went back between two such times.
    if let later, before.isRepeated, step <= offset - later {
      isLater = isLater || isOrdered
    } else {
      isOrdered = false
    }
  }
}
