@testable import Delivering
import Dispatch
import Foundation
import Locking
import Services
import TestSupport
import Testing
import Traces
import Tracking

@testable import CoreLocation

@Suite("Queues of managers", .timeLimit(.minutes(90)))
struct ManagerQueueTests {
  private func report(_ second: Double) -> Location {
    Location(Fix(Trip.fix(second, east: 0)), from: .simulation)
  }

  private func locations(
    _ seconds: ClosedRange<Int>, of service: Notice.Service = .standard
  ) -> Delivery {
    .locations(seconds.map { CLLocation(report(Double($0))) }, service)
  }

  /// The queue of a manager, delivered by the scheduler.
  private func withQueue(
    capacity: Int = 10, _ body: (ManagerQueue, IsolatedScheduler, ManagerLog) -> Void
  ) {
    LocationService.isolated { service in
      let (scheduler, it) = (IsolatedScheduler(), LoggedManager())
      let queue = ManagerQueue(target: .service(scheduler), capacity: capacity)
      queue.setManager(it.manager)
      body(queue, scheduler, it.log)
    }
  }

  @Test(
    "1.1 a thread that takes nothing is complained about until it does, and only with a delivery")
  func complaint() {
    let queue = ManagerQueue(target: .here)
    #expect(queue.complaint == nil)
    queue.put(.call { _ in })
    #expect(queue.complaint?.contains("does not run its RunLoop") == true)
    queue.deliverNext()
    queue.put(.call { _ in })
    #expect(queue.complaint == nil)
  }

