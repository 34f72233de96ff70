package import Tracking

/// The state of a program's services, as it is saved between launches.
package struct ServiceState: Sendable, Codable {
  private enum ProfileName: String, Codable {
    case apple, precise
  }

  package var registrations: Registrations
  /// The last state of the engine; nil before the first fix.
  package var engine: Tracker?
  /// The authorization of the program.
  package var grant: Authorization
  private var profileName: ProfileName

  /// The rules for its locations and events.
  package var profile: Profile { profileName == .apple ? .apple : .precise }

  package init(
    _ registrations: Registrations, engine: Tracker?, grant: Authorization,
    profile: Profile = .precise
  ) {
    self.registrations = registrations
    self.engine = engine
    self.grant = grant
    profileName = profile == .apple ? .apple : .precise
  }

  /// Whether the program has requests that can launch it.
  package var wantsLaunches: Bool {
    registrations.hasVisits || registrations.hasSignificantChanges
      || !registrations.regions.isEmpty || registrations.monitors.values.contains { !$0.isEmpty }
  }
}
