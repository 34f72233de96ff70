package import Settings
internal import Text

/// A setting and the values to try, such as `fences.home.radius=50..200/10`.
package struct Sweep: Sendable, Hashable {
  /// The setting as ``ConfigurationChange`` names it.
  package let key: String
  /// The values as a config has them, such as `50 m`.
  package let values: [String]

  /// What is wrong with the text of a sweep.
  package struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
  }

  /// More values are probably a mistake in the step.
  private static let mostValues = 1_000
  private static let form = "KEY=FROM..UNTIL/STEP such as fences.home.radius=50..200/10"

  /// Parses `KEY=FROM..UNTIL/STEP`, of which one or all may have a unit, or `KEY=VALUE,VALUE`.
  package init(_ text: String) throws(Mistake) {
    guard let equals = text.lastIndex(of: "="), equals > text.startIndex else {
      throw Mistake(description: "'\(text)' is no sweep: expected \(Self.form)")
    }
    key = String(text[..<equals])
    let range = String(text[text.index(after: equals)...])
    values = try range.contains("..") ? Self.steps(range) : Self.list(range)
  }

  /// The changes of a config, one for each value.
  package var changes: [ConfigurationChange] {
    values.map { ConfigurationChange(key: key, value: $0) }
  }

  private static func list(_ text: String) throws(Mistake) -> [String] {
    let values = text.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingBlanks
    }
    guard values.allSatisfy({ !$0.isEmpty }) else {
      throw Mistake(description: "'\(text)' has an empty value: expected \(form)")
    }
    return values
  }

  private static func steps(_ text: String) throws(Mistake) -> [String] {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let ends = parts[0].split(separator: "..", omittingEmptySubsequences: false)
    guard parts.count == 2, ends.count == 2, let from = Quantity(ends[0]),
      let until = Quantity(ends[1]), let step = Quantity(parts[1])
    else { throw Mistake(description: "'\(text)' is no range: expected \(form)") }
    let units = Set([from.unit, until.unit, step.unit]).subtracting([""])
    guard units.count <= 1 else {
      throw Mistake(
        description: "'\(text)' has the units \(units.sorted().joined(separator: " and ")), "
          + "expected one for all three numbers")
    }
    guard step.number > 0 else {
      throw Mistake(description: "'\(text)' has a step of 0, expected one above 0")
    }
    guard from.number <= until.number else {
      throw Mistake(
        description: "'\(text)' goes down: expected the smaller value first, "
          + "\(ends[1])..\(ends[0])")
    }
    // Without the rounding of binary fractions the last value could be lost.
    let count = ((until.number - from.number) / step.number + 1e-9).rounded(.down)
    guard count < Double(mostValues) else {
      throw Mistake(
        description: "'\(text)' has more than \(mostValues) values, expected a larger step")
    }
    let decimals = max(from.decimals, step.decimals)
    return (0...Int(count)).map { index in
      let number = Readable.number(from.number + Double(index) * step.number, decimals: decimals)
      return units.first.map { "\(number) \($0)" } ?? number
    }
  }
}

/// A number with its unit, as written.
private struct Quantity {
  let number: Double
  let decimals: Int
  let unit: String

  init?(_ text: some StringProtocol) {
    let text = text.trimmingBlanks
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    guard let number = Double(digits) else { return nil }
    self.number = number
    decimals = digits.firstIndex(of: ".").map { digits[$0...].count - 1 } ?? 0
    unit = text[digits.endIndex...].trimmingBlanks
    guard unit.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
  }
}

extension StringProtocol {
  /// The text without blanks at its ends.
  fileprivate var trimmingBlanks: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
