/// A tracker as a checkpoint, for any encoder and decoder.
extension Tracker {
  private enum Key: String, CodingKey {
    case rules, gate, rhythm, motion, estimate, fences, visits, significantChanges, lastDefect
    case wake
    // The keys of checkpoints stay as they were.
    case contradiction = "leap"
  }

  /// Reads a checkpoint.
  ///
  /// Every part is checked before it is used: fences by the rules, counts by the defects that this
  /// version knows, fixes and points by their number and their times. The key that failed is in the
  /// error's coding path.
  ///
  /// - Throws: what the decoder throws, and `DecodingError.dataCorrupted` for a state with fences
  ///   that the rules do not have.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let rules = try values.decode(Rules.self, forKey: .rules)
    let fences = try values.decode(FenceMonitor.self, forKey: .fences)
    guard fences.isValid(forFences: rules.fences.count) else {
      throw DecodingError.dataCorruptedError(
        forKey: .fences, in: values,
        debugDescription: "the state is of other fences than the rules have")
    }
    let gate = try values.decode(Gate.self, forKey: .gate)
    guard gate.counts.isWhole else {
      throw DecodingError.dataCorruptedError(
        forKey: .gate, in: values,
        debugDescription: "the state is of a version that counted other defects")
    }
    guard gate.isValid else {
      throw DecodingError.dataCorruptedError(
        forKey: .gate, in: values, debugDescription: "no engine counts so far")
    }
    let motion = try values.decode(Motion.self, forKey: .motion)
    guard motion.isValid(at: gate.last?.time) else {
      throw DecodingError.dataCorruptedError(
        forKey: .motion, in: values, debugDescription: "no engine remembers such fixes")
    }
    let visits = try values.decode(VisitMonitor.self, forKey: .visits)
    guard visits.isValid else {
      throw DecodingError.dataCorruptedError(
        forKey: .visits, in: values, debugDescription: "no engine keeps such points")
    }
    self.init(
      rules: rules, gate: gate, rhythm: try values.decode(Rhythm.self, forKey: .rhythm),
      contradiction: try values.decodeIfPresent(Contradiction.self, forKey: .contradiction),
      wake: try values.decodeIfPresent(Wake.self, forKey: .wake),
      motion: motion,
      estimate: try values.decodeIfPresent(Estimate.self, forKey: .estimate), fences: fences,
      visits: visits,
      significantChanges: try values.decode(
        SignificantChangeMonitor.self, forKey: .significantChanges),
      lastDefect: try values.decodeIfPresent(Defect.self, forKey: .lastDefect))
  }

  /// Writes a checkpoint: the rules and all that is known of the device.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(rules, forKey: .rules)
    try values.encode(gate, forKey: .gate)
    try values.encode(rhythm, forKey: .rhythm)
    try values.encodeIfPresent(contradiction, forKey: .contradiction)
    try values.encodeIfPresent(wake, forKey: .wake)
    try values.encode(motion, forKey: .motion)
    try values.encodeIfPresent(estimate, forKey: .estimate)
    try values.encode(fences, forKey: .fences)
    try values.encode(visits, forKey: .visits)
    try values.encode(significantChanges, forKey: .significantChanges)
    try values.encodeIfPresent(lastDefect, forKey: .lastDefect)
  }
}
