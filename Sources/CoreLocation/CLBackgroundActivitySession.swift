internal import Locking
internal import Services

/// Keeps a program in use in the background.
///
/// It ends when it is released, or with ``invalidate()``.
public final class CLBackgroundActivitySession: Sendable {
  /// The diagnostics of the session: the current one, then every change.
  public let diagnostics: Diagnostics
  private let service: LocationService
  private let isOver = Mutex(false)

  /// Begins a session, or continues the one of an earlier launch.
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
  /// Why the program gets no locations although it has the session; all false when all is well.
  public struct Diagnostic: Sendable {
    let diagnosis: Diagnosis

    /// Whether the program has no permission.
    public var authorizationDenied: Bool { diagnosis.authorizationDenied }

    /// Whether the reason is that location services are off for the whole machine.
    public var authorizationDeniedGlobally: Bool { diagnosis.authorizationDeniedGlobally }

    /// Whether the program has no permission and the user cannot change that.
    public var authorizationRestricted: Bool { diagnosis.authorizationRestricted }

    /// Whether the program is in the background and its session has ended.
    public var insufficientlyInUse: Bool { diagnosis.insufficientlyInUse }

    /// Whether the program must also hold a `CLServiceSession`, and does not.
    public var serviceSessionRequired: Bool { diagnosis.serviceSessionRequired }

    /// Whether a prompt is up.
    public var authorizationRequestInProgress: Bool { diagnosis.authorizationRequestInProgress }
  }

  /// The diagnostics of a session: the current one, then every change.
  public final class Diagnostics: AsyncSequence, Sendable {
    /// A diagnostic.
    public typealias Element = Diagnostic
    /// An iterator over the diagnostics.
    public typealias AsyncIterator = Iterator

    private let service: LocationService

    init(_ service: LocationService) { self.service = service }

    /// Starts to listen.
    public func makeAsyncIterator() -> Iterator {
      Iterator(subscription: DiagnosisSubscription(.activity, in: service))
    }

    /// An iterator over the diagnostics.
    public struct Iterator: AsyncIteratorProtocol {
      /// A diagnostic.
      public typealias Element = Diagnostic

      let subscription: DiagnosisSubscription

      /// The next diagnostic; nil when the task is cancelled.
      public mutating func next() async throws -> Element? {
        await subscription.next().map { Diagnostic(diagnosis: $0) }
      }
    }
  }
}
