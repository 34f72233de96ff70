/// A use of the program whose files go wrong: how it is prepared, run, and begun anew, and what must
/// be true of the files then.
protocol Scenario: Sendable {
  var name: String { get }
  /// Writes what is there before.
  func prepare(_ stage: Stage) throws
  /// Runs the program to its end, from whatever a run before left behind.
  func run(_ stage: Stage, _ fault: Fault?, _ environment: [String: String]) throws -> Stage.Outcome
  /// The exit code of a run without faults.
  var code: Int32 { get }
  /// What is wrong with the files that a kill has left; nil when nothing is.
  func damage(_ stage: Stage, _ expected: Stage) -> String?
  /// What is wrong after a run that was not disturbed, whatever came before it; `expected` is the
  /// stage of one that was never disturbed.
  func difference(_ stage: Stage, _ expected: Stage) -> String?
}

extension Scenario {
  var code: Int32 { 0 }
  func prepare(_ stage: Stage) throws {}
  func damage(_ stage: Stage, _ expected: Stage) -> String? { nil }
}

/// Says in which line two texts differ.
func firstDifference(_ name: String, _ found: String, _ expected: String) -> String? {
  guard found != expected else { return nil }
  let (lines, others) = (
    found.split(separator: "\n", omittingEmptySubsequences: false),
    expected.split(separator: "\n", omittingEmptySubsequences: false)
  )
  let place = zip(lines, others).firstIndex { $0 != $1 } ?? min(lines.count, others.count)
  let (line, other) = (lines.dropFirst(place).first, others.dropFirst(place).first)
  return
    "\(name), line \(place + 1): found '\(line ?? "nothing")', expected '\(other ?? "nothing")'"
}

extension Sequence {
  /// The place of the first element that is so.
  func firstIndex(where isSo: (Element) -> Bool) -> Int? {
    for (place, element) in enumerated() where isSo(element) { return place }
    return nil
  }
}
