internal import Locking

/// The configuration of a program's service: set in code once and before first use, or a default.
///
/// Any thread may call it.
final class SharedSetup: Sendable {
  private enum Phase {
    case open
    case configured(LocationService.Configuration)
    case used(wasConfigured: Bool)
  }

  private let phase = Mutex(Phase.open)

  /// Configures the service in code.
  func configure(_ configuration: LocationService.Configuration) throws(LocationServiceError) {
    try configuration.check()
    try phase.withLock { phase throws(LocationServiceError) in
      switch phase {
      case .open: phase = .configured(configuration)
      case .configured, .used(wasConfigured: true): throw .configured
      case .used(wasConfigured: false): throw .inUse
      }
    }
  }

  /// Marks the service as used; returns the configuration from code, otherwise the default.
  func take(
    default defaultConfiguration: () -> LocationService.Configuration
  ) -> LocationService.Configuration {
    let configured: LocationService.Configuration? = phase.withLock { phase in
      guard case .configured(let configuration) = phase else {
        phase = .used(wasConfigured: false)
        return nil
      }
      phase = .used(wasConfigured: true)
      return configuration
    }
    return configured ?? defaultConfiguration()
  }
}
