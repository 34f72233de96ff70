import Delivering
import Dispatch
import Locking
import Services
import TestSupport
import Testing

@testable import CoreLocation

@Suite("Who waits for the disk and for the log")
struct ServiceSavingTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A store whose writes wait until the test lets them go on.
  private final class GatedStore: StateStore {
    let permissionFile = PermissionFile(path: "/nowhere/permission")
    private let saved = Mutex<[ServiceState]>([])
    private let gate = DispatchSemaphore(value: 0)
    let hasBegun = DispatchSemaphore(value: 0)

    var states: [ServiceState] { saved.withLock { $0 } }

    func open() { gate.signal() }

    func load() -> ServiceState? { nil }
    func save(_ state: ServiceState) -> Bool {
      hasBegun.signal()
      guard gate.wait(timeout: .now() + 300) == .success else { return false }
      gate.signal()
      saved.withLock { $0.append(state) }
      return true
    }
    func pending() -> [PendingEvent] { [] }
    func takePending() {}
  }

  /// Does something on another thread; false when it takes more than a minute.
  private func ends(_ body: @escaping @Sendable () -> Void) -> Bool {
    let isOver = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      isOver.signal()
    }
    return isOver.wait(timeout: .now() + 60) == .success
  }

  @Test("registrations are not written on a client's thread, and pending writes are merged")
  func queue() {
    let store = GatedStore()
    let isDone = ends {
      var configuration = LocationService.Configuration()
      configuration.stateStore = store
      LocationService.isolated(configuration) { service in
        let manager = CLLocationManager()
        manager.startMonitoring(for: Trip.circle("first"))
        #expect(store.hasBegun.waitInTime())
        for number in 0..<20 { manager.startMonitoring(for: Trip.circle("\(number)")) }
        #expect(store.states.isEmpty, "the disk has not answered yet")
        store.open()
        service.flush()
        #expect(store.states.map(\.registrations.regions.count) == [1, 21])
      }
    }
    #expect(isDone)
    store.open()
  }

  @Test("the log may take a lock that the caller holds, on a disk that takes nothing")
  func lockedLog() throws {
    // A folder in the place of the file is refused even to root.
    try FileManager.default.createDirectory(
      atPath: folder.file("state/services/full"), withIntermediateDirectories: true)
    let path = folder.file("state")
    let log = Log()
    let isDone = ends {
      let lock = NSLock()
      var configuration = LocationService.Configuration()
      configuration.stateFolder = path
      configuration.log = { line in lock.withLock { log.add(line) } }
      lock.withLock {
        LocationService.isolated(configuration) { _ in
          CLLocationManager().startMonitoring(for: Trip.circle("depot"))
        }
      }
    }
    #expect(isDone)
    LocationService.drainLog()
    #expect(log.lines.last == "\(path)/services: cannot be written: is a directory")
  }

  @Test("the log may wait for the main thread while that uses the service, on such a disk")
  @MainActor func mainLog() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("state/services/full"), withIntermediateDirectories: true)
    let log = Log()
    var configuration = LocationService.Configuration()
    configuration.stateFolder = folder.file("state")
    configuration.log = { line in DispatchQueue.main.sync { log.add(line) } }
    LocationService.isolated(configuration) { service in
      let manager = CLLocationManager()
      manager.startMonitoring(for: Trip.circle("depot"))
      service.play(Trip.walk(from: 200, to: 0, start: 0))
      #expect(manager.monitoredRegions.count == 1)
    }
  }

  @Test("messages reach the function in order, without control characters")
  func function() {
    let log = Log()
    var configuration = LocationService.Configuration()
    configuration.log = { log.add($0) }
    let setup = ServiceSetup(isolated: configuration)
    setup.log("a\u{1B}b")
    setup.log("c")
    LocationService.drainLog()
    #expect(log.lines == ["a?b", "c"])
  }

  @Test("registrations just before the normal end of the process are on the disk")
  func normalEnd() async throws {
    let path = folder.file("state")
    await #expect(processExitsWith: .success) { [path = path as String] in
      var configuration = LocationService.Configuration(permission: .always)
      configuration.source = .none
      configuration.stateFolder = path
      try LocationService.configure(configuration)
      CLLocationManager().startMonitoring(for: Trip.circle("depot"))
      exit(0)
    }
    let state = try #require(ServiceFolder(path, log: { Issue.record("\($0)") }).load())
    #expect(state.registrations.regions.map(\.identifier) == ["depot"])
  }
}
