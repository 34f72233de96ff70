/// Messages of AIS as a receiver writes them: AIVDM sentences, with the fields of ITU-R M.1371-5.
extension ShipMessage {
  /// The sentences of the message, with their ends: those of types 1, 2, 3, 5 and 18.
  package var sentences: String {
    let payload = bits.payload
    // A sentence has at most 82 characters, so a message of type 5 needs two.
    let parts = stride(from: 0, to: payload.text.count, by: 56).map { start in
      String(payload.text.dropFirst(start).prefix(56))
    }
    return parts.enumerated().map { index, part in
      let isLast = index == parts.count - 1
      let group = parts.count > 1 ? "\(parts.count),\(index + 1),\(mmsi % 10)" : "1,1,"
      return Self.sentence("AIVDM,\(group),A,\(part),\(isLast ? payload.fill : 0)")
    }.joined()
  }

  private static func sentence(_ text: String) -> String {
    let sum = text.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "!\(text)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
  }

  private var bits: Bits {
    var bits = Bits()
    bits.add(type, 6)
    bits.add(0, 2)
    bits.add(mmsi, 30)
    switch type {
    case 5:
      bits.add(0, 2 + 30)
      bits.add("CALL", characters: 7)
      bits.add(name, characters: 20)
      bits.add(70, 8)
      // Size, receiver, arrival, draught.
      bits.add(0, 30 + 4 + 20 + 8)
      bits.add("", characters: 20)
      bits.add(0, 2)
    case 18:
      bits.add(0, 8)
      addMotion(to: &bits)
      bits.add(0, 2 + 7 + 20)
    default:
      bits.add(0, 4 + 8)
      addMotion(to: &bits)
      bits.add(0, 2 + 3 + 1 + 19)
    }
    return bits
  }

  /// Speed, accuracy, position, course, heading and second.
  private func addMotion(to bits: inout Bits) {
    bits.add(speed.map { Int(($0 * 10).rounded()) } ?? 1_023, 10)
    bits.add(isPrecise ? 1 : 0, 1)
    bits.add(Int((longitude * 600_000).rounded()), 28)
    bits.add(Int((latitude * 600_000).rounded()), 27)
    bits.add(course.map { Int(($0 * 10).rounded()) } ?? 3_600, 12)
    bits.add(511, 9)
    bits.add(second, 6)
  }

  /// The bits of a message.
  private struct Bits {
    private var values: [Bool] = []

    /// Appends a number of so many bits, a negative one as its complement.
    mutating func add(_ number: Int, _ count: Int) {
      for place in (0..<count).reversed() { values.append(number >> min(place, 62) & 1 == 1) }
    }

    /// Appends a text in six bits a character, filled with `@`.
    mutating func add(_ text: String, characters: Int) {
      let codes = text.uppercased().utf8.prefix(characters).map { Int($0 & 63) }
      for code in codes { add(code, 6) }
      add(0, 6 * (characters - codes.count))
    }

    /// The bits in the characters of a sentence, six in each, and the number of bits that fill the last.
    var payload: (text: String, fill: Int) {
      let fill = (6 - values.count % 6) % 6
      let padded = values + Array(repeating: false, count: fill)
      let text = stride(from: 0, to: padded.count, by: 6).map { start -> Character in
        let value = padded[start..<start + 6].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        return Character(Unicode.Scalar(UInt8(value + (value < 40 ? 48 : 56))))
      }
      return (String(text), fill)
    }
  }
}
