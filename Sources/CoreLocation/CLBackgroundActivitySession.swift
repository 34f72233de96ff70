internal import Locking
internal import Services

/// Keeps a program in use in the background while it is held.
///
/// It ends when it is no longer held, or with ``invalidate()``.
public final class CLBackgroundActivitySession: Sendable {
  /// How the session is: what it is now at once, then every change.
  public let diagnostics: Diagnostics
  private let service: LocationService
  private let isOver = Mutex(false)

  /// Begins, or goes on after a launch.
  public init() {
    service = .current
    diagnostics = Diagnostics(service)
    service.beginActivity()
  }

  deinit { invalidate() }

  /// Ends the session for good.
  public func invalidate() {
    let isFirst = isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    if isFirst { service.endActivity() }
  }
}

extension CLBackgroundActivitySession {
  /// Why nothing is told in spite of the session; all false when all is well.
  public struct Diagnostic: Sendable {
    let diagnosis: Diagnosis

    /// Whether the program may not know where the device is.
    public var authorizationDenied: Bool { diagnosis.authorizationDenied }

    /// Whether that is because location services are off for the whole machine.
    public var authorizationDeniedGlobally: Bool { diagnosis.authorizationDeniedGlobally }

    /// Whether the program may not know where the device is, and the user cannot change that.
    public var authorizationRestricted: Bool { diagnosis.authorizationRestricted }

    /// Whether the program is in the background and its session over.
    public var insufficientlyInUse: Bool { diagnosis.insufficientlyInUse }

    /// Whether the program must hold a `CLServiceSession` too, and does not.
    public var serviceSessionRequired: Bool { diagnosis.serviceSessionRequired }

    /// Whether the user is being asked.
    public var authorizationRequestInProgress: Bool { diagnosis.authorizationRequestInProgress }
  }

  /// How a session is: what it is now at once, then every change.
  public final class Diagnostics: AsyncSequence, Sendable {
    /// What is told.
    public typealias Element = Diagnostic
    /// One run over the diagnostics.
    public typealias AsyncIterator = Iterator

    private let service: LocationService

    init(_ service: LocationService) { self.service = service }

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator {
      Iterator(run: DiagnosisRun(.activity, in: service))
    }

    /// One run over the diagnostics.
    public struct Iterator: AsyncIteratorProtocol {
      /// What is told.
      public typealias Element = Diagnostic

      let run: DiagnosisRun

      /// The next diagnostic; nil when the task is cancelled.
      public mutating func next() async throws -> Element? {
        await run.next().map { Diagnostic(diagnosis: $0) }
      }
    }
  }
}
