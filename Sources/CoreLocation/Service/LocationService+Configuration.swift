internal import Delivering
public import Geocoding
public import Logging
package import Services

extension LocationService {
  /// The configuration of a location service.
  ///
  /// Its initial values are those of an empty environment.
  public struct Configuration: Sendable {
    /// The rules by which locations and events are reported.
    public enum Profile: Sendable, Hashable {
      /// The engine's own decisions, without limits.
      case precise
      /// As Apple documents Core Location: at most 20 regions, and crossings only after 20 s.
      case apple
    }

    /// The rules by which locations and events are reported; initially `precise`.
    public var profile = Profile.precise
    /// The source of fixes; initially gpsd on this machine.
    ///
    /// An isolated service ignores it: it gets fixes by replay only.
    public var source = Source.gpsd()
    /// Who decides about the program's permission.
    ///
    /// Initially nil: for the program's service that is `allow`, for an isolated one `always`.
    public var permission: Permission?
    /// Why the program needs locations; without a purpose the user is not asked.
    ///
    /// Initially nil: the program's service takes those of the Info.plist beside the program, an
    /// isolated one has a purpose for each kind of permission.
    public var purposes: Purposes?
    /// The folder for state that lasts between launches; initially nil, which saves nothing.
    public var stateFolder: String?
    /// The geocoder; initially the gazetteer that is part of the program, which needs no network.
    public var geocoder: any Geocoder = Gazetteer()
    /// Gets messages for the developer, as warnings; initially the logger that the program set with
    /// `LoggingSystem.bootstrap`, otherwise one that writes to standard error.
    ///
    /// It is called on a queue of the service, one message after the other and without a lock: it may
    /// wait for any thread, including the main thread, and take any lock.
    public var logger = Logger(label: "waymark")
    /// Gets the messages as text, in place of ``logger``.
    public var log: @Sendable (String) -> Void {
      get { { [logger] line in logger.warning("\(line)") } }
      set { logger = Logger(label: "waymark") { _ in FunctionLogHandler(newValue) } }
    }

    /// Decides in place of ``permission``; for tests.
    package var policy: PermissionPolicy?
    /// Saves state in place of ``stateFolder``; for tests.
    package var stateStore: (any StateStore)?

    /// Makes a configuration with the initial values.
    /// - Parameter permission: Who decides about the permission; nil for the default of the service.
    public init(permission: Permission? = nil) {
      self.permission = permission
    }
  }

  /// Waits until all messages for the developer so far have been logged.
  package static func drainLog() { ServiceLog.drain() }
}

extension LocationService.Configuration {
  /// Throws for an invalid value, before anything is used.
  func check() throws(LocationServiceError) {
    do throws(SourceError) {
      _ = try SourceDescription(source)
    } catch {
      throw .configuration("source: \(error)")
    }
    if permission == .file("") {
      throw .configuration("permission: the path is empty, expected the path of a permission file")
    }
    if stateFolder == "" {
      throw .configuration("stateFolder: the path is empty, expected the path of a folder, or nil")
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
