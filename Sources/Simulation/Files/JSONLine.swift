import Text
import Tracking

/// One JSON object on one line, written key by key.
struct JSONLine {
  private var text: [UInt8] = [UInt8(ascii: "{")]

  /// The object's bytes, without a line feed.
  var finished: [UInt8] { text + [UInt8(ascii: "}")] }

  mutating func add(_ key: String, _ value: String) {
    begin(key)
    JSONText.append(value, to: &text)
  }

  mutating func add(_ key: String, _ value: Bool) {
    begin(key)
    text += value ? "true" : "false"
  }

  mutating func add(_ key: String, _ value: Int) {
    begin(key)
    DecimalText.append(Int64(value), to: &text)
  }

  /// Adds a number; does nothing for nil.
  mutating func add(_ key: String, _ value: Double?, decimals: Int) {
    guard let value else { return }
    begin(key)
    DecimalText.append(value, decimals: decimals, to: &text)
  }

  /// Adds a time; does nothing for nil.
  mutating func add(_ key: String, _ value: Timestamp?) {
    guard let value else { return }
    begin(key)
    text += "\""
    TimeText.append(value, to: &text)
    text += "\""
  }

  /// Adds a null, for a member that readers expect.
  mutating func addNull(_ key: String) {
    begin(key)
    text += "null"
  }

  /// Adds an array of numbers.
  mutating func add(_ key: String, _ values: [Double], decimals: Int) {
    begin(key)
    text += "["
    for (index, value) in values.enumerated() {
      if index > 0 { text += "," }
      DecimalText.append(value, decimals: decimals, to: &text)
    }
    text += "]"
  }

  private mutating func begin(_ key: String) {
    if text.count > 1 { text += "," }
    JSONText.append(key, to: &text)
    text += ":"
  }
}
