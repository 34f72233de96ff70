/// Decides what a program may know of the device's location: requests and answers go in, prompts and
/// an authorization come out.
///
/// A pure state machine after section 11 of Core Location's behaviour. It does no input or output.
package struct AuthorizationController: Sendable {
  /// Names a request for temporary full accuracy.
  package struct RequestID: Sendable, Hashable {
    let number: Int
  }

  /// The end of such a request; without a failure it was answered, perhaps with no.
  package struct Completion: Sendable, Hashable {
    package var request: RequestID
    package var failure: Failure?
  }

  /// What the user has decided so far.
  private enum Decision: Sendable, Hashable {
    case undetermined
    case decided(Authorization.Status)
    /// Allowed until the program is no longer in use.
    case once
    /// The program has "always"; the user was asked for "while in use" only.
    case provisional
    /// There was nobody to prompt.
    case unanswered
  }

  /// A prompt that waits for its turn.
  private enum Request: Sendable, Hashable {
    case status(ServiceSession.Need)
    case confirmation
    case fullAccuracy(key: String)
  }

  /// Whether location services are off for the whole machine: then everything is denied.
  package var isServiceOff = false
  /// Whether the program is in use: in the foreground, or held active.
  ///
  /// What was allowed only while in use ends when it is not.
  package var isInUse = true {
    didSet {
      if isInUse, !oldValue { renewRequests() }
      if !isInUse { endTemporary() }
    }
  }
  private(set) var sessions: [ServiceSession.ID: ServiceSession] = [:]
  let purposes: PurposeStrings
  private let asksAlwaysTwice: Bool
  private var decision: Decision
  private var accuracy: Authorization.Accuracy
  private var wasAskedForAlways: Bool
  private var hasTemporaryFullAccuracy = false
  /// The prompt that is shown.
  private var current: Prompt?
  private var waiting: [Request] = []
  private var requesters: [String: [RequestID]] = [:]
  private var reportedPurposes: Set<MissingPurpose> = []
  private var count = 0
  private var prompts: [Prompt] = []
  private var completions: [Completion] = []
  private var messages: [String] = []

  /// Starts from `record`, or from the initial state without one.
  package init(
    profile: Profile = .precise, purposes: PurposeStrings = PurposeStrings(),
    record: PermissionRecord? = nil
  ) {
    let accuracy: Authorization.Accuracy = purposes.defaultsToReducedAccuracy ? .reduced : .full
    let record = record ?? PermissionRecord(.notDetermined, accuracy)
    self.purposes = purposes
    asksAlwaysTwice = profile.asksAlwaysTwice
    decision = Self.decision(record.status)
    if record.isProvisional { decision = .provisional }
    self.accuracy = record.accuracy
    wasAskedForAlways = record.wasAskedForAlways
  }

  private static func decision(_ status: Authorization.Status) -> Decision {
    status == .notDetermined ? .undetermined : .decided(status)
  }

  // MARK: The authorization

  /// What the program may know now.
  package var grant: Authorization {
    Authorization(isServiceOff ? .denied : status, hasTemporaryFullAccuracy ? .full : accuracy)
  }

  private var status: Authorization.Status {
    switch decision {
    case .undetermined: .notDetermined
    case .decided(let status): status
    case .once: .whenInUse
    case .provisional: .always
    case .unanswered: .denied
    }
  }

  /// What is decided for good, for the permission file.
  package var record: PermissionRecord {
    switch decision {
    case .undetermined, .once, .unanswered: PermissionRecord(.notDetermined, accuracy)
    case .decided(let status):
      PermissionRecord(status, accuracy, wasAskedForAlways: wasAskedForAlways)
    case .provisional:
      PermissionRecord(.always, accuracy, wasAskedForAlways: true, isProvisional: true)
    }
  }

  /// Whether a prompt is shown.
  package var isRequestInProgress: Bool { current != nil }

  /// Whether a prompt about the status is shown or waits.
  var isStatusRequested: Bool {
    let isUp = current.map { $0.need != nil } ?? false
    return isUp || waiting.contains { if case .fullAccuracy = $0 { false } else { true } }
  }

  /// Whether a prompt for full accuracy with this key is shown or waits.
  func isFullAccuracyRequested(key: String) -> Bool {
    current?.kind == .fullAccuracy(key: key) || waiting.contains(.fullAccuracy(key: key))
  }

  /// New prompts since the last call; each is answered with its number, at any time.
  package mutating func takePrompts() -> [Prompt] {
    defer { prompts = [] }
    return prompts
  }

  /// Requests for temporary full accuracy that ended since the last call.
  package mutating func takeCompletions() -> [Completion] {
    defer { completions = [] }
    return completions
  }

  /// Messages for the developer since the last call.
  package mutating func takeMessages() -> [String] {
    defer { messages = [] }
    return messages
  }

  // MARK: Requests

  /// The program requests its location while it is in use.
  package mutating func requestWhenInUse() { request(.whenInUse) }

  /// The program requests its location at any time.
  package mutating func requestAlways() { request(.always) }

  /// Requests what is needed, unless the prompt for it is shown already.
  mutating func request(_ need: ServiceSession.Need) {
    guard need > .none, need > current?.need ?? .none else { return }
    add(.status(need))
  }

  /// The program requests full accuracy while it is in use, for the purpose with this key.
  package mutating func requestTemporaryFullAccuracy(purposeKey key: String) -> RequestID {
    count += 1
    let request = RequestID(number: count)
    requesters[key, default: []].append(request)
    requestFullAccuracy(key: key)
    return request
  }

  mutating func requestFullAccuracy(key: String) {
    guard current?.kind != .fullAccuracy(key: key) else { return }
    add(.fullAccuracy(key: key))
  }

  /// Whether an event found in the background may be delivered now.
  ///
  /// Not while "always" is provisional: then the user is prompted, and the event is withheld
  /// (``WithheldEvent``) until the answer.
  package mutating func admitsBackgroundEvent() -> Bool {
    guard decision == .provisional, !isServiceOff else { return true }
    if current?.kind != .confirmation { add(.confirmation) }
    return false
  }

  private mutating func add(_ request: Request) {
    if !waiting.contains(request) { waiting.append(request) }
    proceed()
  }

  /// Shows the next prompt, unless one is shown.
  private mutating func proceed() {
    while current == nil, !waiting.isEmpty {
      switch waiting.removeFirst() {
      case .status(let need): if let kind = kind(for: need) { show(kind) }
      case .confirmation: if decision == .provisional { show(.confirmation) }
      case .fullAccuracy(let key):
        if !mayRequestFullAccuracy || !show(.fullAccuracy(key: key)) {
          complete(key, .promptDeclined)
        }
      }
    }
  }

  private var mayRequestFullAccuracy: Bool {
    isInUse && grant.isAuthorized && grant.accuracy == .reduced
  }

  /// The prompt for a need; nil when no prompt applies.
  private func kind(for need: ServiceSession.Need) -> Prompt.Kind? {
    guard isInUse, !isServiceOff else { return nil }
    return switch (decision, need) {
    case (.undetermined, .whenInUse): .whenInUse
    case (.undetermined, .always): .always
    case (.decided(.whenInUse), .always): wasAskedForAlways ? nil : .upgrade
    default: nil
    }
  }

  /// Shows a prompt; false when the program gave no purpose for it.
  @discardableResult
  private mutating func show(_ kind: Prompt.Kind) -> Bool {
    switch purposes.purpose(of: kind) {
    case .success(let purpose):
      count += 1
      let prompt = Prompt(
        number: count, kind: kind, purpose: purpose, choices: choices(of: kind))
      current = prompt
      prompts.append(prompt)
      return true
    case .failure(let missing):
      if reportedPurposes.insert(missing).inserted { messages.append(missing.description) }
      return false
    }
  }

  private func choices(of kind: Prompt.Kind) -> [PromptAnswer] {
    switch kind {
    case .whenInUse: [.whenInUse, .once, .denied]
    case .always where asksAlwaysTwice: [.whenInUse, .once, .denied]
    case .always: [.always, .whenInUse, .once, .denied]
    case .upgrade, .confirmation: [.always, .whenInUse]
    case .fullAccuracy: [.fullAccuracy, .denied]
    }
  }

  // MARK: Answers

  /// The user answered a prompt; an answer to one that is no longer shown has no effect.
  ///
  /// An answer that allows more than the prompt asked for allows what it asked for.
  package mutating func answer(_ number: Int, _ answer: PromptAnswer) {
    guard let prompt = current, prompt.number == number else { return }
    current = nil
    switch prompt.kind {
    case .whenInUse: decide(answer, whole: .decided(.whenInUse))
    case .always:
      decide(answer, whole: asksAlwaysTwice ? .provisional : .decided(.always))
      wasAskedForAlways = [.always, .whenInUse, .denied].contains(answer)
    case .upgrade:
      if answer == .always { decision = .decided(.always) }
      if answer != .unanswerable { wasAskedForAlways = true }
    case .confirmation:
      if answer != .unanswerable {
        decision = .decided(answer == .always ? .always : .whenInUse)
      }
    case .fullAccuracy(let key):
      hasTemporaryFullAccuracy = answer == .fullAccuracy
      complete(key, answer == .unanswerable ? .promptDeclined : nil)
    }
    if !isInUse { endTemporary() }
    proceed()
  }

  /// The answer to a first prompt; `whole` is the decision when everything is allowed.
  private mutating func decide(_ answer: PromptAnswer, whole: Decision) {
    switch answer {
    case .always: decision = whole
    case .whenInUse: decision = whole == .provisional ? .provisional : .decided(.whenInUse)
    case .once: decision = .once
    case .denied: decision = .decided(.denied)
    case .unanswerable: decision = .unanswered
    case .declined, .fullAccuracy: break
    }
  }

  private mutating func complete(_ key: String, _ failure: Failure?) {
    for request in requesters.removeValue(forKey: key) ?? [] {
      completions.append(Completion(request: request, failure: failure))
    }
  }

  private mutating func endTemporary() {
    if decision == .once { decision = .undetermined }
    hasTemporaryFullAccuracy = false
  }

  // MARK: Settings

  /// The user changed the status in the settings, from anything to anything.
  ///
  /// A prompt about the status is removed. After a reset to "not determined", "always" can be
  /// requested again.
  package mutating func change(_ status: Authorization.Status) {
    decision = Self.decision(status)
    if status == .notDetermined { wasAskedForAlways = false }
    if current?.need != nil { current = nil }
    withdrawFullAccuracy()
    proceed()
  }

  /// The user changed the accuracy in the settings; temporary full accuracy ends.
  package mutating func change(_ accuracy: Authorization.Accuracy) {
    self.accuracy = accuracy
    hasTemporaryFullAccuracy = false
    withdrawFullAccuracy()
    proceed()
  }

  /// Removes a prompt for full accuracy that no longer applies.
  private mutating func withdrawFullAccuracy() {
    guard case .fullAccuracy(let key) = current?.kind, !mayRequestFullAccuracy else { return }
    current = nil
    complete(key, grant.accuracy == .full && grant.isAuthorized ? nil : .promptDeclined)
  }

  // MARK: Sessions

  /// Starts a session and requests what it needs (10.1).
  package mutating func open(_ session: ServiceSession) -> ServiceSession.ID {
    count += 1
    let id = ServiceSession.ID(number: count)
    sessions[id] = session
    request(for: session)
    return id
  }

  /// Ends a session.
  package mutating func close(_ id: ServiceSession.ID) { sessions[id] = nil }

  /// Requests what open sessions still need, when the program comes into use.
  private mutating func renewRequests() {
    request(need)
    for (_, session) in sessions.sorted(by: { $0.key.number < $1.key.number }) {
      request(for: session)
    }
  }
}

extension Prompt {
  /// The status that it asks for; nil when it asks for accuracy.
  fileprivate var need: ServiceSession.Need? {
    switch kind {
    case .whenInUse: .whenInUse
    case .always, .upgrade, .confirmation: .always
    case .fullAccuracy: nil
    }
  }
}
