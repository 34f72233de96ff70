/// What a user knows of the inputs that they do not say themselves.
package struct ReadingOptions: Sendable {
  /// The columns of a table by name, where its header does not name them as we know them.
  package var columns = ColumnChoice()
  /// The zone of times that name none; nil for UTC.
  package var zone: LocalZone?
  /// Where paths name the device; nil when they do not.
  package var devices: DevicePattern?
  /// Whether each ship that a log of gpsd reports by AIS is a device.
  package var readsShips = false
  /// Whether positions that a receiver calls simulated are used.
  package var allowsSimulated = false

  package init() {}
}

/// The rules of local time in one place.
package struct LocalZone: Sendable {
  package let name: String
  /// Seconds by which local time is ahead of UTC at an instant, in seconds since 1970.
  private let offset: @Sendable (Int64) -> Int
  /// The quarter of an hour of the last time, and its offset: clocks change on a quarter at most.
  private var last: (quarter: Int64, offset: Int)?

  package init(name: String, offset: @escaping @Sendable (Int64) -> Int) {
    self.name = name
    self.offset = offset
  }

  /// Seconds to subtract from a local time, given in seconds since 1970 as if it were UTC.
  ///
  /// Of an hour that the clock shows twice the first is taken. An hour that it skips is read with the
  /// clock before the change.
  mutating func offset(atLocal seconds: Int64) -> Int {
    let quarter = seconds / 900
    if let last, last.quarter == quarter { return last.offset }
    let (before, after) = (offset(seconds - 86_400), offset(seconds + 86_400))
    let isAfter =
      offset(seconds - Int64(before)) != before && offset(seconds - Int64(after)) == after
    let found = isAfter ? after : before
    last = (quarter, found)
    return found
  }
}
