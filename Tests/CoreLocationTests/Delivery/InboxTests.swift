import Dispatch
import Foundation
import Locking
import Services
import Testing
import Tracking

@testable import CoreLocation

@Suite("Inboxes of managers")
struct InboxTests {
  private func report(_ second: Double) -> Report {
    Report(Fix(Trip.fix(second, east: 0)), from: .simulation)
  }

  private func locations(
    _ seconds: ClosedRange<Int>, of service: Notice.Service = .standard
  ) -> Delivery {
    .locations(seconds.map { CLLocation(report(Double($0))) }, service)
  }

  /// An inbox of a manager that is told when `settle` is called.
  private func withInbox(
    capacity: Int = 10, _ body: (Inbox, DeliveryQueue, ManagerLog) -> Void
  ) {
    LocationService.isolated { service in
      let (queue, it) = (DeliveryQueue(), LoggedManager())
      let inbox = Inbox(target: .service(queue), capacity: capacity)
      inbox.adopt(it.manager)
      body(inbox, queue, it.log)
    }
  }

  @Test("2.4 locations of standard updates that follow each other are one call, others are not")
  func merging() {
    withInbox { inbox, queue, log in
      inbox.put(locations(0...1))
      inbox.put(locations(2...2))
      inbox.put(locations(3...3, of: .significantChange))
      inbox.put(locations(4...4))
      inbox.put(.notice(.paused))
      inbox.put(locations(5...5))
      queue.deliver()
      #expect(
        log.lines == ["locations 3", "locations 1", "locations 1", "paused", "locations 1"])
    }
  }

  @Test("a full inbox loses the oldest locations, keeps what else there is, and counts")
  func bounds() {
    withInbox { inbox, queue, log in
      inbox.put(.notice(.paused))
      inbox.put(locations(0...5))
      inbox.put(.notice(.resumed))
      inbox.put(locations(6...12))
      #expect(inbox.droppedCount == 5)
      queue.deliver()
      #expect(log.lines == ["paused", "locations 1", "resumed", "locations 7"])
      #expect(log.locations.first?.timestamp == Trip.start.addingTimeInterval(5))
    }
  }

  @Test("a full inbox without locations loses the oldest notices")
  func boundsWithoutLocations() {
    withInbox(capacity: 2) { inbox, queue, log in
      inbox.put(.notice(.paused))
      inbox.put(.notice(.resumed))
      inbox.put(.notice(.deferralEnded(nil)))
      queue.deliver()
      #expect(log.lines == ["resumed", "deferral done"])
      #expect(inbox.droppedCount == 1)
    }
  }

  @Test("what is withdrawn is not told, and makes room")
  func withdrawal() {
    withInbox { inbox, queue, log in
      inbox.put(locations(0...8))
      inbox.put(.notice(.paused))
      inbox.withdraw { $0.standardCount > 0 }
      inbox.put(locations(9...17))
      queue.deliver()
      #expect(log.lines == ["paused", "locations 9"])
      #expect(inbox.droppedCount == 0)
    }
  }

  @Test("a closed inbox takes nothing")
  func closed() {
    withInbox { inbox, queue, log in
      inbox.put(locations(0...1))
      inbox.close()
      inbox.put(locations(2...3))
      queue.deliver()
      #expect(log.lines == [])
      inbox.waitForRoom()
    }
  }

  @Test("a source waits from a mark on that a large capacity does not raise, until there is room")
  func mark() {
    let room = Room()
    let inbox = Inbox(target: .service(DeliveryQueue()), room: room)
    inbox.put(locations(1...Inbox.usualMark))
    #expect(room.isEverywhere)
    inbox.waitForRoom()
    inbox.put(locations(501...501))
    #expect(!room.isEverywhere)
    inbox.deliverNext()
    #expect(room.isEverywhere)
    inbox.put(locations(1...1_000))
    inbox.put(.notice(.paused))
    inbox.withdraw { $0.standardCount > 0 }
    #expect(room.isEverywhere)
    inbox.put(locations(1...1_000))
    inbox.close()
    inbox.put(locations(1...1_000))
    #expect(room.isEverywhere)
  }

  @Test("managers that are told of the same reports share the locations")
  func sharing() {
    var telling = Telling()
    let one = Notice.locations([report(1)], .standard)
    let same = Notice.locations([report(1)], .oneShot)
    let deliveries = [one, one, same, .locations([report(2)], .standard)].map { telling($0) }
    let locations = deliveries.flatMap { delivery -> [CLLocation] in
      if case .locations(let locations, _) = delivery { locations } else { [] }
    }
    #expect(locations.count == 4)
    #expect(locations[0] === locations[1] && locations[1] === locations[2])
    #expect(locations[3].timestamp == locations[0].timestamp + 1)
  }

  @Test("who delivers while another thread does returns when all has been delivered")
  func secondThread() {
    LocationService.isolated { _ in
      let (queue, it) = (DeliveryQueue(), LoggedManager())
      let inbox = Inbox(target: .service(queue))
      inbox.adopt(it.manager)
      let (begun, ready, done) = (
        DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
      )
      let told = Mutex(0)
      it.log.react = { _, line in
        if line == "paused" {
          begun.signal()
          ready.wait()
        }
        told.withLock { $0 += 1 }
      }
      inbox.put(.notice(.paused))
      Thread.detachNewThread {
        begun.wait()
        inbox.put(.notice(.resumed))
        ready.signal()
        queue.deliver()
        #expect(told.withLock { $0 } == 2)
        done.signal()
      }
      queue.deliver()
      done.wait()
    }
  }

  @Test("within a callback nothing is delivered, and no replay begins")
  func withinCallback() {
    withInbox { inbox, queue, log in
      log.react = { _, line in
        guard line == "paused" else { return }
        inbox.put(.notice(.resumed))
        queue.deliver()
        #expect(log.lines == ["paused"] && !queue.beginReplay())
      }
      inbox.put(.notice(.paused))
      queue.deliver()
      #expect(log.lines == ["paused", "resumed"])
      #expect(queue.beginReplay() && !queue.beginReplay())
      queue.endReplay()
      #expect(queue.beginReplay())
    }
  }

  @Test("several inboxes are told in the order in which things came")
  func order() {
    LocationService.isolated { _ in
      let queue = DeliveryQueue()
      var told: [String] = []
      let managers = [LoggedManager(), LoggedManager()]
      let inboxes = managers.enumerated().map { number, it in
        it.log.react = { _, line in told.append("\(number) \(line)") }
        let inbox = Inbox(target: .service(queue))
        inbox.adopt(it.manager)
        return inbox
      }
      inboxes[1].put(.notice(.paused))
      inboxes[0].put(.notice(.paused))
      inboxes[1].put(.notice(.resumed))
      queue.deliver()
      #expect(told == ["1 paused", "0 paused", "1 resumed"])
    }
  }
}
