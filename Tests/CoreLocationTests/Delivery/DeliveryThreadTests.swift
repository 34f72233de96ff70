@testable import Delivering
import Dispatch
import Foundation
import Locking
import Services
import TestSupport
import Testing
import Tracking

@testable import CoreLocation

/// A thread that runs its run loop until it is told to end.
private final class LoopThread: Sendable {
  private let loop = Mutex<LoopReference?>(nil)
  private let isOver = Mutex(false)
  private let started = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  init() {
    Thread.detachNewThread { [self] in
      let reference = LoopReference(loop: .current)
      loop.withLock { $0 = reference }
      // A loop without anything to wait for would end at once.
      let idle = Timer(timeInterval: 3_600, repeats: true) { _ in }
      RunLoop.current.add(idle, forMode: .default)
      started.signal()
      while !isOver.withLock({ $0 }) {
        // A timer that fires does not end it, so it looks now and then.
        _ = RunLoop.current.run(mode: .default, before: Date.now + 0.02)
      }
      idle.invalidate()
      ended.signal()
    }
    #expect(started.waitInTime())
  }

  /// Runs `body` on the thread and waits for it.
  func run(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let timer = Timer(timeInterval: 0, repeats: false) { _ in
      body()
      done.signal()
    }
    loop.withLock { $0 }?.loop.add(timer, forMode: .default)
    #expect(done.waitInTime())
  }

  func end() {
    run { self.isOver.withLock { $0 = true } }
    #expect(ended.waitInTime())
  }
}

/// A manager with a delegate that only counts, from any thread.
private final class Counter: NSObject, CLLocationManagerDelegate, Sendable {
  struct Tally: Sendable {
    var locations = 0
    var newest = Date.distantPast
    var isOrdered = true
    var threads: Set<ObjectIdentifier> = []
    var wasEmpty = false
  }

  private let tally = Mutex(Tally())
  private let aim: Int
  let reached = DispatchSemaphore(value: 0)

  init(aim: Int) { self.aim = aim }

  var found: Tally { tally.withLock { $0 } }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    let thread = ObjectIdentifier(Thread.current)
    let isReached = tally.withLock { tally in
      for location in locations {
        tally.isOrdered = tally.isOrdered && location.timestamp > tally.newest
        tally.newest = location.timestamp
      }
      tally.wasEmpty = tally.wasEmpty || locations.isEmpty
      tally.threads.insert(thread)
      let before = tally.locations
      tally.locations += locations.count
      return before < aim && tally.locations >= aim
    }
    if isReached { reached.signal() }
  }
}

/// Holds managers; one thread at a time touches them.
private final class Bench: @unchecked Sendable {
  var managers: [CLLocationManager] = []
}

@Suite("Delivery to threads", .timeLimit(.minutes(90)))
struct DeliveryThreadTests {
  private func service() -> LocationService {
    var configuration = LocationService.Configuration(permission: .always)
    configuration.source = .none
    return LocationService(ServiceSetup(shared: configuration), isIsolated: false)
  }

  @Test("1.1 1.6 twenty managers on four threads get everything, in order, on their threads")
  func manyManagers() {
    let fixes = Trip.walk(from: 0, to: 700, start: 0)
    let service = service()
    let threads = (0..<4).map { _ in LoopThread() }
    let benches = threads.map { _ in Bench() }
    let counters = threads.map { _ in (0..<5).map { _ in Counter(aim: fixes.count) } }
    for (place, thread) in threads.enumerated() {
      thread.run {
        service.run {
          for counter in counters[place] {
            let manager = CLLocationManager()
            manager.delegate = counter
            manager.startUpdatingLocation()
            benches[place].managers.append(manager)
          }
        }
      }
    }
    service.play(fixes)
    for counter in counters.joined() {
      #expect(counter.reached.wait(timeout: .now() + 300) == .success)
    }
    for group in counters {
      for counter in group {
        #expect(counter.found.locations == fixes.count)
        #expect(counter.found.isOrdered && !counter.found.wasEmpty)
        #expect(counter.found.threads == group[0].found.threads)
        #expect(counter.found.threads.count == 1)
      }
    }
    #expect(Set(counters.map { $0[0].found.threads }).count == 4)
    #expect(service.statistics == LocationService.Statistics(fixes: fixes.count))
    for (place, thread) in threads.enumerated() {
      thread.run { benches[place].managers = [] }
      thread.end()
    }
    #expect(service.managerQueues.isEmpty, "managers that went are forgotten")
  }

  @Test("1.1 a manager made on the main queue gets its calls there")
  func mainQueue() async throws {
    let fixes = Trip.walk(from: 0, to: 50, start: 0)
    let (service, bench, counter) = (service(), Bench(), Counter(aim: fixes.count))
    await MainActor.run {
      service.run {
        let manager = CLLocationManager()
        #expect(manager.queue.target.isHere)
        manager.delegate = counter
        manager.startUpdatingLocation()
        bench.managers = [manager]
      }
    }
    service.play(fixes)
    try await eventually("every location") { counter.found.locations == fixes.count }
    #expect(counter.found.isOrdered)
    await MainActor.run { bench.managers = [] }
  }

  @Test("1.2 a manager may be called from another thread, and calls its delegate where it was made")
  func otherThread() {
    let fixes = Trip.walk(from: 0, to: 50, start: 0)
    let (service, thread, bench) = (service(), LoopThread(), Bench())
    let counter = Counter(aim: fixes.count)
    let home = Mutex<ObjectIdentifier?>(nil)
    thread.run {
      home.withLock { $0 = ObjectIdentifier(Thread.current) }
      bench.managers = [service.run { CLLocationManager() }]
      bench.managers[0].delegate = counter
    }
    bench.managers[0].startUpdatingLocation()
    service.play(fixes)
    #expect(counter.reached.wait(timeout: .now() + 300) == .success)
    #expect(counter.found.threads.first == home.withLock(\.self))
    #expect(counter.found.threads.count == 1)
    thread.run { bench.managers = [] }
    thread.end()
  }