  @Test("2.4 locations of standard updates that follow each other are one call, others are not")
  func merging() {
    withQueue { queue, scheduler, log in
      queue.put(locations(0...1))
      queue.put(locations(2...2))
      queue.put(locations(3...3, of: .significantChange))
      queue.put(locations(4...4))
      queue.put(.notice(.paused))
      queue.put(locations(5...5))
      scheduler.deliver()
      #expect(
        log.lines == ["locations 3", "locations 1", "locations 1", "paused", "locations 1"])
    }
  }

  @Test("a full queue drops the oldest locations, keeps other entries, and counts")
  func bounds() {
    withQueue { queue, scheduler, log in
      queue.put(.notice(.paused))
      queue.put(locations(0...5))
      queue.put(.notice(.resumed))
      queue.put(locations(6...12))
      #expect(queue.droppedCount == 5)
      scheduler.deliver()
      #expect(log.lines == ["paused", "locations 1", "resumed", "locations 7"])
      #expect(log.locations.first?.timestamp == Trip.start.addingTimeInterval(5))
    }
  }

  @Test("a full queue without locations drops the oldest notices")
  func boundsWithoutLocations() {
    withQueue(capacity: 2) { queue, scheduler, log in
      queue.put(.notice(.paused))
      queue.put(.notice(.resumed))
      queue.put(.notice(.deferralEnded(nil)))
      scheduler.deliver()
      #expect(log.lines == ["resumed", "deferral done"])
      #expect(queue.droppedCount == 1)
    }
  }

  @Test("withdrawn entries are not delivered, and free their capacity")
  func withdrawal() {
    withQueue { queue, scheduler, log in
      queue.put(locations(0...8))
      queue.put(.notice(.paused))
      queue.withdraw { $0.standardCount > 0 }
      queue.put(locations(9...17))
      scheduler.deliver()
      #expect(log.lines == ["paused", "locations 9"])
      #expect(queue.droppedCount == 0)
    }
  }

  @Test("a full queue drops headings first, the oldest, then locations")
  func headings() {
    let heading = { Delivery.notice(.heading(Heading(magnetic: $0))) }
    withQueue(capacity: 4) { queue, scheduler, log in
      queue.put(locations(0...1))
      for angle in [10.0, 20, 30, 40] { queue.put(heading(angle)) }
      #expect(queue.droppedCount == 2)
      scheduler.deliver()
      #expect(log.lines == ["locations 2", "heading 30.0 -1.0", "heading 40.0 -1.0"])
    }
  }

  @Test("a closed queue accepts nothing")
  func closed() {
    withQueue { queue, scheduler, log in
      queue.put(locations(0...1))
      queue.close()
      queue.put(locations(2...3))
      scheduler.deliver()
      #expect(log.lines == [])
      queue.waitUntilDrained()
    }
  }

  @Test("a source waits above a threshold, whatever the capacity, until the queue is below it")
  func threshold() {
    let counter = FullQueueCounter()
    let queue = ManagerQueue(target: .service(IsolatedScheduler()), counter: counter)
    queue.put(locations(1...ManagerQueue.defaultThreshold))
    #expect(counter.isZero)
    queue.waitUntilDrained()
    queue.put(locations(501...501))
    #expect(!counter.isZero)
    queue.deliverNext()
    #expect(counter.isZero)
    queue.put(locations(1...1_000))
    queue.put(.notice(.paused))
    queue.withdraw { $0.standardCount > 0 }
    #expect(counter.isZero)
    queue.put(locations(1...1_000))
    queue.close()
    queue.put(locations(1...1_000))
    #expect(counter.isZero)
  }

  @Test("managers that get the same reports share the locations")
  func sharing() {
    var converter = DeliveryConverter()
    let one = Notice.locations([report(1)], .standard)
    let same = Notice.locations([report(1)], .oneShot)
    let deliveries = [one, one, same, .locations([report(2)], .standard)].map { converter($0) }
    let locations = deliveries.flatMap { delivery -> [CLLocation] in
      if case .locations(let locations, _) = delivery { locations } else { [] }
    }
    #expect(locations.count == 4)
    #expect(locations[0] === locations[1] && locations[1] === locations[2])
    #expect(locations[3].timestamp == locations[0].timestamp + 1)
  }

  @Test("a thread that delivers while another one does returns when everything is delivered")
  func secondThread() {
    LocationService.isolated { _ in
      let (scheduler, it) = (IsolatedScheduler(), LoggedManager())
      let queue = ManagerQueue(target: .service(scheduler))
      queue.setManager(it.manager)
      let (begun, ready, done) = (
        DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
      )
      let calls = Mutex(0)
      it.log.react = { _, line in
        if line == "paused" {
          begun.signal()
          #expect(ready.waitInTime())
        }
        calls.withLock { $0 += 1 }
      }
      queue.put(.notice(.paused))
      Thread.detachNewThread {
        #expect(begun.waitInTime())
        queue.put(.notice(.resumed))
        ready.signal()
        scheduler.deliver()
        #expect(calls.withLock { $0 } == 2)
        done.signal()
      }
      scheduler.deliver()
      #expect(done.waitInTime())
    }
  }

  @Test("within a callback nothing is delivered, and no replay begins")
  func withinCallback() {
    withQueue { queue, scheduler, log in
      log.react = { _, line in
        guard line == "paused" else { return }
        queue.put(.notice(.resumed))
        scheduler.deliver()
        #expect(log.lines == ["paused"] && !scheduler.beginReplay())
      }
      queue.put(.notice(.paused))
      scheduler.deliver()
      #expect(log.lines == ["paused", "resumed"])
      #expect(scheduler.beginReplay() && !scheduler.beginReplay())
      scheduler.endReplay()
      #expect(scheduler.beginReplay())
    }
  }

  @Test("several queues are delivered in the order of their entries")
  func order() {
    LocationService.isolated { _ in
      let scheduler = IsolatedScheduler()
      var calls: [String] = []
      let managers = [LoggedManager(), LoggedManager()]
      let queues = managers.enumerated().map { number, it in
        it.log.react = { _, line in calls.append("\(number) \(line)") }
        let queue = ManagerQueue(target: .service(scheduler))
        queue.setManager(it.manager)
        return queue
      }
      queues[1].put(.notice(.paused))
      queues[0].put(.notice(.paused))
      queues[1].put(.notice(.resumed))
      scheduler.deliver()
      #expect(calls == ["1 paused", "0 paused", "1 resumed"])
    }
  }
}
