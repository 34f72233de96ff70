internal import Services

extension LocationService {
  // MARK: The user's settings

  /// The program's permission; set it to simulate the user's choice in the settings.
  ///
  /// It is kept like an answer to a prompt: in the permission file or the state folder, if there is one.
  public var authorizationStatus: CLAuthorizationStatus {
    get { CLAuthorizationStatus(rawValue: read(\.core.grant.status.rawValue)) ?? .denied }
    set {
      let status = Authorization.Status(rawValue: newValue.rawValue) ?? .denied
      authorize { $0.change(status) }
      archive.save(read(\.authorization.record))
    }
  }

  /// How accurate locations may be; set it to simulate the user's choice in the settings.
  public var accuracyAuthorization: CLAccuracyAuthorization {
    get {
      CLAccuracyAuthorization(rawValue: read(\.core.grant.accuracy.rawValue)) ?? .reducedAccuracy
    }
    set {
      let accuracy = Authorization.Accuracy(rawValue: newValue.rawValue) ?? .reduced
      authorize { $0.change(accuracy) }
      archive.save(read(\.authorization.record))
    }
  }

  /// Whether location services are on, for the whole machine.
  ///
  /// While they are off everything is denied.
  public var isEnabled: Bool {
    get { !read(\.core.isServiceOff) }
    set { authorize { $0.isServiceOff = !newValue } }
  }

  /// Whether the program is in the background; initially false.
  ///
  /// In the background only managers that allow it get locations, and only with `authorizedAlways` or a
  /// held ``CLBackgroundActivitySession``.
  public var isInBackground: Bool {
    get { read(\.core.isInBackground) }
    set { perform { $0.isInBackground = newValue } }
  }

  // MARK: Requests

  /// Runs `body` on the authorization state; prompts are shown afterwards.
  @discardableResult
  func authorize<R: Sendable>(_ body: (inout AuthorizationController) -> R) -> R {
    step { body(&$0.authorization) }
  }

  /// Requests full accuracy; `completion` is called once, from any thread.
  func requestFullAccuracy(key: String, _ completion: @escaping @Sendable (Failure?) -> Void) {
    step { state in
      let request = state.authorization.requestTemporaryFullAccuracy(purposeKey: key)
      state.accuracyCompletions[request] = completion
    }
  }

  /// Passes a prompt to the permission policy for an answer.
  func ask(_ prompt: Prompt) {
    setup.policy.ask(prompt) { [weak self] answer in
      self?.answer(prompt.number, answer)
    }
  }

  private func answer(_ number: Int, _ answer: PromptAnswer) {
    step { state in
      let wasProvisional = state.authorization.record.isProvisional
      state.authorization.answer(number, answer)
      guard wasProvisional, !state.authorization.record.isProvisional else { return }
      // The user's answer decides whether the held events are delivered or dropped.
      let notices = state.core.now.flatMap { state.held.release(at: $0) } ?? []
      guard state.authorization.grant.status == .always else { return }
      state.recipients.deliver(notices)
    }
    archive.save(read(\.authorization.record))
  }
}
