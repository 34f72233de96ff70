/// Writes the event log as JSON Lines: one object a line, absent values left out.
///
/// The only `null` is the departure of a visit that lasts.
package enum JSONLinesWriter {
  /// Appends one line.
  package static func append(_ entry: LogEntry, to buffer: inout [UInt8]) {
    var opening = UInt8(ascii: "{")
    for field in LogField.order {
      guard let value = entry.value(of: field) else { continue }
      buffer.append(opening)
      opening = UInt8(ascii: ",")
      append(quoted: field.name, to: &buffer)
      buffer.append(UInt8(ascii: ":"))
      append(value, to: &buffer)
    }
    buffer.append(contentsOf: "}\n".utf8)
  }

  private static func append(_ value: LogValue, to buffer: inout [UInt8]) {
    switch value {
    case .text(let text): JSONText.append(text, to: &buffer)
    case .word(let word): append(quoted: word, to: &buffer)
    case .id, .time:
      buffer.append(UInt8(ascii: "\""))
      value.append(to: &buffer)
      buffer.append(UInt8(ascii: "\""))
    case .null: buffer.append("null")
    case .number, .count, .flag: value.append(to: &buffer)
    }
  }

  private static func append(quoted word: StaticString, to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "\""))
    buffer.append(word)
    buffer.append(UInt8(ascii: "\""))
  }
}

extension LogValue {
  /// Appends the bare value, without quotes or escapes; of ``null`` there is nothing to append.
  func append(to buffer: inout [UInt8]) {
    switch self {
    case .text(let text): buffer.append(contentsOf: text.utf8)
    case .word(let word): buffer.append(word)
    case .id(let id): id.append(to: &buffer)
    case .time(let time): TimeText.append(time, to: &buffer)
    case .number(let value, let decimals):
      DecimalText.append(value, decimals: decimals, to: &buffer)
    case .count(let count): DecimalText.append(Int64(count), to: &buffer)
    case .flag(let flag): buffer.append(flag ? "true" : "false")
    case .null: break
    }
  }
}

extension [UInt8] {
  /// Appends a text that is known when the program is built.
  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }
}
