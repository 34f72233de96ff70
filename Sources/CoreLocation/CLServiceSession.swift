internal import Locking
internal import Services

/// Declares the permission that a program needs while it holds the session.
///
/// The strongest requirement of all open sessions counts. The user is asked for missing permission. It
/// ends when it is released, or with ``invalidate()``.
public final class CLServiceSession: Sendable {
  /// The required permission.
  public enum AuthorizationRequirement: Int, Sendable, Hashable {
    /// The existing permission; the user is not asked.
    case none = 0
    /// Permission while the program is in use.
    case whenInUse = 1
    /// Permission at any time; it works in the background only while the session is held.
    case always = 2

    var need: ServiceSession.Need {
      switch self {
      case .none: .none
      case .whenInUse: .whenInUse
      case .always: .always
      }
    }
  }

  /// The diagnostics of the session: the current one, then every change, until it ends.
  public let diagnostics: Diagnostics
  private let id: ServiceSession.ID
  private let service: LocationService
  private let isOver = Mutex(false)

  init(_ session: ServiceSession, in service: LocationService) {
    self.service = service
    id = service.begin(session)
    diagnostics = Diagnostics(id, in: service)
  }

  /// Opens a session, and requests permission if it is required and the user has not decided yet.
  ///
  /// As every request it needs a purpose string.
  public convenience init(authorization: AuthorizationRequirement) {
    self.init(ServiceSession(authorization.need), in: .current)
  }

  /// Opens a session that also requires full accuracy, for the purpose with this key.
  public convenience init(
    authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String
  ) {
    self.init(
      ServiceSession(authorization.need, fullAccuracyKey: fullAccuracyPurposeKey), in: .current)
  }

  deinit { invalidate() }

  /// Ends the session for good; its diagnostics end too.
  public func invalidate() {
    let isFirst = isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    if isFirst { service.endSession(id) }
  }
}

extension CLServiceSession {
  /// Why a session does not have the required permission; all false if it has.
  public struct Diagnostic: Sendable {
    let diagnosis: Diagnosis

    /// Whether the program has no permission.
    public var authorizationDenied: Bool { diagnosis.authorizationDenied }

    /// Whether the reason is that location services are off for the whole machine.
    public var authorizationDeniedGlobally: Bool { diagnosis.authorizationDeniedGlobally }

    /// Whether the program has no permission and the user cannot change that.
    public var authorizationRestricted: Bool { diagnosis.authorizationRestricted }

    /// Whether the program is in the background and has no permission there.
    public var insufficientlyInUse: Bool { diagnosis.insufficientlyInUse }

    /// Whether the program must hold a session, and does not.
    public var serviceSessionRequired: Bool { diagnosis.serviceSessionRequired }

    /// Whether full accuracy was requested and is denied.
    public var fullAccuracyDenied: Bool { diagnosis.fullAccuracyDenied }

    /// Whether permission at any time was requested and is denied.
    public var alwaysAuthorizationDenied: Bool { diagnosis.alwaysAuthorizationDenied }

    /// Whether a prompt is up.
    public var authorizationRequestInProgress: Bool { diagnosis.authorizationRequestInProgress }
  }

  /// The diagnostics of a session: the current one, then every change.
  public final class Diagnostics: AsyncSequence, Sendable {
    /// A diagnostic.
    public typealias Element = Diagnostic
    /// An iterator over the diagnostics.
    public typealias AsyncIterator = Iterator

    private let id: ServiceSession.ID
    private let service: LocationService

    init(_ id: ServiceSession.ID, in service: LocationService) {
      self.id = id
      self.service = service
    }

    /// Starts to listen.
    public func makeAsyncIterator() -> Iterator {
      Iterator(subscription: DiagnosisSubscription(.session(id), in: service))
    }

    /// An iterator over the diagnostics.
    public struct Iterator: AsyncIteratorProtocol {
      /// A diagnostic.
      public typealias Element = Diagnostic

      let subscription: DiagnosisSubscription

      /// The next diagnostic; nil when the session has ended or the task is cancelled.
      public mutating func next() async throws -> Element? {
        await subscription.next().map { Diagnostic(diagnosis: $0) }
      }
    }
  }
}
