import Locking
import Services
import TestSupport
import Testing

@testable import CoreLocation

@Suite("The end of a recording", .timeLimit(.minutes(90)))
struct ServiceEndTests {
  private func untilWaited(_ service: LocationService) async throws {
    try await eventually("a task that waits for the end") {
      service.read { !$0.endWaiters.isEmpty }
    }
  }

  @Test("it comes when every delivery was made and every stream was read")
  func end() async throws {
    try await LocationService.isolated { service in
      let fixes = Trip.walk(from: 0, to: 50, start: 0)
      let log = Log()
      let manager = LoggedManager()
      manager.manager.startUpdatingLocation()
      let waiter = Task {
        await service.waitForEnd()
        log.add("end")
      }
      try await untilWaited(service)
      let reader = Task {
        for await _ in service.locations { log.add("read") }
      }
      try await eventually("two recipients") { service.read { $0.recipients.count } == 2 }
      try await Trip.withTrace(fixes) { try await service.replay($0) }
      await waiter.value
      reader.cancel()
      await reader.value
      #expect(manager.log.locations.count == fixes.count)
      #expect(log.lines == fixes.map { _ in "read" } + ["end"])
      // What is over is not waited for.
      await service.waitForEnd()
    }
  }

  @Test("a recording of the environment ends for managers of other threads, too")
  func ownThread() async throws {
    try await Trip.withTrace(Trip.walk(from: 0, to: 50, start: 0)) { path in
      var configuration = LocationService.Configuration(permission: .always)
      configuration.source = .recording(path: path, speed: .infinity)
      let service = LocationService(ServiceSetup(shared: configuration), isIsolated: false)
      let count = Mutex(0)
      let waiter = Task { await service.waitForEnd() }
      try await untilWaited(service)
      let reader = Task {
        for await _ in service.locations { count.withLock { $0 += 1 } }
      }
      await waiter.value
      #expect(count.withLock(\.self) == service.statistics.fixes)
      #expect(service.statistics.fixes > 30)
      reader.cancel()
    }
  }

  @Test("an unreadable recording ends at once, with the reason")
  func unreadable() async throws {
    let log = Log()
    var configuration = LocationService.Configuration(permission: .always)
    configuration.source = .recording(path: "/no/such/trace.gpx", speed: .infinity)
    configuration.log = { log.add($0) }
    let service = LocationService(ServiceSetup(shared: configuration), isIsolated: false)
    let waiter = Task { await service.waitForEnd() }
    try await untilWaited(service)
    let reader = Task {
      for await _ in service.locations {}
    }
    await waiter.value
    LocationService.drainLog()
    #expect(log.lines.count == 1)
    #expect(log.lines.first?.contains("/no/such/trace.gpx") == true)
    reader.cancel()
  }

  @Test("it does not wait for a released manager, and a cancelled task does not wait")
  func nobody() async throws {
    try await LocationService.isolated { service in
      let waiter = Task { await service.waitForEnd() }
      try await untilWaited(service)
      waiter.cancel()
      await waiter.value
      #expect(service.read({ $0.endWaiters.isEmpty }))

      let last = Task { await service.waitForEnd() }
      try await untilWaited(service)
      do {
        let manager = LoggedManager()
        manager.manager.startUpdatingLocation()
      }
      try await Trip.withTrace(Trip.stay(0, start: 0, seconds: 5)) { try await service.replay($0) }
      await last.value
      #expect(service.statistics.fixes == 6)
    }
  }

  @Test("a receiver that is away may come back")
  func receiver() {
    let service = LocationService(ServiceSetup(shared: .init()), isIsolated: false)
    #expect(!service.isOver(.unavailable("away")))
    #expect(service.isOver(.ended))
    LocationService.isolated { #expect($0.isOver(.unavailable("none"))) }
  }
}
