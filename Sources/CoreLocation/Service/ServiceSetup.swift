internal import Delivering
internal import Foundation
internal import Geocoding
internal import Services

/// The resolved configuration of a service, with all defaults.
struct ServiceSetup: Sendable {
  let profile: Profile
  let source: SourceDescription
  let policy: PermissionPolicy
  let purposes: PurposeStrings
  let stateFolder: String?
  /// Saves state in place of `stateFolder`; for tests.
  let stateStore: (any StateStore)?
  let geocoder: any Geocoder
  let log: ServiceLog

  /// The setup of an isolated service: no source, permission at any time, and a purpose for each kind.
  init(isolated configuration: LocationService.Configuration) {
    self.init(
      configuration, source: .none, permission: .always,
      purposes: PurposeStrings(whenInUse: Self.noPurpose, always: Self.noPurpose))
  }

  /// The setup of a program's service; an invalid source is logged.
  /// - Parameters:
  ///   - configuration: The configuration from the program or the environment.
  ///   - propertyList: The path of the Info.plist beside the program; nil if there is none.
  init(
    shared configuration: LocationService.Configuration, propertyList: String? = bundledPropertyList
  ) {
    let log = ServiceLog(configuration.logger)
    var source = SourceDescription.none
    do throws(SourceError) {
      source = try SourceDescription(configuration.source)
    } catch {
      log("\(error); there are no locations")
    }
    var purposes = PurposeStrings()
    if configuration.purposes == nil, let propertyList {
      do throws(PurposeError) {
        purposes = try PurposeStrings(path: propertyList)
      } catch {
        log(error.description)
      }
    }
    self.init(configuration, source: source, permission: .allow, purposes: purposes)
  }

  private init(
    _ configuration: LocationService.Configuration, source: SourceDescription,
    permission: LocationService.Configuration.Permission, purposes: PurposeStrings
  ) {
    profile = Profile(configuration.profile)
    self.source = source
    let log = ServiceLog(configuration.logger)
    self.log = log
    policy =
      configuration.policy
      ?? PermissionPolicy(configuration.permission ?? permission, log: { log($0) })
    self.purposes = configuration.purposes.map { PurposeStrings($0) } ?? purposes
    stateFolder = configuration.stateFolder
    stateStore = configuration.stateStore
    geocoder = configuration.geocoder
  }

  private static let noPurpose = "to try things out"

  /// The path of the Info.plist beside the program; nil if there is none.
  private static var bundledPropertyList: String? {
    let path = Bundle.main.bundleURL.appendingPathComponent("Info.plist").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }
}
