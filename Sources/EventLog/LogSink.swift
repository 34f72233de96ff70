import Tracking

/// Receives the fields of a log entry in the order of the format; unknown values are omitted.
protocol LogSink {
  mutating func put(_ field: LogField, _ text: String)
  /// A constant word, which needs no escaping in any format.
  mutating func put(_ field: LogField, _ word: StaticString)
  mutating func put(_ field: LogField, _ id: EventID)
  mutating func put(_ field: LogField, _ time: Timestamp)
  /// A finite number with so many decimals.
  mutating func put(_ field: LogField, _ value: Double, decimals: Int)
  mutating func put(_ field: LogField, _ count: Int)
  mutating func put(_ field: LogField, _ flag: Bool)
  /// Null, unlike an absent value: the departure of a stay that lasts.
  mutating func putNull(_ field: LogField)
}

extension LogSink {
  @inline(__always)
  mutating func put(_ field: LogField, ifKnown value: Double?, decimals: Int) {
    // No format can express other numbers.
    if let value, value.isFinite { put(field, value, decimals: decimals) }
  }

  /// A course just under 360° would round to 360; it is written as north, 0.
  mutating func put(course: Double?) {
    guard let course, course >= 359.95, course < 360 else {
      return put(.course, ifKnown: course, decimals: 1)
    }
    put(.course, 0, decimals: 1)
  }
}
