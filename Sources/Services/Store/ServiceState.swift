package import Tracking

/// What a program's services know and want, as it lasts between launches.
package struct ServiceState: Sendable, Codable {
  private enum ProfileName: String, Codable {
    case apple, precise
  }

  package var registrations: Registrations
  /// The engine as it was last; nil when it has seen nothing.
  package var engine: Tracker?
  /// What the program was allowed to know.
  package var grant: Grant
  private var profileName: ProfileName

  /// By whose rules it is told.
  package var profile: Profile { profileName == .apple ? .apple : .precise }

  package init(
    _ registrations: Registrations, engine: Tracker?, grant: Grant, profile: Profile = .precise
  ) {
    self.registrations = registrations
    self.engine = engine
    self.grant = grant
    profileName = profile == .apple ? .apple : .precise
  }

  /// Whether there is anything for which the program is worth launching.
  package var wantsLaunches: Bool {
    registrations.hasVisits || registrations.hasSignificantChanges
      || !registrations.regions.isEmpty || registrations.monitors.values.contains { !$0.isEmpty }
  }
}
