internal import System
internal import Traces
internal import Tracking

/// The state file. A run counts once its state is in place, and the state names the input of the run:
/// when the same input comes again, the run starts from the state before it and writes the same again.
extension PipeProcessor {
  /// Resumes from the state file; call it before ``run()``.
  ///
  /// - Throws: ``PipeStateError``, or the error of an input that cannot be read.
  package mutating func resume() throws {
    guard let path = options.state else { return }
    stateLock = try PipeState.lock(path)
    let file = try PipeStateFile(path, rules: options.rules)
    stateBefore = file?.saved
    if let last = file?.saved.origin, try repeats(last) {
      try previousFile(of: path, last.base)?.forEachDevice(resumingDevice)
      warn("the last run with this state read this input too; its events are written again")
    } else {
      try file?.forEachDevice(resumingDevice)
    }
    for shard in shards { countsBefore += shard.counts }
  }

  /// Whether the input begins as that of a run.
  private mutating func repeats(_ last: PipeState.Origin) throws(TraceError) -> Bool {
    guard let earlier = last.input, earlier.length > 0 else { return false }
    return try input.begins(as: earlier)
  }

  /// The state before the last run; nil when that run had none.
  private func previousFile(
    of path: String, _ base: UInt64?
  ) throws(PipeStateError) -> PipeStateFile? {
    guard let base else { return nil }
    let previous = PipeState.previous(of: path)
    if let file = try PipeStateFile(previous, rules: options.rules), file.saved.checksum == base {
      return file
    }
    throw .otherInput(
      path: path,
      reason:
        "the last run read this input, and its events were written then; to write them again, "
        + "\(previous) must be the state before that run, which it is not")
  }

  /// Resumes a device in its shard; returns whether its state is valid.
  private var resumingDevice: (String, [UInt8]) -> Bool {
    let shards = shards
    return { device, state in
      shards[PipeShard.number(of: device, of: shards.count)].resume(device, from: state)
    }
  }

  /// Writes the state file: the same bytes on any number of threads.
  ///
  /// An input without a fix leaves it as it is.
  package func keepState() throws(PipeStateError) {
    guard let path = options.state else { return }
    guard hasFixes || stateBefore == nil else { return }
    var origin = PipeState.Origin(base: stateBefore?.checksum, input: input.mark)
    if let repetition = input.repetition {
      guard repetition.outcome == .same else { throw Self.changed(path, repetition.outcome) }
      origin.base = stateBefore?.origin.base
    } else if stateBefore != nil {
      try PipeState.keepPrevious(path)
    }
    let devices = sortedDevices()
    try PipeState.write(to: path, rules: options.rules, origin: origin) {
      (writer) throws(WholeFile.Failure) in
      var record: [UInt8] = []
      for device in devices {
        record.removeAll(keepingCapacity: true)
        shards[device.shard].append(device.number, to: &record)
        try writer.append(record)
      }
    }
  }

  /// The error of an input that began as the last one.
  private static func changed(
    _ path: String, _ outcome: PipeInputRepetition.Outcome
  ) -> PipeStateError {
    let difference =
      outcome == .undecided ? "ends before the end of that one" : "then differs from that one"
    return .otherInput(
      path: path,
      reason: "the input begins as that of the last run and \(difference), expected the same input "
        + "or another one; the state is left as it is")
  }
}
