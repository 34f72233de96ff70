import Dispatch
import Geocoding
import Geodesy
import Locking
import Testing

@testable import CoreLocation

@Suite("Setup of the program's service in code")
struct SharedSetupTests {
  private typealias Configuration = LocationService.Configuration

  /// A setup that can be told from others.
  private func configuration(_ folder: String) -> Configuration {
    var configuration = Configuration()
    configuration.stateFolder = folder
    return configuration
  }

  @Test("before first use: code wins, and the environment is ignored")
  func before() throws {
    let setup = SharedSetup()
    try setup.configure(configuration("/code"))
    let taken = setup.take {
      Issue.record("the environment was looked at")
      return Configuration()
    }
    #expect(taken.stateFolder == "/code")
  }

  @Test("without code the environment configures it")
  func environment() {
    #expect(SharedSetup().take { configuration("/environment") }.stateFolder == "/environment")
  }

  @Test("the environment with one change")
  func change() throws {
    var configuration = Configuration.of(
      environment: ["WAYMARK_SOURCE": "trip.gpx", "WAYMARK_PROFILE": "apple"], log: { _ in })
    configuration.source = .none
    let setup = SharedSetup()
    try setup.configure(configuration)
    let taken = setup.take { Configuration() }
    #expect(taken.source == .none && taken.profile == .apple)
  }

  @Test("a second call is rejected, before and after the first use")
  func twice() throws {
    let setup = SharedSetup()
    try setup.configure(configuration("/first"))
    #expect(throws: LocationServiceError.configured) {
      try setup.configure(configuration("/second"))
    }
    #expect(setup.take { Configuration() }.stateFolder == "/first")
    #expect(throws: LocationServiceError.configured) {
      try setup.configure(configuration("/third"))
    }
    #expect(
      LocationServiceError.configured.description.hasSuffix("call LocationService.configure once"))
  }

  @Test("a service that is in use cannot be configured")
  func after() {
    let setup = SharedSetup()
    _ = setup.take { Configuration() }
    #expect(throws: LocationServiceError.inUse) { try setup.configure(configuration("/late")) }
    #expect(
      LocationServiceError.inUse.description.contains(
        "call LocationService.configure before the first manager"))
  }

  @Test("of several threads one configures it, and the others get an error")
  func threads() {
    for _ in 0..<100 {
      let setup = SharedSetup()
      let given = Mutex<[String]>([])
      let refused = Mutex<[LocationServiceError]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { number in
        do throws(LocationServiceError) {
          try setup.configure(configuration("/\(number)"))
          given.withLock { $0.append("/\(number)") }
        } catch {
          refused.withLock { $0.append(error) }
        }
      }
      let taken = setup.take { Configuration() }
      #expect(given.withLock { $0 } == [taken.stateFolder])
      #expect(refused.withLock { $0 } == Array(repeating: .configured, count: 7))
    }
  }

  @Test("during the first use, code comes in time or gets an error")
  func race() {
    for _ in 0..<100 {
      let setup = SharedSetup()
      let taken = Mutex<String?>(nil)
      let error = Mutex<LocationServiceError?>(nil)
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        if number == 0 {
          let folder = setup.take { configuration("/environment") }.stateFolder
          taken.withLock { $0 = folder }
        } else {
          do throws(LocationServiceError) {
            try setup.configure(configuration("/code"))
          } catch let refusal {
            error.withLock { $0 = refusal }
          }
        }
      }
      switch taken.withLock({ $0 }) {
      case "/code": #expect(error.withLock { $0 } == nil)
      default:
        #expect(taken.withLock { $0 } == "/environment")
        #expect(error.withLock { $0 } == .inUse)
      }
    }
  }

  @Test(
    "an invalid value is rejected with what was expected, and does not count",
    arguments: [
      (.gpsd(host: ""), "source: found 'gpsd://:2947', expected gpsd://HOST[:PORT][/DEVICE]"),
      (.gpsd(host: "a b"), "source: found 'gpsd://a b:2947', expected gpsd://HOST[:PORT]"),
      (.gpsd(port: 0), "source: found 'gpsd://localhost:0', expected gpsd://HOST[:PORT]"),
      (.recording(path: ""), "source: found nothing, expected gpsd://HOST[:PORT][/DEVICE]"),
      (.recording(path: "-"), "source: found '-', but the program uses standard input itself"),
      (.recording(path: "a", speed: 0), "source: found the speed 0.0, expected one above 0"),
      (.recording(path: "a", speed: -1), "source: found the speed -1.0, expected one above 0"),
      (.recording(path: "a", speed: .nan), "source: found the speed nan, expected one above 0"),
    ] as [(LocationService.Configuration.Source, String)])
  func badSources(source: LocationService.Configuration.Source, message: String) throws {
    let setup = SharedSetup()
    var configuration = configuration("/folder")
    configuration.source = source
    let error = #expect(throws: LocationServiceError.self) { try setup.configure(configuration) }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "nothing")")
    configuration.source = .none
    try setup.configure(configuration)
  }

  @Test("an empty path of a file or a folder is rejected")
  func badPaths() {
    let setup = SharedSetup()
    let file = #expect(throws: LocationServiceError.self) {
      try setup.configure(Configuration(permission: .file("")))
    }
    #expect(
      file?.description
        == "permission: the path is empty, expected the path of a permission file")
    let folder = #expect(throws: LocationServiceError.self) {
      try setup.configure(configuration(""))
    }
    #expect(
      folder?.description
        == "stateFolder: the path is empty, expected the path of a folder, or nil")
  }
}
