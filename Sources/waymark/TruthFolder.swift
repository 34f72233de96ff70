import Scoring

/// The folder with the truth that `simulate` writes.
enum TruthFolder {
  /// Reads the truth of the devices of a split; errors are reported.
  static func read(_ folder: String, _ split: DatasetSplit = .all) throws -> Truth {
    let fail = { (error: RecordError) in
      ExitStatus.of(
        RecordError(file: folder + "/" + error.file, line: error.line, message: error.message))
    }
    let truth = try Truth(split, read: { try InputFile.read(folder + "/" + $0) }, fail: fail)
    guard !truth.devices.isEmpty else {
      Terminal.report("waymark: \(folder)/devices.json: no device of the split '\(split.rawValue)'")
      throw ExitStatus.badData
    }
    return truth
  }
}
