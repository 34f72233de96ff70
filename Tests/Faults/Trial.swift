import Glibc

/// One run with faults of one kind, and how it is judged.
struct Trial {
  let scenario: any Scenario
  /// The stage of a run that was not disturbed.
  let expected: Stage
  /// The number of the error; nil when nothing may come of it.
  let error: Int32?
  /// The call that fails; a failed synchronisation must be reported, though the files look as they should.
  var call: Call?

  /// What is wrong with how a run ended, and with a run after it, on a system that is well again.
  func judge(_ found: Stage.Outcome, _ stage: Stage) throws -> [String] {
    var complaints: [String] = []
    if found.code >= 128 { complaints.append("it crashed with \(found.code)") }
    if !([scenario.code] + scenario.failureCodes).contains(found.code) {
      complaints.append("code \(found.code)")
    }
    if let damage = scenario.damage(stage, expected) { complaints.append(damage) }
    let isTold = told(found)
    if let difference = scenario.difference(stage, expected) {
      if error == nil { complaints.append("not taken up again: \(difference)") }
      if found.code == scenario.code, !isTold { complaints.append("no word, though \(difference)") }
    }
    if found.code != scenario.code, !isTold {
      complaints.append("\(found.code) without a word")
    }
    if call?.kind == .synchronise, !scenario.usesSQLite, error != nil, !isTold {
      complaints.append("nothing was reported")
    }
    if try scenario.hasWholeState(stage, expected) == false, found.code != Self.lossCode {
      complaints.append("the state is lost, and the code is \(found.code)")
    }
    let anew = try scenario.run(stage, nil, [:])
    if anew.code != scenario.code {
      complaints.append("the next run ended with \(anew.code): \(anew.errors)")
    }
    if let difference = scenario.difference(stage, expected, told: found.errors) {
      complaints.append("after the next run: \(difference)")
    }
    return complaints
  }

  /// The code of a run whose files lack something.
  private static let lossCode: Int32 = 74

  /// Whether the fault was reported, in the system's words or as one of the store.
  private func told(_ found: Stage.Outcome) -> Bool {
    guard let error else { return false }
    if scenario.usesSQLite, found.errors.contains("the store cannot be used: ") { return true }
    let reason = String(cString: strerror(error)).lowercased()
    return found.errors.lowercased().contains(reason)
  }
}
