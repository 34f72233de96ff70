/// Spoils lines of gpsd's in ways that happen and in ways that do not, the same for the same seed.
package struct GPSDMutator {
  private var random: SeededGenerator
  private let lines = (GPSDLines.reports.map(\.line) + GPSDLines.others).map { Array($0.utf8) }

  package init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// A line with up to four faults or peculiarities; one in eight has none.
  package mutating func next() -> [UInt8] {
    // TPV and SKY are what readers may differ over.
    let count = chance(8) ? lines.count : GPSDLines.reports.count
    var line = lines[below(count)]
    for _ in 0..<[0, 1, 1, 1, 2, 2, 3, 4][below(8)] { mutate(&line) }
    return line
  }

  private mutating func mutate(_ line: inout [UInt8]) {
    switch below(20) {
    case 0: if !line.isEmpty { line[below(line.count)] = UInt8(below(256)) }
    case 1: if !line.isEmpty { line[below(line.count)] ^= 1 << UInt8(below(8)) }
    case 2: line.insert(UInt8(below(256)), at: below(line.count + 1))
    case 3: if !line.isEmpty { line.remove(at: below(line.count)) }
    case 4: line.removeLast(below(line.count + 1))
    case 5: line += chance(2) ? lines[below(lines.count)] : Array(" \r".utf8)
    case 6: insertBlank(in: &line)
    case 7: dropMember(of: &line)
    case 8, 9: copyMember(in: &line)
    case 10, 11, 12, 13: replaceValue(in: &line, by: number())
    case 14: replaceTime(in: &line)
    case 15: escapeByte(of: &line)
    case 16: replaceValue(in: &line, by: text())
    default: replaceValue(in: &line, by: oddValue())
    }
  }

  // MARK: Places

  private mutating func below(_ limit: Int) -> Int {
    Int.random(in: 0..<max(limit, 1), using: &random)
  }

  private mutating func chance(_ limit: Int) -> Bool { below(limit) == 0 }

  /// Ranges of what stands between commas and braces, more or less: `"lat":1.5`.
  private func members(of line: [UInt8]) -> [Range<Int>] {
    var (ranges, start): ([Range<Int>], Int?) = ([], nil)
    for (index, byte) in line.enumerated() {
      if byte == UInt8(ascii: "{") {
        start = index + 1
      } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") {
        if let start, index > start { ranges.append(start..<index) }
        start = index + 1
      }
    }
    return ranges
  }

  private mutating func member(of line: [UInt8]) -> Range<Int>? {
    let members = members(of: line)
    return members.isEmpty ? nil : members[below(members.count)]
  }

  private mutating func insertBlank(in line: inout [UInt8]) {
    let places = line.indices.filter { line[$0] == 0x3A || line[$0] == 0x2C || line[$0] == 0x7D }
    guard !places.isEmpty else { return }
    line.insert(chance(2) ? 0x20 : 0x09, at: places[below(places.count)] + below(2))
  }

  private mutating func dropMember(of line: inout [UInt8]) {
    guard let member = member(of: line) else { return }
    let end = member.upperBound < line.count && line[member.upperBound] == 0x2C ? 1 : 0
    line.removeSubrange(member.lowerBound..<member.upperBound + end)
  }

  private mutating func copyMember(in line: inout [UInt8]) {
    let source = chance(2) ? line : lines[below(lines.count)]
    guard let member = member(of: line), let copied = self.member(of: source) else { return }
    line.insert(contentsOf: source[copied] + [0x2C], at: member.lowerBound)
  }

  private mutating func replaceValue(in line: inout [UInt8], by value: String) {
    guard let member = member(of: line),
      let colon = line[member].firstIndex(of: UInt8(ascii: ":"))
    else { return }
    line.replaceSubrange(colon + 1..<member.upperBound, with: Array(value.utf8))
  }

  private mutating func replaceTime(in line: inout [UInt8]) {
    for member in members(of: line) where line[member].starts(with: Array(#""time":"#.utf8)) {
      line.replaceSubrange(member.lowerBound + 7..<member.upperBound, with: Array(time().utf8))
      return
    }
  }

  /// Writes a byte of the line as an escape: right inside texts only.
  private mutating func escapeByte(of line: inout [UInt8]) {
    guard !line.isEmpty else { return }
    let place = below(line.count)
    let digits = String(line[place], radix: 16)
    let escape = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    line.replaceSubrange(place..<place + 1, with: Array(escape.utf8))
  }

  // MARK: Values

  private mutating func digits(_ count: Int) -> String {
    var text = ""
    for _ in 0..<count { text += String(below(10)) }
    return text
  }

  private mutating func number() -> String {
    let sign = chance(3) ? "-" : ""
    let whole =
      chance(3) ? "0" : "\(1 + below(9))" + digits([0, 0, 1, 1, 2, 5, 8, 9, 12, 20][below(10)])
    let fraction = chance(4) ? "" : "." + digits(1 + below(chance(4) ? 25 : 12))
    let exponent =
      chance(8) ? ["e", "E"][below(2)] + ["", "+", "-"][below(3)] + digits(1 + below(3)) : ""
    return sign + whole + fraction + exponent
  }

  private mutating func pair(_ limit: Int) -> String {
    let number = below(limit)
    return number < 10 ? "0\(number)" : "\(number)"
  }

  private mutating func time() -> String {
    let year = [
      "1969", "1970", "1971", "1980", "1999", "2016", "2024", "2025", "2038", "2100", "2199",
      "2261", "2262", "0000", "9999",
    ][below(15)]
    let second = chance(8) ? ["59", "60", "61"][below(3)] : pair(60)
    let fraction = chance(4) ? "" : "." + digits(1 + below(9))
    let zone = chance(8) ? ["", "z", "+00:00", "+01:30", " Z"][below(5)] : "Z"
    return "\"\(year)-\(pair(14))-\(pair(33))T\(pair(25)):\(pair(61)):\(second)\(fraction)\(zone)\""
  }

  private mutating func text() -> String {
    let text = ["x", "", "NaN", "1.5", "2021-01-01T00:00:00Z", "café", "\u{1F6F0}", "true"][
      below(8)]
    return "\"" + String(repeating: text, count: chance(6) ? 1 + below(700) : 1) + "\""
  }

  private mutating func oddValue() -> String {
    [
      "null", "true", "false", "[]", "{}", "[1,2]", #"{"lat":1}"#, #"[{"PRN":3,"used":true}]"#,
      "NaN", "nan", "Infinity", "-0", "-0.0", "0.0", "00", "01", "1.", ".5", "+1", "1e400",
      "1e-400", "1e5", "0x10", "\"1.5\"", "\"\"", "", "2147483648", "4294967297", "99999",
      "9007199254740993", "0.0000000000049999999", "1.00000000000500000000001",
      "179.99999999999", "999999999.999999", "0.5000005", "12345.0000005", "\"TPV\"", "\"SKY\"",
    ][below(38)]
  }
}
