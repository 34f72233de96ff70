internal import Services

extension LocationService {
  // MARK: As the user would in the settings

  /// What the user allows; set it to what a user would choose in the settings.
  public var authorizationStatus: CLAuthorizationStatus {
    get { CLAuthorizationStatus(rawValue: look(\.core.grant.status.rawValue)) ?? .denied }
    set {
      let status = Grant.Status(rawValue: newValue.rawValue) ?? .denied
      authorize { $0.change(status) }
    }
  }

  /// How exactly places are told; set it to what a user would choose in the settings.
  public var accuracyAuthorization: CLAccuracyAuthorization {
    get {
      CLAccuracyAuthorization(rawValue: look(\.core.grant.accuracy.rawValue)) ?? .reducedAccuracy
    }
    set {
      let accuracy = Grant.Accuracy(rawValue: newValue.rawValue) ?? .reduced
      authorize { $0.change(accuracy) }
    }
  }

  /// Whether location services are on, for the whole machine.
  ///
  /// While they are off everything is denied.
  public var isEnabled: Bool {
    get { !look(\.core.isServiceOff) }
    set { authorize { $0.isServiceOff = !newValue } }
  }

  /// Whether nobody uses the program just now; false at first.
  ///
  /// Then locations reach only managers that allow it, and only with `authorizedAlways` or a held
  /// ``CLBackgroundActivitySession``.
  public var isInBackground: Bool {
    get { look(\.core.isInBackground) }
    set { perform { $0.isInBackground = newValue } }
  }

  // MARK: Requests

  /// Does something at the desk where permission is asked for; prompts are shown afterwards.
  @discardableResult
  func authorize<R: Sendable>(_ body: (inout AuthorizationDesk) -> R) -> R {
    step { body(&$0.desk) }
  }

  /// Asks for full accuracy; `completion` is called once, from any thread.
  func requestFullAccuracy(key: String, _ completion: @escaping @Sendable (Failure?) -> Void) {
    step { state in
      let request = state.desk.requestTemporaryFullAccuracy(purposeKey: key)
      state.askers[request] = completion
    }
  }

  /// Has a prompt answered by whoever decides.
  func ask(_ prompt: Prompt) {
    setup.policy.ask(prompt) { [weak self] answer in
      self?.answer(prompt.number, answer)
    }
  }

  private func answer(_ number: Int, _ answer: PromptAnswer) {
    step { state in
      let wasProvisional = state.desk.record.isProvisional
      state.desk.answer(number, answer)
      guard wasProvisional, !state.desk.record.isProvisional else { return }
      // What was found meanwhile is told, or dropped, by what the user says.
      let letters = state.core.now.flatMap { state.held.release(at: $0) } ?? []
      guard state.desk.grant.status == .always else { return }
      state.recipients.deliver(letters)
    }
    archive.keep(look(\.desk.record))
  }
}
