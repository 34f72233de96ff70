import Foundation
import TestSupport
import Testing
@testable import Text

@Suite struct DecimalTextTests {
  @Test(
    "numbers are written with fixed decimals",
    arguments: [
      (0.0, 7, "0.0000000"), (-0.0, 7, "0.0000000"), (-0.000_000_04, 7, "0.0000000"),
      (-0.000_000_06, 7, "-0.0000001"), (52.5163, 7, "52.5163000"), (0.999_6, 3, "1.000"),
      (0.125, 2, "0.12"), (0.375, 2, "0.38"), (2.5, 0, "2"), (3.5, 0, "4"), (-0.5, 0, "0"),
      (-1.5, 0, "-2"), (9.999, 2, "10.00"), (.leastNonzeroMagnitude, 9, "0.000000000"),
      (1e15, 2, "1000000000000000.00"),
      (0x1p62, 1, "4611686018427387904.0"), (1e300, 2, "1e+300"), (.infinity, 2, "inf"),
    ])
  func fixed(value: Double, decimals: Int, expected: String) {
    #expect(written { DecimalText.append(value, decimals: decimals, to: &$0) } == expected)
  }

  @Test("random numbers are rounded as printf rounds them", arguments: 0...9)
  func likePrintf(decimals: Int) {
    let seed = UInt64(decimals) + 2_025
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let scale = pow(10, Double.random(in: -12...14, using: &generator))
      var value = Double.random(in: -1...1, using: &generator) * scale
      // Every fourth sits on a tie of a binary fraction.
      if generator.next() % 4 == 0 { value = (value * 64).rounded() / 64 }
      var expected = String(format: "%.\(decimals)f", value)
      if expected.hasPrefix("-"), !expected.contains(where: { "123456789".contains($0) }) {
        expected.removeFirst()
      }
      let text = written { DecimalText.append(value, decimals: decimals, to: &$0) }
      #expect(text == expected, "seed \(seed), value \(value.debugDescription)")
    }
  }

  @Test("whole numbers are written in full at both ends of the range")
  func whole() {
    for value in [0, 7, -7, 1_000, Int64.max, Int64.min] {
      #expect(written { DecimalText.append(value, to: &$0) } == "\(value)")
    }
  }

  @Test("output that is read back and written again is the same")
  func stable() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let value = Double.random(in: -180...180, using: &generator)
      let text = written { DecimalText.append(value, decimals: 7, to: &$0) }
      let again = DecimalNumber.parse(Array(text.utf8).span) ?? .nan
      #expect(written { DecimalText.append(again, decimals: 7, to: &$0) } == text, "seed 7")
    }
  }
}

@Suite struct JSONTextTests {
  @Test(
    "texts are escaped where JSON requires it",
    arguments: [
      ("", #""""#), ("depot", #""depot""#), ("a\"b\\c/", #""a\"b\\c/""#),
      ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#), ("\u{1B}[2J\u{0}", #""\u001b[2J\u0000""#),
      ("caf\u{E9} 🚚", "\"caf\u{E9} 🚚\""), ("\u{7F}", #""\u007f""#),
    ])
  func escapes(text: String, expected: String) {
    #expect(written { JSONText.append(text, to: &$0) } == expected)
  }
}
