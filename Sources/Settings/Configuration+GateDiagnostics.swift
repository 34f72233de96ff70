internal import Text
internal import Tracking

extension Configuration {
  /// Warnings about a valid but surprising `gate`.
  var oddGate: [ConfigurationDiagnostic] {
    oddClockJump + oddMemory + oddLateness
  }

  /// A clock jump below this, seconds: silences of a night, an office day and a tunnel are longer.
  private static let usualSilence = 43_200.0
  /// A year, seconds.
  private static let year = 31_557_600.0
  /// Seconds; two days, so a weekend at home is one stay.
  private static let weekend = 172_800.0
  /// Seconds; what is later has mostly been decided.
  private static let usualLateness = 600.0

  private var oddClockJump: [ConfigurationDiagnostic] {
    let jump = Readable.duration(gate.clockJump)
    if gate.clockJump < Self.usualSilence {
      return warning(
        "gate.clock-jump",
        "a clock jump of \(jump) is below 12 h: after a longer silence, such as a night, "
          + "a fix waits for the next one")
    }
    guard gate.clockJump > Self.year else { return [] }
    return warning(
      "gate.clock-jump",
      "a clock jump of \(jump) is above 1 year: a date that is months ahead is taken for a silence")
  }

  private var oddMemory: [ConfigurationDiagnostic] {
    let time = Readable.duration(memory)
    if memory < Self.weekend {
      return warning(
        "gate.memory",
        "a memory of \(time) is below 2 d: after a weekend without a fix the state of a fence is "
          + "unknown, and a stay ends as two")
    }
    guard memory > Self.year else { return [] }
    return warning(
      "gate.memory",
      "a memory of \(time) is above 1 year: a lost device counts as inside for as long")
  }

  private var oddLateness: [ConfigurationDiagnostic] {
    let late = Readable.duration(gate.lateness)
    if gate.lateness > gate.clockJump {
      return warning(
        "gate.lateness",
        "a lateness of \(late) is above the clock jump of \(Readable.duration(gate.clockJump)): "
          + "a later fix waits for the next one")
    }
    if gate.lateness == 0 {
      return note("gate.lateness", "with a lateness of 0 every late fix is dropped")
    }
    guard gate.lateness > Self.usualLateness else { return [] }
    return warning(
      "gate.lateness",
      "a lateness of \(late) is above 10 min: only the last 16 to 32 fixes are put in order, "
        + "and reported events stay as they are")
  }

  private func warning(_ key: String, _ text: String) -> [ConfigurationDiagnostic] {
    places[key].map { [ConfigurationDiagnostic(.warning, $0, text)] } ?? []
  }

  private func note(_ key: String, _ text: String) -> [ConfigurationDiagnostic] {
    places[key].map { [ConfigurationDiagnostic(.note, $0, text)] } ?? []
  }
}
