import Foundation
import Testing

/// A use of the program whose files go wrong: how it is prepared, run, and begun anew, and what must
/// be true of the files then.
protocol Scenario: Sendable, CustomTestStringConvertible {
  var name: String { get }
  /// Writes what is there before.
  func prepare(_ stage: Stage) throws
  /// Runs the program to its end, from whatever a run before left behind.
  func run(_ stage: Stage, _ fault: Fault?, _ environment: [String: String]) throws -> Stage.Outcome
  /// The exit code of a run without faults.
  var code: Int32 { get }
  /// The exit codes of a run that could not do everything.
  var failureCodes: [Int32] { get }
  /// Files that a run writes from the beginning to the end.
  var outputs: [String] { get }
  /// Files that are replaced in one step: they hold what they did, or what they should.
  var keeps: [String] { get }
  /// What is wrong with the files that a kill has left; nil when nothing is.
  func damage(_ stage: Stage, _ expected: Stage) -> String?
  /// What is wrong after a run that was not disturbed, whatever came before it; `expected` is the
  /// stage of one that was never disturbed.
  func difference(_ stage: Stage, _ expected: Stage) -> String?
  /// The same after the power was cut, where what was not synchronised may be lost.
  func differenceAfterCut(_ stage: Stage, _ expected: Stage) throws -> String?
  /// Whether what is on the disk is the state after all of the input; nil for a scenario without a state.
  func hasWholeState(_ stage: Stage, _ expected: Stage) throws -> Bool?
  /// How many lines gpsd had said when these calls were made.
  func said(_ calls: some Sequence<Call>) -> Int
  /// Whether all that changes its files is seen: not what other programs do.
  var isWhollySeen: Bool { get }
  /// Whether every run makes the same calls in the same order: not one with several threads.
  var isRepeatable: Bool { get }
  /// Whether its files are SQLite's, which has words of its own for errors, takes an interrupted
  /// synchronisation for a failed one, and tells none of its checkpoints, before which the log is whole.
  var usesSQLite: Bool { get }
  /// The same after a run with a fault that said `told`: what it told to be lost need not be there.
  func difference(_ stage: Stage, _ expected: Stage, told: String) -> String?
}

extension Scenario {
  var testDescription: String { name }
  var code: Int32 { 0 }
  var failureCodes: [Int32] { [74] }
  var outputs: [String] { [] }
  var keeps: [String] { [] }
  func prepare(_ stage: Stage) throws {}
  func damage(_ stage: Stage, _ expected: Stage) -> String? { nil }
  func difference(_ stage: Stage, _ expected: Stage, told: String) -> String? {
    difference(stage, expected)
  }
  func differenceAfterCut(_ stage: Stage, _ expected: Stage) throws -> String? {
    difference(stage, expected)
  }
  func hasWholeState(_ stage: Stage, _ expected: Stage) throws -> Bool? { nil }
  var isWhollySeen: Bool { true }
  var isRepeatable: Bool { true }
  var usesSQLite: Bool { false }
  func said(_ calls: some Sequence<Call>) -> Int { 0 }
}

/// Says in which line two texts differ.
func firstDifference(_ name: String, _ found: String, _ expected: String) -> String? {
  // The time of a lost connection is that of the clock.
  func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix(#"{"type":"status""#) }
  }
  let (lines, others) = (lines(found), lines(expected))
  guard lines != others else { return nil }
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

/// All of them, or the one that the variable SCENARIO names.
let scenarios: [any Scenario] = {
  let all: [any Scenario] = [
    WatchScenario(), RecordScenario(), ReplayScenario(), PipeScenario(), CompileScenario(),
    GeocodeScenario(), PermissionScenario(), StoreScenario(), LaunchScenario(),
    ReplayStoreScenario(), WatchScenario(hasStore: true), DeliverScenario(),
  ]
  let name = ProcessInfo.processInfo.environment["SCENARIO"]
  return all.filter { name == nil || $0.name == name }
}()
