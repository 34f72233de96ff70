package import Tracking

/// A column of a table: values of one type, any of which may be unknown.
package struct TableColumn: Sendable {
  /// The type of the values.
  package enum Kind: Sendable {
    case text, time, number, count, flag
    /// A text, by its number in ``TableColumn/words``.
    case word
  }

  package let name: String
  package let kind: Kind
  /// Whether each row has a value.
  package private(set) var isKnown: [Bool] = []
  /// The values of a column of times (nanoseconds), counts, flags (0 or 1) and words; 0 when unknown.
  package private(set) var integers: [Int64] = []
  /// The values of a column of numbers; NaN when unknown.
  package private(set) var numbers: [Double] = []
  /// The texts of a column, one after the other, in UTF-8.
  package private(set) var bytes: [UInt8] = []
  /// Where each of them ends.
  package private(set) var ends: [Int] = []
  /// The texts that a column of words refers to.
  package var words: [String] = []

  package init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// The number of rows.
  package var count: Int { isKnown.count }

  /// How many rows have no value.
  package var unknownCount: Int { isKnown.count { !$0 } }

  package mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    ends.append(bytes.count)
    isKnown.append(true)
  }

  package mutating func append(_ time: Timestamp?) { append(integer: time?.nanoseconds) }

  package mutating func append(_ flag: Bool) { append(integer: flag ? 1 : 0) }

  package mutating func append(integer: Int64?) {
    integers.append(integer ?? 0)
    isKnown.append(integer != nil)
  }

  package mutating func append(_ number: Double?) {
    numbers.append(number ?? .nan)
    isKnown.append(number != nil)
  }

  /// Appends unknown values up to a number of rows.
  package mutating func fill(to count: Int) {
    while isKnown.count < count {
      switch kind {
      case .text:
        ends.append(bytes.count)
        isKnown.append(false)
      case .number: append(nil as Double?)
      case .time, .count, .flag, .word: append(integer: nil)
      }
    }
  }
}
