public import Geocoding
public import Logging
package import Services

extension LocationService {
  /// How a location service is set up.
  ///
  /// As it is made it says what an empty environment says.
  public struct Configuration: Sendable {
    /// By whose rules places are told.
    public enum Profile: Sendable, Hashable {
      /// The engine's own decisions, without limits.
      case precise
      /// As Apple documents Core Location: 20 regions at most, and crossings only after 20 s.
      case apple
    }

    /// By whose rules places are told; `precise` at first.
    public var profile = Profile.precise
    /// Where fixes come from by themselves; gpsd on this machine at first.
    ///
    /// An isolated service is played to by hand, whatever this says.
    public var source = Source.gpsd()
    /// What the user is taken to allow, or who is asked.
    ///
    /// Nil at first: in the program's service that is `allow`, in an isolated one `always`.
    public var permission: Permission?
    /// Why the program wants places; without that nobody is asked.
    ///
    /// Nil at first: in the program's service they are those of the Info.plist beside the program, in
    /// an isolated one there is a purpose for each kind of permission.
    public var purposes: Purposes?
    /// The folder for what lasts between launches; nil, as it is at first, for nowhere.
    public var stateFolder: String?
    /// Names places: the gazetteer that is part of the program at first, which needs no network.
    public var geocoder: any Geocoder = Gazetteer()
    /// Receives messages for the developer, as warnings; at first the one that the program gave to
    /// `LoggingSystem.bootstrap`, else one that writes to standard error.
    ///
    /// It is called on a queue of the service, one message after the other, and no lock of the service
    /// is held: it may wait for any thread, the main one too, and take any lock.
    public var logger = Logger(label: "waymark")
    /// Receives the messages of ``logger`` in its place, as text.
    public var log: @Sendable (String) -> Void {
      get { { [logger] line in logger.warning("\(line)") } }
      set { logger = Logger(label: "waymark") { _ in FunctionLogHandler(newValue) } }
    }

    /// Decides in the place of ``permission``; for tests.
    package var policy: PermissionPolicy?
    /// Keeps what lasts in the place of ``stateFolder``; for tests.
    package var stateStore: (any StateStore)?

    /// Makes a setup that says nothing but the permission.
    /// - Parameter permission: What the user is taken to allow; nil for the usual, see ``permission``.
    public init(permission: Permission? = nil) {
      self.permission = permission
    }
  }

  /// Waits until all messages for the developer so far have been logged.
  package static func drainLog() { ServiceLog.drain() }
}

extension LocationService.Configuration {
  /// Says what cannot be used, before anything is.
  func check() throws(LocationServiceError) {
    do throws(SourceError) {
      _ = try SourceDescription(source)
    } catch {
      throw .configuration("source: \(error)")
    }
    if permission == .file("") {
      throw .configuration("permission: found no path, expected the path of a permission file")
    }
    if stateFolder == "" {
      throw .configuration("stateFolder: found no path, expected that of a folder, or nil for none")
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