  @Test("managers come, go, start and stop on four threads while fixes come")
  func churn() {
    let service = service()
    let threads = (0..<4).map { _ in LoopThread() }
    let over = Mutex(false)
    let source = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      var second = 0.0
      while !over.withLock({ $0 }) {
        service.deliver([Trip.fix(second, east: second * 1.4)])
        second += 1
      }
      source.signal()
    }
    for round in 0..<40 {
      for (place, thread) in threads.enumerated() {
        thread.run {
          service.run {
            let (manager, counter) = (CLLocationManager(), Counter(aim: .max))
            manager.delegate = counter
            manager.distanceFilter = Double(round)
            manager.startUpdatingLocation()
            manager.startMonitoring(for: Trip.circle("r\(place)", east: Double(round) * 50))
            manager.requestState(for: Trip.circle("r\(place)"))
            _ = (manager.location, manager.monitoredRegions.count, manager.authorizationStatus)
            if round % 2 == 0 { manager.stopUpdatingLocation() }
            if round % 3 == 0 { manager.stopMonitoring(for: Trip.circle("r\(place)")) }
          }
        }
      }
    }
    over.withLock { $0 = true }
    #expect(source.waitInTime())
    threads.forEach { $0.end() }
    #expect(service.managerQueues.isEmpty)
  }

  @Test("a manager that is released gets no pending deliveries")
  func goneManager() {
    let (service, thread, bench, counter) = (service(), LoopThread(), Bench(), Counter(aim: 1))
    thread.run {
      service.run {
        let manager = CLLocationManager()
        manager.delegate = counter
        manager.startUpdatingLocation()
        bench.managers = [manager]
      }
    }
    thread.run {
      for fix in Trip.walk(from: 0, to: 20, start: 0) {
        service.receive(.fix(Fix(fix), .simulation))
      }
      bench.managers = []
    }
    thread.run {}
    #expect(counter.found.locations == 0)
    #expect(service.managerQueues.isEmpty)
    thread.end()
  }

  @Test("a manager may be released on another thread than the one that made it")
  func deinitElsewhere() {
    let (service, thread, bench) = (service(), LoopThread(), Bench())
    thread.run { service.run { bench.managers = [CLLocationManager()] } }
    #expect(service.managerQueues.count == 1)
    // Its thread holds it while it is told of its permission.
    thread.run {}
    bench.managers = []
    #expect(service.managerQueues.isEmpty)
    thread.end()
  }

  @Test("a replay without isolation delivers to managers of its thread before the next fix")
  func replayHere() throws {
    let (service, thread) = (service(), LoopThread())
    let fixes = Trip.walk(from: 0, to: 30, start: 0)
    let told = Mutex<[Int]>([])
    let isRefused = Mutex(false)
    thread.run {
      service.run {
        let it = LoggedManager()
        it.log.react = { _, line in
          guard line == "locations 1", it.log.batches.count == 1 else { return }
          do throws(LocationServiceError) { try service.replay("nowhere.gpx") } catch {
            isRefused.withLock { $0 = error == .busy }
          }
        }
        it.manager.startUpdatingLocation()
        Trip.withTrace(fixes) { path in
          #expect(throws: Never.self) { try service.replay(path) }
        }
        told.withLock { $0 = it.log.batches.map(\.count) }
      }
    }
    #expect(told.withLock { $0 } == Array(repeating: 1, count: fixes.count))
    #expect(isRefused.withLock { $0 })
    thread.end()
  }

  @Test("a loop reuses its timer, however often it delivers")
  func timers() {
    let (service, thread, bench, counter) = (service(), LoopThread(), Bench(), Counter(aim: 50))
    thread.run {
      service.run {
        bench.managers = [CLLocationManager()]
        bench.managers[0].delegate = counter
        bench.managers[0].startUpdatingLocation()
      }
    }
    for fix in Trip.walk(from: 0, to: 49, start: 0) {
      service.receive(.fix(Fix(fix), .simulation))
      thread.run {}
    }
    thread.run {
      // One for each delivery that was on its way at the same time, none for each fix.
      #expect((1...5).contains(RunLoopScheduler.ofThread.idleCount))
      bench.managers = []
    }
    #expect(counter.found.locations > 10)
    thread.end()
  }

  @Test("a delegate that runs the loop itself lets the others of its thread get their calls")
  func loopWithinDelegate() {
    let (service, thread) = (service(), LoopThread())
    let calls = Mutex(0)
    let told = Mutex<[Int]>([])
    let end = Date.now + 300
    thread.run {
      service.run {
        let group = (0..<3).map { _ in LoggedManager() }
        for it in group { it.manager.startUpdatingLocation() }
        for it in group {
          it.log.react = { _, line in
            guard line == "locations 1" else { return }
            calls.withLock { $0 += 1 }
            while calls.withLock({ $0 }) < group.count, Date.now < end,
              RunLoop.current.run(mode: .default, before: Date.now + 0.02)
            {}
            told.withLock { $0.append(it.log.batches.count) }
          }
        }
        service.receive(.fix(Fix(Trip.fix(0, east: 0)), .simulation))
        while told.withLock({ $0.count }) < group.count, Date.now < end,
          RunLoop.current.run(mode: .default, before: Date.now + 0.02)
        {}
        for it in group { it.log.react = { _, _ in } }
      }
    }
    #expect(calls.withLock(\.self) == 3)
    #expect(told.withLock(\.self) == [1, 1, 1])
    thread.end()
  }
}
