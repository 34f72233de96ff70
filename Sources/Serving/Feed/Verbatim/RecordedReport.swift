internal import Text
internal import Tracking

/// One of gpsd's lines of JSON: the values in it, and where its times are.
struct RecordedReport {
  let bytes: [UInt8]
  /// The class of the report; empty when it has none.
  private(set) var name = ""
  /// The plain values of the object, by name.
  private var values: [String: JSONToken] = [:]
  /// The objects in its lists, such as satellites: where each lies, and its plain values.
  private var elements: [Element] = []
  /// Its times in order: the text without quotes, or the number.
  private var times: [Range<Int>] = []

  /// An object in a list.
  struct Element {
    fileprivate(set) var range: Range<Int>
    fileprivate var values: [String: JSONToken] = [:]
  }

  /// The names of times: of reports, and of PPS and TOFF in seconds.
  private static let timeNames: Set<String> = ["time", "real_sec", "clock_sec"]

  /// Reads a line.
  ///
  /// - Throws: ``JSONError`` if it is not one complete object.
  init(_ bytes: [UInt8]) throws(JSONError) {
    self.bytes = bytes
    let span = bytes.span
    var scanner = JSONScanner()
    guard try scanner.next(in: span) == .beginObject else {
      throw JSONError(offset: scanner.tokenOffset, message: "expected an object in braces")
    }
    var (key, isInList) = ("", false)
    while let token = try scanner.next(in: span) {
      switch token {
      case .key(let slice): key = slice.string(in: span)
      case .beginArray: isInList = isInList || scanner.depth == 2
      case .endArray: isInList = isInList && scanner.depth > 1
      case .beginObject:
        if isInList, scanner.depth == 3 {
          elements.append(Element(range: scanner.tokenOffset..<scanner.tokenOffset))
        }
      case .endObject:
        if isInList, scanner.depth == 2, let last = elements.indices.last {
          elements[last].range = elements[last].range.lowerBound..<scanner.tokenOffset + 1
        }
      case .string(let slice), .number(let slice):
        if Self.timeNames.contains(key), !isInList || scanner.depth == 3 {
          times.append(slice.range)
        }
        take(token, key, scanner.depth, isInList)
      case .bool, .null: take(token, key, scanner.depth, isInList)
      }
    }
    name = text("class") ?? ""
  }

  private mutating func take(_ token: JSONToken, _ key: String, _ depth: Int, _ isInList: Bool) {
    if depth == 1 {
      values[key] = values[key] ?? token
    } else if isInList, depth == 3, let last = elements.indices.last {
      elements[last].values[key] = token
    }
  }

  // MARK: Values

  /// The receiver: `device` of a report, `path` of a DEVICE.
  var device: String? { text("device") ?? text("path") }

  var time: Timestamp? {
    switch values["time"] {
    case .string(let slice)?, .number(let slice)?:
      TimeText.parse(bytes.span.extracting(slice.range))
    default: nil
    }
  }

  func text(_ name: String) -> String? { text(values[name]) }

  func number(_ name: String) -> Double? { number(values[name]) }

  /// The number of an object in a list.
  func number(_ name: String, of element: Element) -> Double? { number(element.values[name]) }

  func flag(_ name: String, of element: Element) -> Bool { element.values[name] == .bool(true) }

  func text(_ name: String, of element: Element) -> String? { text(element.values[name]) }

  /// The satellites of a SKY, or the receivers of DEVICES.
  var list: [Element] { elements }

  private func text(_ token: JSONToken?) -> String? {
    guard case .string(let slice)? = token else { return nil }
    return slice.string(in: bytes.span)
  }

  private func number(_ token: JSONToken?) -> Double? {
    guard case .number(let slice)? = token else { return nil }
    return slice.number(in: bytes.span)
  }

  // MARK: Other times

  /// The line with its times that many seconds later, and no other byte changed.
  ///
  /// What is no time of gpsd's forms stays.
  func shifted(bySeconds shift: Int64) -> [UInt8] {
    guard shift != 0 else { return bytes }
    var (result, end): ([UInt8], Int) = ([], 0)
    result.reserveCapacity(bytes.count)
    for range in times {
      guard let text = Self.shifted(bytes[range], shift) else { continue }
      result += bytes[end..<range.lowerBound]
      result += text
      end = range.upperBound
    }
    return result + bytes[end...]
  }

  /// Characters of a time without its fraction: `2025-03-10T14:02:07`.
  private static let wholeTime = 19

  private static func shifted(_ text: ArraySlice<UInt8>, _ shift: Int64) -> [UInt8]? {
    // Whole seconds, so that the fraction stays as it was written.
    let digits = text.prefix { $0.decimalDigit != nil }
    if digits.count == text.count || text[digits.endIndex] == UInt8(ascii: ".") {
      guard let seconds = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
      let (sum, overflow) = seconds.addingReportingOverflow(shift)
      return overflow ? nil : Array("\(sum)".utf8) + text[digits.endIndex...]
    }
    guard text.count > wholeTime, let time = TimeText.parse(Array(text).span),
      let later = time.shifted(bySeconds: shift)
    else { return nil }
    var whole: [UInt8] = []
    // The second of the text: it must not be rounded.
    let second = later.nanoseconds - later.nanoseconds.remainder(of: 1_000_000_000)
    TimeText.append(Timestamp(nanoseconds: second), to: &whole)
    return Array(whole.prefix(wholeTime)) + text.dropFirst(wholeTime)
  }
}

extension Int64 {
  /// What is left of a division that rounds down, at least 0.
  fileprivate func remainder(of divisor: Int64) -> Int64 {
    let rest = self % divisor
    return rest < 0 ? rest + divisor : rest
  }
}

extension Timestamp {
  /// The time that many seconds later; nil beyond the range of a time.
  func shifted(bySeconds shift: Int64) -> Timestamp? {
    let (length, isLong) = shift.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow) = nanoseconds.addingReportingOverflow(length)
    return isLong || overflow ? nil : Timestamp(nanoseconds: sum)
  }
}
