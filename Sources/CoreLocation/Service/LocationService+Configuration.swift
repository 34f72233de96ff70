internal import Foundation
public import Geocoding
package import Services

extension LocationService {
  /// How a location service is set up.
  public struct Configuration: Sendable {
    /// By whose rules places are told.
    public enum Profile: Sendable, Hashable {
      /// The engine's own decisions, without limits.
      case precise
      /// As Apple documents Core Location: 20 regions at most, and crossings only after 20 s.
      case apple
    }

    /// What the user is taken to allow.
    public enum Permission: Sendable, Hashable {
      /// Every request is granted as asked; before one nothing is decided.
      case allow
      /// Refused from the start.
      case deny
      /// Refused from the start, by somebody whom the user cannot overrule.
      case restrict
      /// Allowed at any time, from the start.
      case always
      /// Allowed while the program is in use, from the start.
      case whenInUse
    }

    /// By whose rules places are told; `precise` at first.
    public var profile = Profile.precise
    /// Names places; none at first.
    public var geocoder: any Geocoder = NoGeocoder()
    /// Takes lines that tell a developer what is wrong; they go to standard error at first.
    public var log: @Sendable (String) -> Void = LocationService.logToStandardError

    /// Why the program wants places, as in an Info.plist; without that nobody is asked.
    package var purposes: PurposeStrings
    package var permission: PermissionPolicy
    /// Where fixes come from by themselves; an isolated service is played to by hand.
    package var source = SourceDescription.none
    /// Where what lasts between launches is kept; nil for nowhere.
    package var stateFolder: String?
    /// Whether the program was launched for something that happened while it did not run.
    package var wasLaunched = false

    /// Makes a setup without a source, without files, and with purposes for every request.
    /// - Parameter permission: What the user is taken to allow.
    public init(permission: Permission = .always) {
      self.permission = PermissionPolicy(permission)
      purposes = PurposeStrings(whenInUse: Self.noPurpose, always: Self.noPurpose)
    }

    private static let noPurpose = "to try things out"
  }

  /// Writes a line for the developer to standard error.
  static let logToStandardError: @Sendable (String) -> Void = { text in
    FileHandle.standardError.write(Data("waymark: \(text)\n".utf8))
  }
}

extension PermissionPolicy {
  init(_ permission: LocationService.Configuration.Permission) {
    self =
      switch permission {
      case .allow: .allow
      case .deny: .deny
      case .restrict: .restrict
      case .always: .fixed(Grant(.always))
      case .whenInUse: .fixed(Grant(.whenInUse))
      }
  }
}

extension Profile {
  init(_ profile: LocationService.Configuration.Profile) {
    self =
      switch profile {
      case .precise: .precise
      case .apple: .apple
      }
  }
}
