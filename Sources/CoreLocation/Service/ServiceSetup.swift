internal import Foundation
internal import Geocoding
internal import Services

/// What a service is made of: a configuration, and what is usual where that says nothing.
struct ServiceSetup: Sendable {
  let profile: Profile
  let source: SourceDescription
  let policy: PermissionPolicy
  let purposes: PurposeStrings
  let stateFolder: String?
  /// Keeps what lasts in the place of `stateFolder`; for tests.
  let stateStore: (any StateStore)?
  let geocoder: any Geocoder
  let log: ServiceLog

  /// The setup of an isolated service: without a source, allowed at any time, and with purposes.
  init(isolated configuration: LocationService.Configuration) {
    self.init(
      configuration, source: .none, permission: .always,
      purposes: PurposeStrings(whenInUse: Self.noPurpose, always: Self.noPurpose))
  }

  /// The setup of a program's service; of a source that cannot be meant a line is told.
  /// - Parameters:
  ///   - configuration: What the program or the environment says.
  ///   - propertyList: The path of the Info.plist beside the program; nil when there is none.
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

  /// The path of the Info.plist beside the program; nil when there is none.
  private static var bundledPropertyList: String? {
    let path = Bundle.main.bundleURL.appendingPathComponent("Info.plist").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }
}
