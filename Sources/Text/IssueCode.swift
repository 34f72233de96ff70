/// What is wrong with a record of a trace, for programs; a message says the rest.
package enum IssueCode: String, Sendable, Hashable, CaseIterable {
  /// The text breaks the grammar of its format.
  case syntax
  /// A quote that begins a text or a cell has no closing one.
  case unclosedQuote
  /// A value is no number, or out of range.
  case wrongNumber
  /// A value is no time, or there is no date for it.
  case wrongTime
  /// A value is not one of those that its field may have.
  case wrongValue
  /// A record has no position.
  case missingPosition
  /// A table has no line that names its columns, or an unusable one.
  case missingHeader
  /// A record is not one of its format, such as a row with too few cells.
  case unknownRecord
  /// A line, a record or a value is longer than its limit.
  case tooLong
  /// Elements are nested deeper than the limit.
  case tooDeep
  /// The trace ends in the middle of a record.
  case truncated
  /// Bytes were changed: a checksum or compressed data are wrong.
  case damaged
  /// The trace has positions, but no track.
  case noTrack
  /// It is of a receiver that is not followed.
  case otherReceiver
}
