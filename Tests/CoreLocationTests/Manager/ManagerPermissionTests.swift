import Locking
import Services
import Testing

@testable import CoreLocation

/// Answers to prompts, given by hand.
private final class PermissionGiver: Sendable {
  private let prompts = Mutex<[(Prompt, @Sendable (PromptAnswer) -> Void)]>([])
  let lines = Mutex<[String]>([])

  var configuration: LocationService.Configuration {
    var configuration = LocationService.Configuration()
    configuration.policy = .function { prompt, reply in
      self.prompts.withLock { $0.append((prompt, reply)) }
    }
    configuration.purposes = .init(
      whenInUse: "to show you", always: "to show you",
      temporaryFullAccuracy: ["trip": "to show the way"])
    configuration.log = { line in self.lines.withLock { $0.append(line) } }
    return configuration
  }

  var count: Int { prompts.withLock { $0.count } }

  func answer(_ answer: PromptAnswer) {
    let reply = prompts.withLock { $0.last?.1 }
    reply?(answer)
  }
}

@Suite("Permission of managers")
struct ManagerPermissionTests {
  @Test("11 AT-02 one prompt, and its answer is reported as a change")
  func prompt() {
    let user = PermissionGiver()
    LocationService.isolated(user.configuration) { service in
      let it = LoggedManager()
      it.manager.requestAlwaysAuthorization()
      it.manager.requestAlwaysAuthorization()
      service.settle()
      #expect(user.count == 1)
      #expect(it.log.lines == ["permission notDetermined 0"])
      user.answer(.always)
      #expect(it.log.lines.count == 1, "not from within the answer")
      service.settle()
      #expect(it.log.lines.last == "permission authorizedAlways 0")
      it.manager.requestAlwaysAuthorization()
      #expect(user.count == 1)
    }
  }

  @Test("2.2 a prompt that changes nothing is not reported")
  func declined() {
    let user = PermissionGiver()
    LocationService.isolated(user.configuration) { service in
      let it = LoggedManager()
      it.manager.requestWhenInUseAuthorization()
      user.answer(.declined)
      service.settle()
      #expect(it.log.lines == ["permission notDetermined 0"])
    }
  }

  @Test("11.1 AT-04 without a purpose there is no prompt, and a message says what to do")
  func noPurpose() {
    let user = PermissionGiver()
    var configuration = user.configuration
    configuration.purposes = .init()
    LocationService.isolated(configuration) { service in
      let it = LoggedManager()
      it.manager.requestAlwaysAuthorization()
      it.manager.requestAlwaysAuthorization()
      service.settle()
      #expect(user.count == 0)
      #expect(it.manager.authorizationStatus == .notDetermined)
      LocationService.drainLog()
      let lines = user.lines.withLock { $0 }
      #expect(lines.count == 1)
      #expect(lines.first?.contains("NSLocationWhenInUseUsageDescription") == true)
    }
  }

  @Test("12.5 temporary full accuracy: no error means that the user answered")
  func temporary() {
    let user = PermissionGiver()
    LocationService.isolated(user.configuration) { service in
      service.authorizationStatus = .authorizedAlways
      service.accuracyAuthorization = .reducedAccuracy
      let it = LoggedManager()
      var answers: [Int] = []
      let ask = { (key: String) in
        it.manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: key) { error in
          answers.append((error as? CLError)?.code.rawValue ?? 0)
        }
      }
      ask("no such purpose")
      service.settle()
      #expect(answers == [18])
      ask("trip")
      user.answer(.denied)
      service.settle()
      #expect(answers == [18, 0])
      #expect(it.manager.accuracyAuthorization == .reducedAccuracy)
      ask("trip")
      user.answer(.fullAccuracy)
      service.settle()
      #expect(answers == [18, 0, 0])
      #expect(it.manager.accuracyAuthorization == .fullAccuracy)
      ask("trip")
      service.settle()
      #expect(answers == [18, 0, 0, 18])
    }
  }

  @Test("12.5 the asynchronous form throws when no prompt is possible")
  func temporaryAsync() async throws {
    let user = PermissionGiver()
    await LocationService.isolated(user.configuration) { service in
      service.authorizationStatus = .authorizedAlways
      let manager = CLLocationManager()
      await #expect(throws: CLError(.promptDeclined)) {
        try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "trip")
      }
    }
  }

  @Test("3.9 AT-29 in the background locations need a manager that allows it, and always")
  func background() {
    LocationService.isolated { service in
      let (plain, allowing) = (LoggedManager(), LoggedManager())
      allowing.manager.allowsBackgroundLocationUpdates = true
      for it in [plain, allowing] { it.manager.startUpdatingLocation() }
      service.isInBackground = true
      service.play([Trip.fix(0, east: 0), Trip.fix(1, east: 1)])
      #expect(plain.log.batches.isEmpty)
      #expect(allowing.log.locations.count == 2)
      #expect(service.statistics.withheld == 2)
      service.authorizationStatus = .authorizedWhenInUse
      service.play([Trip.fix(2, east: 2)])
      #expect(allowing.log.locations.count == 2)
      service.isInBackground = false
      service.play([Trip.fix(3, east: 3)])
      #expect(plain.log.locations.last?.timestamp == Trip.start + 3)
      #expect(allowing.log.locations.last?.timestamp == Trip.start + 3)
    }
  }

  @Test(
    "11.2 while always is provisional an event of the background waits for the user",
    arguments: [PromptAnswer.always, .whenInUse])
  func provisional(answer: PromptAnswer) {
    let user = PermissionGiver()
    var configuration = user.configuration
    configuration.profile = .apple
    LocationService.isolated(configuration) { service in
      let it = LoggedManager()
      it.manager.allowsBackgroundLocationUpdates = true
      it.manager.requestAlwaysAuthorization()
      user.answer(.whenInUse)
      service.settle()
      #expect(it.log.lines.last == "permission authorizedAlways 0")
      it.manager.startUpdatingLocation()
      service.isInBackground = true
      service.play([Trip.fix(0, east: 0), Trip.fix(1, east: 1)])
      #expect(user.count == 2)
      #expect(it.log.batches.isEmpty)
      user.answer(answer)
      service.settle()
      #expect(it.log.locations.map(\.timestamp) == (answer == .always ? [Trip.start + 1] : []))
    }
  }
}
