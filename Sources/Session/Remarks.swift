package import Estimation

/// Lines of a summary that are there only when there is something to count.
package struct Remarks {
  package private(set) var lines: [String] = []

  package init() {}

  /// Adds a line such as `2 fixes put in order`, unless the number is 0.
  package mutating func add(_ number: Int, _ one: String, _ many: String, _ text: String) {
    if number > 0 { lines.append("\(SessionTotals.count(number, one, many)) \(text)") }
  }

  /// Adds the number of fixes that several files have.
  package mutating func add(duplicates: Int) {
    add(duplicates, "duplicate fix", "duplicate fixes", "in several files, used once")
  }

  /// Adds what the gate did with fixes, besides dropping some.
  package mutating func add(_ gate: GateCounts) {
    add(gate.reordered, "late fix", "late fixes", "put in order")
    add(gate.waiting, "fix", "fixes", "unused: a jump that no later fix confirmed")
    add(gate.believedTeleports, "position jump", "position jumps", "confirmed by the next fix")
    add(gate.believedClockJumps, "clock jump", "clock jumps", "confirmed by the next fix")
    add(gate.cleaned, "fix", "fixes", "used without a field that cannot be true")
  }

  /// Adds what an input had besides its fixes, and its problems.
  ///
  /// - Parameters:
  ///   - use: What was done with the fixes: `played` or `written`.
  ///   - left: What became of other records: `skipped` or `not written`.
  package mutating func add(
    _ others: TraceFeed.Others, issues: Int, use: String, left: String
  ) {
    add(others.routePoints, "route point", "route points", "not \(use)")
    add(others.waypoints, "waypoint", "waypoints", "not \(use)")
    add(others.reportedVisits, "reported visit", "reported visits", "not \(use)")
    add(others.records, "record", "records", "of other kinds \(left)")
    add(
      others.repeatedReports, "report", "reports", "of an instant already reported, \(left)")
    add(others.otherReceivers, "report", "reports", "of other receivers \(left)")
    add(simulated: others.simulatedFixes, use: use)
    add(issues, "problem", "problems", "in the input; all that could be read was \(use)")
  }

  /// Adds the simulated positions that were refused.
  package mutating func add(simulated count: Int, use: String) {
    add(
      count, "simulated position", "simulated positions",
      "not \(use); --allow-simulated uses them")
  }
}
