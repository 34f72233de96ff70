import ArgumentParser
import Session
import Settings
import Storing
import System
import Tracking

/// The option of every command that can keep events in a store.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Keep every event in this SQLite file as well, a GeoPackage: QGIS, GDAL and sqlite3 open it. \
      Takes the place of the config's store.
      """, valueName: "file"), completion: .file())
  var store: String?

  func validate() throws {
    try FileUse.checkStore(store)
  }

  /// The files that are written, for ``FileUse/check(_:)``.
  func use(_ configuration: Configuration) -> FileUse? {
    guard let store else { return Self.use(configuration) }
    return .writing("--store", store, suffixes: StoreSettings.suffixes)
  }

  /// The files of a config's store.
  static func use(_ configuration: Configuration) -> FileUse? {
    configuration[StoreSection.self].map {
      .writing("the store of the config", $0.path, suffixes: StoreSettings.suffixes)
    }
  }

  /// The settings of the store: those of the config, and the file of the option.
  func settings(_ configuration: Configuration) -> StoreSettings? {
    guard let store else { return configuration[StoreSection.self] }
    var settings = configuration[StoreSection.self] ?? StoreSettings(path: store)
    settings.path = store
    return settings
  }

  /// Opens the store of a replay, with the fences in it; nil when there is none.
  ///
  /// - Parameters:
  ///   - hindsight: Whether each event is decided with the fixes before and after it.
  ///   - keepsStatus: Whether losses of the source are kept.
  func open(
    _ configuration: Configuration, _ fences: FenceSet, hindsight: Bool = false,
    keepsStatus: Bool = false
  ) throws -> EventStore? {
    guard let settings = settings(configuration) else { return nil }
    do throws(EntryStoreError) {
      let store = try EventStore(
        settings, isLive: false, hindsight: hindsight, keepsStatus: keepsStatus)
      try store.keep(fences)
      Self.reportLimit(settings, fences)
      return store
    } catch {
      throw ExitStatus.of(error)
    }
  }

  /// Opens the store of a live run, whose events must survive a power cut at once; nil when there is none.
  ///
  /// The run begins also while another program has locked the store, or the disk is full.
  func openLive(_ configuration: Configuration, _ fences: FenceSet) throws -> LateStore? {
    guard let settings = settings(configuration) else { return nil }
    do throws(EntryStoreError) {
      let store = try LateStore(settings, fences)
      Self.reportLimit(settings, fences)
      return store
    } catch {
      throw ExitStatus.of(error)
    }
  }

  private static func reportLimit(_ settings: StoreSettings, _ fences: FenceSet) {
    guard fences.count > EventStore.mostFences else { return }
    Terminal.report(
      "waymark: \(settings.path): the layer fences is for up to \(EventStore.mostFences) fences")
  }
}
