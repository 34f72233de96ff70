import EventLog
@testable import Playing
@testable import Session
import TestSupport
import Testing
import Traces
import Tracking

@Suite("A shard of a replay")
struct ReplayShardTests {
  @Test("knows the deadlines of the devices it played before it was asked to keep them")
  func deadlines() throws {
    let ground = Ground()
    var fence = ground.circle("home", radius: 100)
    fence.dwell = 600 * 1_000_000_000
    fence.notifications.insert(.dwell)
    let session = Session(
      rules: Rules(fences: try FenceSet([fence])), kinds: [.dwell], hindsight: false)
    let shard = ReplayShard(session)
    let device = shard.index(of: "a")
    let fix = ground.fix(0, 0, 0, accuracy: 5)
    let time = try #require(fix.time)
    var steps: ReplayShard.Steps = [
      (
        TracePoint(fix: fix, line: 1),
        ReplayShard.Step(
          source: 0, device: device, wakes: false, place: time, due: time, number: 1, instant: 1,
          isSettled: true)
      )
    ]
    shard.give(&steps)
    shard.play(until: .end)
    let wait = ReplayShard.Wait(
      device: device, source: 0, place: time, due: Ground.time(10_000), step: 2, isSettled: true)
    #expect(shard.deadline(of: wait) == nil)
    shard.keepsDeadlines = true
    #expect(shard.deadline(of: wait) == Ground.time(600))
  }
}
