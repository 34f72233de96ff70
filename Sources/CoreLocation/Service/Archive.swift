internal import Services
internal import Synchronization

/// What of a service lasts between launches.
final class Archive: Sendable {
  private let keeper: Mutex<PermissionPolicy.Keeper>
  private let log: @Sendable (String) -> Void

  init(_ configuration: LocationService.Configuration) {
    log = configuration.log
    keeper = Mutex(PermissionPolicy.Keeper(configuration.permission))
  }

  /// Whether registrations are kept.
  var keepsRegistrations: Bool { false }

  /// What a service begins with.
  func open(_ configuration: LocationService.Configuration) -> LocationService.State {
    let record = keeper.withLock { $0.open(say: log) }
    let profile = Profile(configuration.profile)
    let desk = AuthorizationDesk(
      profile: profile, purposes: configuration.purposes, record: record)
    return LocationService.State(
      core: ServiceCore(profile: profile, grant: desk.grant), desk: desk)
  }

  /// Keeps what the user has decided.
  func keep(_ record: PermissionRecord) {
    keeper.withLock { $0.keep(record, say: log) }
  }

  /// Keeps registrations and where the engine is.
  func save(_ service: LocationService) {}
}
