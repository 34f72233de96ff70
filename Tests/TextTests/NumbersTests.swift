import Glibc
import TestSupport
import Testing
@testable import Text

private func parse(_ text: String) -> Double? {
  let bytes = Array(text.utf8)
  return DecimalNumber.parse(bytes.span)
}

@Test(
  "a number is read as XML Schema writes it",
  arguments: [
    ("0", 0), ("-0", -0.0), ("+1", 1), ("1.", 1), (".5", 0.5), ("-.5", -0.5), ("007", 7),
    ("52.5163", 52.5163), (" \n\t52.5163\r ", 52.5163), ("1e3", 1000), ("1E+3", 1000),
    ("1.5e-3", 0.0015), ("0e99999999999999999999", 0), ("1e-400", 0),
    ("4.9e-324", Double.leastNonzeroMagnitude),
    ("1.7976931348623157e308", 1.7976931348623157e308), ("9007199254740993", 9007199254740992),
    ("9007199254740993.0000000000000000000000001", 9007199254740994),
    ("0.000000000000000000000000000000123", 1.23e-31),
    ("13.3777000000000008128609", 13.3777), ("2.2250738585072014e-308", 2.2250738585072014e-308),
  ] as [(String, Double)])
func readsNumber(text: String, number: Double) {
  #expect(parse(text)?.bitPattern == number.bitPattern)
}

@Test(
  "invalid numbers are rejected",
  arguments: [
    "", " ", "-", "+", ".", "-.", "e5", "1e", "1e+", "1e5.", "NaN", "nan", "INF", "-inf",
    "infinity", "0x10", "1,5", "1.2.3", "1 2", "--1", "1e400", "52°", "１", "1_0", "1\u{0}",
  ])
func refusesNumber(text: String) {
  #expect(parse(text) == nil)
}

@Test("every number is the one that strtod reads", arguments: [1, 2, 3, 4] as [UInt64])
func agreesWithStrtod(seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  for _ in 0..<100_000 {
    let text = randomNumber(&random)
    let expected = strtod(text, nil)
    let number = parse(text)
    if expected.isInfinite { continue }
    if number?.bitPattern != expected.bitPattern {
      Issue.record("seed \(seed): \(text) gave \(String(describing: number)), not \(expected)")
      return
    }
  }
}

@Test("a number in the very middle between two doubles goes to the even one", arguments: [7])
func middles(seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  for _ in 0..<20_000 {
    let whole = (1 << 53) + random.below(1 << 53)
    for text in ["\(whole)", "\(whole).5", "\(whole).5000000000000000000001", "\(whole)e-3"] {
      #expect(parse(text) == strtod(text, nil), "seed \(seed): \(text)")
    }
  }
}

/// Coordinates of up to 25 decimals, the shortest form of random doubles, and random digits.
private func randomNumber(_ random: inout SeededGenerator) -> String {
  let sign = ["", "-", "+"][random.below(3)]
  switch random.below(4) {
  case 0:
    return sign + digits(1 + random.below(3), &random) + "." + digits(random.below(26), &random)
  case 1:
    return "\(Double(bitPattern: random.next() & 0x7FEF_FFFF_FFFF_FFFF))"
  case 2:
    return sign + digits(1 + random.below(24), &random) + "e\(random.below(120) - 60)"
  default:
    return sign + "\(Double(random.below(180_000_000)) / 1e6)" + digits(random.below(3), &random)
  }
}

private func digits(_ count: Int, _ random: inout SeededGenerator) -> String {
  var text = ""
  for _ in 0..<count { text += "\(random.below(10))" }
  return text
}
