internal import Locking

/// How the service of a program is set up: in code, once and before it is used, or not.
///
/// Any thread may call it.
final class SharedSetup: Sendable {
  private enum Phase {
    case open
    case given(LocationService.Configuration)
    case used(wasGiven: Bool)
  }

  private let phase = Mutex(Phase.open)

  /// Sets the service up in code.
  func give(_ configuration: LocationService.Configuration) throws(LocationServiceError) {
    try configuration.check()
    try phase.withLock { phase throws(LocationServiceError) in
      switch phase {
      case .open: phase = .given(configuration)
      case .given, .used(wasGiven: true): throw .configured
      case .used(wasGiven: false): throw .inUse
      }
    }
  }

  /// What the service is made of, as it is used from now on: what code gave, else the usual.
  func take(
    _ usual: () -> LocationService.Configuration
  ) -> LocationService.Configuration {
    let given: LocationService.Configuration? = phase.withLock { phase in
      guard case .given(let configuration) = phase else {
        phase = .used(wasGiven: false)
        return nil
      }
      phase = .used(wasGiven: true)
      return configuration
    }
    return given ?? usual()
  }
}
