internal import Locking
internal import Services

/// A goal that a program has while it holds this: what permission it needs.
///
/// The strongest goal of all open sessions counts. The user is asked for what is missing. It ends
/// when it is no longer held, or with ``invalidate()``.
public final class CLServiceSession: Sendable {
  /// What permission is needed.
  public enum AuthorizationRequirement: Int, Sendable, Hashable {
    /// Whatever there is; the user is not asked.
    case none = 0
    /// To know the place while the program is in use.
    case whenInUse = 1
    /// To know the place at any time; it works in the background only while the session is held.
    case always = 2

    var need: ServiceSession.Need {
      switch self {
      case .none: .none
      case .whenInUse: .whenInUse
      case .always: .always
      }
    }
  }

  /// How the session is: what it is now at once, then every change, until it ends.
  public let diagnostics: Diagnostics
  private let id: ServiceSession.ID
  private let service: LocationService
  private let isOver = Mutex(false)

  init(_ session: ServiceSession, in service: LocationService) {
    self.service = service
    id = service.begin(session)
    diagnostics = Diagnostics(id, in: service)
  }

  /// Opens a session, and asks for permission if it is needed and nobody decided yet.
  ///
  /// That needs a purpose string, as every request does.
  public convenience init(authorization: AuthorizationRequirement) {
    self.init(ServiceSession(authorization.need), in: .current)
  }

  /// Opens a session that wants exact places too, for the purpose with this key.
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
  /// Why a session does not have what it needs; all false when it has.
  public struct Diagnostic: Sendable {
    let diagnosis: Diagnosis

    /// Whether the program may not know where the device is.
    public var authorizationDenied: Bool { diagnosis.authorizationDenied }

    /// Whether that is because location services are off for the whole machine.
    public var authorizationDeniedGlobally: Bool { diagnosis.authorizationDeniedGlobally }

    /// Whether the program may not know where the device is, and the user cannot change that.
    public var authorizationRestricted: Bool { diagnosis.authorizationRestricted }

    /// Whether the program is in the background, where it has no permission.
    public var insufficientlyInUse: Bool { diagnosis.insufficientlyInUse }

    /// Whether the program must hold a session and does not.
    public var serviceSessionRequired: Bool { diagnosis.serviceSessionRequired }

    /// Whether exact places were asked for and are not told.
    public var fullAccuracyDenied: Bool { diagnosis.fullAccuracyDenied }

    /// Whether the place at any time was asked for and is not allowed.
    public var alwaysAuthorizationDenied: Bool { diagnosis.alwaysAuthorizationDenied }

    /// Whether the user is being asked.
    public var authorizationRequestInProgress: Bool { diagnosis.authorizationRequestInProgress }
  }

  /// How a session is: what it is now at once, then every change.
  public final class Diagnostics: AsyncSequence, Sendable {
    /// What is told.
    public typealias Element = Diagnostic
    /// One run over the diagnostics.
    public typealias AsyncIterator = Iterator

    private let id: ServiceSession.ID
    private let service: LocationService

    init(_ id: ServiceSession.ID, in service: LocationService) {
      self.id = id
      self.service = service
    }

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator {
      Iterator(run: DiagnosisRun(.session(id), in: service))
    }

    /// One run over the diagnostics.
    public struct Iterator: AsyncIteratorProtocol {
      /// What is told.
      public typealias Element = Diagnostic

      let run: DiagnosisRun

      /// The next diagnostic; nil when the session is over or the task cancelled.
      public mutating func next() async throws -> Element? {
        await run.next().map { Diagnostic(diagnosis: $0) }
      }
    }
  }
}
