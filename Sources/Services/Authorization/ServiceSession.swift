/// What a program needs while the session is open; the strongest need of all sessions counts (10.1).
package struct ServiceSession: Sendable, Hashable {
  /// The permission that it needs; raw values as Core Location's.
  package enum Need: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Whatever is allowed already; there is no prompt.
    case none = 0
    case whenInUse = 1
    case always = 2

    package static func < (a: Need, b: Need) -> Bool { a.rawValue < b.rawValue }
  }

  /// Identifies an open session.
  package struct ID: Sendable, Hashable {
    let number: Int
  }

  package var need: Need
  /// The key of the purpose for full accuracy, if it needs that too.
  package var fullAccuracyKey: String?
  /// Whether a stream opened it by itself (9.5).
  package private(set) var isImplicit = false

  package init(_ need: Need, fullAccuracyKey: String? = nil) {
    self.need = need
    self.fullAccuracyKey = fullAccuracyKey
  }

  /// The implicit session of a stream: while in use, never full accuracy or "always".
  package static var ofStream: ServiceSession {
    var session = ServiceSession(.whenInUse)
    session.isImplicit = true
    return session
  }
}

extension AuthorizationController {
  /// The strongest need of all sessions that count.
  package var need: ServiceSession.Need {
    sessions.values.filter(counts).map(\.need).max() ?? .none
  }

  private var hasExplicitSession: Bool { sessions.values.contains { !$0.isImplicit } }

  private func counts(_ session: ServiceSession) -> Bool {
    !(session.isImplicit && purposes.requiresExplicitSession)
  }

  /// Requests what a session needs.
  mutating func request(for session: ServiceSession) {
    guard counts(session) else { return }
    request(session.need)
    if let key = session.fullAccuracyKey { requestFullAccuracy(key: key) }
  }

  /// Why a session does not have what it needs (10.2); nothing is set when it does.
  package func diagnosis(of id: ServiceSession.ID) -> Diagnosis {
    var diagnosis = Diagnosis()
    guard let session = sessions[id] else { return diagnosis }
    let grant = grant
    diagnosis.authorizationRequestInProgress = isRequestInProgress
    diagnosis.authorizationDenied = grant.status == .denied
    diagnosis.authorizationDeniedGlobally = isServiceOff
    diagnosis.authorizationRestricted = grant.status == .restricted
    diagnosis.serviceSessionRequired = !counts(session) && !hasExplicitSession
    diagnosis.insufficientlyInUse =
      !isInUse
      && (grant.status == .whenInUse || grant.status == .notDetermined && session.need > .none)
    diagnosis.accuracyLimited = grant.isAuthorized && grant.accuracy == .reduced
    diagnosis.alwaysAuthorizationDenied =
      session.need == .always && ![.always, .notDetermined].contains(grant.status)
      && !isStatusRequested
    if let key = session.fullAccuracyKey {
      diagnosis.fullAccuracyDenied = diagnosis.accuracyLimited && !isFullAccuracyRequested(key: key)
    }
    return diagnosis
  }
}
