internal import Settings

extension ReceiverSettings {
  /// What may surprise, for `check` and the start: secrets that every user of the machine can read.
  package var warnings: [String] {
    let files: [String] =
      switch channel {
      case .webhook(let webhook): webhook.secretFiles + [webhook.tokenFile].compactMap(\.self)
      case .mqtt(let settings): settings.broker.secretFiles
      case .command: []
      }
    return files.compactMap(SecretFile.warning).map { "deliver: \(name): \($0)" }
  }
}
