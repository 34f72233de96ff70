import Tracking

/// Takes what an entry of the log says, a key after the other in the order of the contract; of what
/// is not known nothing is said.
protocol LogSink {
  mutating func put(_ field: LogField, _ text: String)
  /// A word of ours, which needs no escaping in any format.
  mutating func put(_ field: LogField, _ word: StaticString)
  mutating func put(_ field: LogField, _ id: EventID)
  mutating func put(_ field: LogField, _ time: Timestamp)
  /// A finite number with so many decimals.
  mutating func put(_ field: LogField, _ value: Double, decimals: Int)
  mutating func put(_ field: LogField, _ count: Int)
  mutating func put(_ field: LogField, _ flag: Bool)
  /// Known to be nothing, unlike a value that is absent: a stay without an end so far.
  mutating func putNull(_ field: LogField)
}

extension LogSink {
  @inline(__always)
  mutating func put(_ field: LogField, ifKnown value: Double?, decimals: Int) {
    // No format has a way to write the others.
    if let value, value.isFinite { put(field, value, decimals: decimals) }
  }

  /// A course just under 360° would round to it, which is no course: it is north.
  mutating func put(course: Double?) {
    guard let course, course >= 359.95, course < 360 else {
      return put(.course, ifKnown: course, decimals: 1)
    }
    put(.course, 0, decimals: 1)
  }
}
