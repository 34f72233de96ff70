import Services
import TestSupport
import Testing

@testable import CoreLocation

@Suite("A monitor whose store is broken", .timeLimit(.minutes(90)))
struct MonitorStoreTests {
  private let folder: ScratchFolder
  private let log = Log()

  init() throws { folder = try ScratchFolder() }

  private var configuration: LocationService.Configuration {
    var configuration = LocationService.Configuration()
    configuration.stateFolder = folder.file("state")
    configuration.log = { [log] in log.add($0) }
    return configuration
  }

  private static let circle = CLMonitor.CircularGeographicCondition(
    center: Walk.coordinate(east: 0), radius: 100)

  /// Events say that the store is broken, and what becomes of the condition all the same.
  private func expectBroken() async throws {
    try await LocationService.isolated(configuration) { (service) async throws in
      let monitor = await CLMonitor("shop")
      await monitor.add(Self.circle, identifier: "a")
      var events = await monitor.events.makeAsyncIterator()
      service.deliver([Walk.location(0, east: 0)])
      let told = try await events.take(2)
      #expect(told.map(\.persistenceUnavailable) == [true, false])
      #expect(told.map(\.state) == [.unknown, .satisfied])
    }
    LocationService.drainLog()
    #expect(log.lines.count == 1)
    #expect(log.lines.first?.contains(folder.file("state")) == true)
  }

  @Test("8.7 a folder that cannot be opened: events report it, and conditions are monitored")
  func refused() async throws {
    try "no folder".write(toFile: folder.file("state"), atomically: true, encoding: .utf8)
    try await expectBroken()
  }

  @Test("8.7 a folder that another program uses: the same")
  func inUse() async throws {
    let first = LocationService(ServiceSetup(isolated: configuration), isIsolated: true)
    try await expectBroken()
    withExtendedLifetime(first) {}
  }

  @Test("8.7 a file that cannot be written: events report it, once for each failure")
  func unwritable() async throws {
    let obstacle = folder.file("state/shop.monitor")
    try await LocationService.isolated(configuration) { (service) async throws in
      let monitor = await CLMonitor("shop")
      await monitor.add(Self.circle, identifier: "a")
      var events = await monitor.events.makeAsyncIterator()
      service.deliver([Walk.location(0, east: 0)])
      let first = try await events.next()
      #expect(first?.state == .satisfied && first?.persistenceUnavailable == false)

      // A folder in the place of the file is refused even to root.
      for (second, identifier) in [(10.0, "b"), (20.0, "c")] {
        service.flush()
        try FileManager.default.removeItem(atPath: obstacle)
        try FileManager.default.createDirectory(
          atPath: obstacle + "/full", withIntermediateDirectories: true)
        await monitor.add(Self.circle, identifier: identifier)
        let told = try await events.take(2)
        #expect(told.allSatisfy { $0.persistenceUnavailable })
        #expect(told.map(\.identifier) == ["a", identifier])
        service.deliver([Walk.location(second, east: 0)])
        #expect(try await events.next()?.state == .satisfied)

        service.flush()
        try FileManager.default.removeItem(atPath: obstacle)
        await monitor.remove(identifier)
        service.flush()
        #expect(!service.read(\.core.isPersistenceUnavailable))
      }
    }
    LocationService.drainLog()
    #expect(!log.lines.isEmpty && log.lines.allSatisfy { $0.hasPrefix(obstacle) })
  }

  @Test("8.7 without a folder nothing is saved, and no event reports it")
  func none() async throws {
    try await LocationService.isolated { (service) async throws in
      let monitor = await CLMonitor("shop")
      await monitor.add(Self.circle, identifier: "a")
      var events = await monitor.events.makeAsyncIterator()
      service.deliver([Walk.location(0, east: 0)])
      let event = try await events.next()
      #expect(event?.state == .satisfied && event?.persistenceUnavailable == false)
    }
  }
}
