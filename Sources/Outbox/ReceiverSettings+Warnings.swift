extension ReceiverSettings {
  /// What may surprise, for `check` and the start: secrets that every user of the machine can read.
  package var warnings: [String] {
    let files: [String] =
      switch channel {
      case .webhook(let webhook): webhook.secretFiles + [webhook.tokenFile].compactMap(\.self)
      case .mqtt(let broker): [broker.passwordFile, broker.keyFile].compactMap(\.self)
      case .command: []
      }
    return files.filter(SecretFile.isExposed).map {
      "deliver: \(name): every user of this machine can read \($0); run chmod 600 on it"
    }
  }
}
