import Foundation
import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

/// Plain situations of devices that leave the world of regular fixes: silences, stale and coarse
/// positions, fields that are wrong.
@Suite("Real devices")
struct RealDeviceTests {
  private let ground = Ground()
  private static let hour = 3_600.0
  private static let day = 86_400.0

  private func rules(radius: Double, initial: Fence.Initial = .state) throws -> Rules {
    var fence = ground.circle("home", radius: radius)
    fence.initial = initial
    var rules = Rules(fences: try FenceSet([fence]))
    rules.visits = VisitRules()
    rules.significantChanges = SignificantChangeRules()
    return rules
  }

  private func run(_ rules: Rules, _ fixes: [Fix]) -> (events: [Event], tracker: Tracker) {
    var (tracker, events) = (Tracker(rules: rules), [Event]())
    for fix in fixes { tracker.ingest(fix, into: &events) }
    return (events, tracker)
  }

  /// A device at rest: errors of 2 m, a fix every so many seconds.
  private func rest(
    from start: Double, to end: Double, every step: Double = 10, seed: UInt64 = 1
  ) -> [Fix] {
    var random = SeededGenerator(seed: seed)
    return stride(from: start, to: end, by: step).map {
      ground.fix($0, 2 * random.normal(), 2 * random.normal(), accuracy: 6)
    }
  }

  /// A drive east from a place, at even speed.
  private func drive(
    from east: Double, at speed: Double, start: Double, fixes count: Int, every step: Double = 5
  ) -> [Fix] {
    (0..<count).map {
      var fix = ground.fix(
        start + Double($0) * step, east + speed * Double($0) * step, accuracy: 6)
      (fix.speed, fix.course) = (abs(speed), speed > 0 ? 90 : 270)
      return fix
    }
  }

  private func exits(_ events: [Event]) -> [(event: Event, crossing: Crossing, inside: Double)] {
    events.compactMap {
      if case .exit(_, let crossing, let inside) = $0.statement {
        ($0, crossing, inside)
      } else {
        nil
      }
    }
  }

  private func enters(_ events: [Event]) -> [(event: Event, crossing: Crossing)] {
    events.compactMap {
      if case .enter(_, let crossing) = $0.statement { ($0, crossing) } else { nil }
    }
  }

  private func visits(_ events: [Event]) -> [(event: Event, visit: Visit)] {
    events.compactMap { if case .visit(let visit) = $0.statement { ($0, visit) } else { nil } }
  }

  /// Enters and exits of a device at rest 12 m inside of an edge, in its second to eighth hour, whose
  /// errors are 2.5 times as large as what it claims.
  private func events(claiming accuracy: Double?, sigma: Double, seed: UInt64) throws -> Int {
    var (random, noise) = (SeededGenerator(seed: seed), Noise(sigma: sigma))
    let fixes = stride(from: 0, to: 8 * Self.hour, by: 10).map { second in
      let error = noise.next(second, &random)
      return ground.fix(second, 38 + error.x, error.y, accuracy: accuracy)
    }
    let (events, _) = run(try rules(radius: 50), fixes)
    let late = Ground.time(2 * Self.hour)
    return exits(events).count { $0.event.decided > late }
      + enters(events).count { $0.event.decided > late }
  }

  @Test("a device whose claims are too small does not cross an edge beside it all day")
  func claimsTooSmall() throws {
    let stated = try (UInt64(1)...5).map { try events(claiming: 8, sigma: 13, seed: $0) }
    #expect(stated.reduce(0, +) <= 20, "seeds 1 to 5: \(stated)")
    let unstated = try (UInt64(1)...5).map { try events(claiming: nil, sigma: 40, seed: $0) }
    #expect(unstated.reduce(0, +) <= 20, "seeds 1 to 5: \(unstated)")
  }

  @Test(
    "a fix every day, and less often, is used", arguments: [day, day + 60, 2 * day + 1, 7 * day])
  func collar(step: Double) throws {
    let fixes = (0..<30).map { ground.fix(Double($0) * step, 1_100 * Double($0), accuracy: 10) }
    let (events, tracker) = run(try rules(radius: 500), fixes)
    #expect(tracker.counts.accepted == 30)
    #expect(exits(events).count == 1)
    #expect(events.filter { $0.statement == .significantChange }.count >= 27)
  }

  @Test("a step forwards that the next fix contradicts is a clock jump")
  func contradicted() throws {
    var fixes = rest(from: 0, to: 100)
    fixes.append(ground.fix(3 * Self.day, 0))
    fixes += rest(from: 110, to: 200)
    let (_, tracker) = run(try rules(radius: 500), fixes)
    #expect(tracker.counts[.clockJump] == 1 && tracker.counts.accepted == 19)
  }

  @Test(
    "a stay goes on through a weekend of silence",
    arguments: [Fence.Initial.state, .none, .enter])
  func weekend(initial: Fence.Initial) throws {
    var fixes = drive(from: -3_000, at: 5, start: 0, fixes: 120)
    fixes += rest(from: 600, to: 900)
    fixes += rest(from: 900 + 60 * Self.hour, to: 930 + 60 * Self.hour)
    fixes += drive(from: 0, at: 12, start: 930 + 60 * Self.hour, fixes: 60)
    let events = run(try rules(radius: 100, initial: initial), fixes).events
    #expect(enters(events).count == 1 && exits(events).count == 1)
    let stay = try #require(exits(events).first?.inside)
    #expect(abs(stay - (930 + 60 * Self.hour + 100 / 12 - 580)) < 20)
  }

  @Test("a stay that was forgotten ends with an exit, whose doubt is the silence")
  func forgotten() throws {
    let gone = 900 + 40 * Self.day
    let fixes =
      rest(from: 0, to: 900) + drive(from: 4_000, at: 12, start: gone, fixes: 60)
    let events = run(try rules(radius: 100), fixes).events
    let exit = try #require(exits(events).first)
    #expect(exits(events).count == 1)
    #expect((890...gone).contains(exit.event.time.seconds(since: Ground.time(0))))
    #expect(abs((exit.crossing.timeUncertainty ?? 0) - 40 * Self.day / 12.0.squareRoot()) < 200)
    // Not before the side was reported as unknown.
    let unknown = events.first {
      if case .state(_, .unknown, _) = $0.statement { true } else { false }
    }
    #expect(try exit.event.time >= #require(unknown).time)
  }

  @Test("an exit in a silence has the silence as its doubt")
  func goneAfterSilence() throws {
    let back = 2_000 + 50 * Self.hour
    let fixes = rest(from: 0, to: 2_000) + drive(from: 4_000, at: 12, start: back, fixes: 60)
    let exit = try #require(exits(run(try rules(radius: 150), fixes).events).first)
    let (after, sigma) = (
      exit.event.time.seconds(since: Ground.time(1_990)), exit.crossing.timeUncertainty ?? 0
    )
    #expect((0...50 * Self.hour).contains(after))
    #expect(sigma > 60 && after / sigma < 4.5)
  }

  @Test(
    "a device that wakes with its old position may have left at any time of its silence",
    arguments: [1, 3])
  func wakesWithOldPositions(repeats: Int) throws {
    // It reports for ten minutes, sleeps for three hours, repeats its last position, and is 4 km away.
    let (last, woken) = (600.0, 600 + 3 * Self.hour)
    var fixes = rest(from: 0, to: last + 1)
    let old = try #require(fixes.last)
    for number in 0..<repeats {
      var fix = old
      fix.time = Ground.time(woken + 10 * Double(number))
      fixes.append(fix)
    }
    for number in 0..<60 {
      fixes.append(ground.fix(woken + 60 + 10 * Double(number), 4_000, accuracy: 6))
    }
    let (events, _) = run(try rules(radius: 200), fixes)
    let exit = try #require(exits(events).first)
    #expect(exits(events).count == 1)
    let sigma = try #require(exit.crossing.timeUncertainty)
    let asleep = woken - last
    #expect(abs(sigma - asleep / 12.0.squareRoot()) < 60)
    #expect(abs(exit.event.time.seconds(since: Ground.time(last + asleep / 2))) < 120)
    let visit = try #require(visits(events).first { $0.visit.departure != nil }?.visit)
    #expect(try #require(visit.departureUncertainty) > 600)
  }

  @Test("a device that was clearly outside when it fell silent entered in the silence")
  func staysOutsideBeforeSilence() throws {
    // A phone that reports every minute of a walk. It is home for hours, walks out of the fence, stands
    // 20 m beyond its edge, is silent for twelve minutes, and is then heard inside.
    var fixes = (0..<30).map { number in
      var fix = ground.fix(60 * Double(number), 2_000 - 65 * Double(number), accuracy: 8)
      (fix.speed, fix.course) = (1.1, 270)
      return fix
    }
    let walk: [(second: Double, edge: Double, accuracy: Double, speed: Double)] = [
      (1_800, -131, 5, 1), (1_860, -131, 7, 0.1), (15_240, -10, 48, 1), (15_300, -7, 8, 0.2),
      (15_360, 22, 6, 1.4), (15_420, 21, 5, 0.2), (15_480, 18, 7, 0.4), (15_540, 18, 9, 0.4),
      (15_600, 26, 4, 0.5), (16_320, -62, 54, 1.6), (16_380, -105, 8, 1.6), (16_440, -137, 7, 0.4),
      (16_500, -131, 5, 0),
    ]
    fixes += walk.map {
      var fix = ground.fix($0.second, 150 + $0.edge, accuracy: $0.accuracy)
      fix.speed = $0.speed
      return fix
    }
    let found = enters(run(try rules(radius: 150), fixes).events)
    let enter = try #require(found.last)
    #expect(enter.event.time > Ground.time(15_600) && enter.event.time < Ground.time(16_320))
    let sigma = try #require(enter.crossing.timeUncertainty)
    #expect(sigma > 60 && sigma < 720, "\(sigma)")
  }

  @Test("a fence whose side becomes known changes no crossing of another")
  func resolvesOneOfTwo() throws {
    // First seen at the edge of one fence, then silent for four hours, then heard in another one.
    let work = Fence(id: "work", area: .circle(Circle(center: ground.place(5_000), radius: 300)))
    let home = ground.circle("home", radius: 100)
    let (end, silence) = (4 * Self.hour, 4 * Self.hour)
    var fixes = [ground.fix(0, 100, accuracy: 65)]
    fixes += (0..<10).map { ground.fix(end + Double($0) * 10, 5_000, accuracy: 65) }
    let (events, _) = run(Rules(fences: try FenceSet([home, work])), fixes)
    let states = events.compactMap { event -> Containment? in
      if case .state("home", let side, _) = event.statement { side } else { nil }
    }
    #expect(states == [.unknown, .outside])
    let enter = try #require(enters(events).first)
    #expect(enters(events).count == 1)
    let sigma = try #require(enter.crossing.timeUncertainty)
    let ended = Ground.time(end).seconds(since: enter.event.time)
    #expect(ended > 600, "\(ended) s before the end of the silence")
    #expect(abs(ended - silence / 2) < 2 * sigma)
  }

  @Test("a device that comes back after it woke with its old position is heard there")
  func leavesAgain() throws {
    let woken = 600 + 3 * Self.hour
    var fixes = rest(from: 0, to: 600)
    var old = try #require(fixes.last)
    old.time = Ground.time(woken)
    fixes.append(old)
    // It is 4 km away, leaps back home, and away again, all within half an hour.
    fixes += stride(from: 60, to: 360, by: 10).map { ground.fix(woken + $0, 4_000, accuracy: 6) }
    fixes += rest(from: woken + 420, to: woken + 900)
    fixes += stride(from: 960, to: 1_500, by: 10).map { ground.fix(woken + $0, 4_000, accuracy: 6) }
    let found = exits(run(try rules(radius: 200), fixes).events)
    #expect(found.count == 2)
    let last = try #require(found.last)
    let sigma = try #require(last.crossing.timeUncertainty)
    #expect(sigma < 120, "\(sigma)")
    #expect(abs(last.event.time.seconds(since: Ground.time(woken + 930))) < 3 * sigma)
  }

  @Test("a device that reports at such intervals was where it said")
  func regularRepeats() throws {
    // It repeats its position every ten minutes, as trackers do that hold it at rest.
    let held = ground.fix(0, 0, accuracy: 6)
    var fixes = (0..<30).map { number in
      var fix = held
      fix.time = Ground.time(600 * Double(number))
      return fix
    }
    for number in 0..<20 {
      fixes.append(ground.fix(600 * Double(30 + number), 4_000, accuracy: 6))
    }
    let (events, _) = run(try rules(radius: 200), fixes)
    let exit = try #require(exits(events).first)
    #expect(exit.event.time >= Ground.time(600 * 29))
    #expect(try #require(exit.crossing.timeUncertainty) < 200)
  }

  @Test("one stale first fix is given up soon", arguments: [400.0, 900, 2_000])
  func oneStale(far: Double) throws {
    for seed in UInt64(1)...5 {
      let fixes =
        [ground.fix(0, far, accuracy: 6)] + rest(from: 10, to: 1_800, seed: seed)
      let events = run(try rules(radius: 120), fixes).events
      let enter = try #require(enters(events).first, "seed \(seed)")
      #expect(enters(events).count == 1 && exits(events).isEmpty, "seed \(seed)")
      let error = abs(enter.event.time.seconds(since: Ground.time(5)))
      #expect(error < 3 * (enter.crossing.timeUncertainty ?? 0) + 10, "seed \(seed): \(error) s")
    }
  }

  @Test("stale first fixes do not delay the enter", arguments: [900.0, 20_000, 300_000])
  func stale(far: Double) throws {
    let fixes =
      [ground.fix(0, far, accuracy: 6), ground.fix(10, far, accuracy: 6)]
      + rest(from: 20, to: 1_800)
    let events = run(try rules(radius: 120), fixes).events
    let enter = try #require(enters(events).first)
    #expect(enters(events).count == 1)
    #expect(abs(enter.event.time.seconds(since: Ground.time(15))) <= 6)
    #expect((enter.crossing.timeUncertainty ?? 0) > 2)
    let visit = try #require(visits(events).first)
    #expect(abs(visit.visit.arrival.seconds(since: Ground.time(20))) <= 30)
  }

  @Test("positions at 0, 0 far away are dropped, and counted")
  func nullIsland() throws {
    var fixes = rest(from: 0, to: 600)
    for second in stride(from: 600.0, to: 1_200, by: 10) {
      var fix = ground.fix(second, 0)
      fix.coordinate = Coordinate(latitude: 0, longitude: 0)
      fixes.append(fix)
    }
    fixes += rest(from: 1_200, to: 1_800)
    let (events, tracker) = run(try rules(radius: 120), fixes)
    #expect(tracker.counts[.withoutPosition] == 60)
    #expect(enters(events).isEmpty && exits(events).isEmpty)
    #expect(events.allSatisfy { $0.coordinate.distance(to: ground.place(0)) < 100 })
  }

  @Test("a first fix at 0, 0 is dropped, and those that follow it")
  func nullIslandFirst() throws {
    let nowhere = (0..<9).map { number in
      var fix = ground.fix(10 * Double(number), 0)
      fix.coordinate = Coordinate(latitude: 0, longitude: 0)
      return fix
    }
    let (events, tracker) = run(try rules(radius: 120), nowhere + rest(from: 90, to: 900))
    #expect(tracker.counts[.withoutPosition] == 9 && tracker.counts.accepted == 81)
    #expect(enters(events).isEmpty && !events.contains { $0.statement == .significantChange })
  }

  @Test("a device near 0, 0 keeps its fixes there")
  func nearNullIsland() throws {
    let gulf = Ground(latitude: 0.001, longitude: 0)
    var nowhere = gulf.fix(10, 0)
    nowhere.coordinate = Coordinate(latitude: 0, longitude: 0)
    let tracker = run(Rules(), [gulf.fix(0, 0), nowhere, gulf.fix(20, 0)]).tracker
    #expect(tracker.counts.accepted == 3)
  }

  @Test("a device that falls silent where it just came is reported after the patience")
  func silentEnter() throws {
    let rules = try rules(radius: 100)
    let away = (0..<60).map { ground.fix(10 * Double($0), -3_000, accuracy: 6) }
    var (events, tracker) = run(rules, away)
    // One fix at home: too little to be sure of, and then nothing for hours.
    tracker.ingest(ground.fix(5_000, 0, accuracy: 6), into: &events)
    #expect(enters(events).isEmpty)
    let due = Ground.time(5_000).advanced(bySeconds: rules.dwellPatience)
    #expect(tracker.nextDeadline == due)
    var live = tracker
    live.advance(to: due, into: &events)
    let enter = try #require(enters(events).first)
    #expect(enter.event.decided == due && enter.event.time <= Ground.time(5_000))
    // The next fix, far away, ends it: live and replayed alike.
    let gone = drive(from: 2_000, at: 12, start: 19_000, fixes: 40)
    for fix in gone { live.ingest(fix, into: &events) }
    #expect(exits(events).count == 1 && enters(events).count == 1)
    var replayed: [Event] = []
    for fix in gone { tracker.ingest(fix, into: &replayed) }
    #expect(replayed == Array(events.suffix(replayed.count)) && enters(replayed).count == 1)
  }

  @Test("fixes of another source are not held back by a coarse beginning")
  func otherSource() throws {
    var random = SeededGenerator(seed: 3)
    var fixes = (0..<6).map { number in
      ground.fix(Double(number), 600 * random.normal(), 600 * random.normal(), accuracy: 2_000)
    }
    fixes += drive(from: -400, at: 9, start: 10, fixes: 100, every: 1)
    let events = run(try rules(radius: 200), fixes).events
    let enter = try #require(enters(events).first)
    // It is in at 32 s.
    #expect(abs(enter.event.time.seconds(since: Ground.time(32.2))) < 4)
    #expect(enter.event.decided <= Ground.time(42))
  }

  @Test("positions that claim 65 m decide as what they are worth")
  func wifi() throws {
    var random = SeededGenerator(seed: 5)
    var fixes = drive(from: -2_000, at: 10, start: 0, fixes: 190, every: 1)
    for index in fixes.indices { fixes[index].horizontalAccuracy = 65 }
    // At home with errors of 25 m, 75 m from the edge.
    for number in 0..<40 {
      fixes.append(
        ground.fix(
          200 + 15 * Double(number), 25 * random.normal(), 25 * random.normal(), accuracy: 65))
    }
    let events = run(try rules(radius: 75), fixes).events
    #expect(enters(events).count == 1 && exits(events).isEmpty)
  }

  @Test("a barge that passes an edge is dated where it passed", arguments: UInt64(1)...4)
  func barge(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var noise = Noise(sigma: 3, time: 90)
    let fixes = (0..<1_600).map { number in
      let time = 2 * Double(number)
      let error = noise.next(time, &random)
      var fix = ground.fix(time, -400 + 0.3 * time + error.x, error.y, accuracy: 6)
      (fix.speed, fix.course) = (max(0, 0.3 + 0.05 * random.normal()), 90)
      return fix
    }
    let left = exits(run(try rules(radius: 200), fixes).events)
    let exit = try #require(left.first, "seed \(seed)")
    #expect(left.count == 1)
    let error = exit.event.time.seconds(since: Ground.time(2_000))
    #expect(abs(error) < 3 * (exit.crossing.timeUncertainty ?? 0) + 10, "\(error) s")
    #expect(exit.event.decided.seconds(since: Ground.time(2_000)) < 240)
  }

  @Test("a silence of a device that reports on the move is a visit")
  func silentStay() throws {
    var (fixes, start): ([Fix], Double) = ([], 0)
    for _ in 0..<3 {
      fixes += drive(from: -4_500, at: 10, start: start, fixes: 90)
      fixes += rest(from: start + 450, to: start + 500, every: 5)
      start += 500 + 4 * Self.hour
      fixes += drive(from: 200, at: 10, start: start + 20, fixes: 90)
      start += 20 + 450 + Self.hour
    }
    let events = run(try rules(radius: 100), fixes).events
    let last = start - 470 - Self.hour
    let stay = try #require(
      visits(events).last {
        $0.visit.departure != nil
          && abs($0.visit.arrival.seconds(since: Ground.time(last - 50 - 4 * Self.hour))) < 300
      })
    let departure = try #require(stay.visit.departure)
    let off = abs(departure.seconds(since: Ground.time(last)))
    #expect(off < 300 && off <= 2 * (stay.visit.departureUncertainty ?? 0))
  }

  @Test("positions that claim kilometres are no visit", arguments: [1_500.0, 4_000])
  func coarse(claim: Double) throws {
    var fixes = drive(from: -5_000, at: 14, start: 0, fixes: 200, every: 1)
    for number in 0..<40 {
      fixes.append(ground.fix(200 + 10 * Double(number), -2_000, 300, accuracy: claim))
    }
    fixes += drive(from: 3_400, at: 14, start: 600, fixes: 300, every: 1)
    let (events, tracker) = run(try rules(radius: 100), fixes)
    #expect(visits(events).isEmpty)
    #expect(tracker.counts[.coarse] == 40)
  }

  @Test("a device that has only coarse positions keeps them")
  func onlyCoarse() throws {
    let fixes = (0..<40).map { ground.fix(60 * Double($0), 700 * Double($0), accuracy: 3_000) }
    let (events, tracker) = run(try rules(radius: 150), fixes)
    #expect(tracker.counts.accepted == 40)
    #expect(visits(events).isEmpty && enters(events).isEmpty)
  }

  @Test("a flight with the device switched off leaves its span as doubt")
  func switchedOff() throws {
    let off = 2 * Self.hour
    let landed = 2_500 + off
    let fixes =
      rest(from: 0, to: 2_500)
      + drive(from: 130 * off, at: 10, start: landed, fixes: 60, every: 10)
    let events = run(try rules(radius: 3_000), fixes).events
    let exit = try #require(exits(events).first)
    #expect(exits(events).count == 1)
    #expect((2_490...landed + 30).contains(exit.event.time.seconds(since: Ground.time(0))))
    #expect((exit.crossing.timeUncertainty ?? 0) >= off / 20)
  }

  @Test(
    "positions outvote a course that is wrong, and a speed that is always 0",
    arguments: [(1.0, 20.0, 270.0), (2, 20, 270), (1, 20, 0), (2, 20, 0), (2, 0, 90)])
  func lies(step: Double, speed: Double, course: Double) throws {
    var fixes = rest(from: 0, to: 60, every: step)
    for index in fixes.indices { fixes[index].speed = 0 }
    for fix in drive(from: 0, at: 20, start: 60, fixes: 300, every: step) {
      var fix = fix
      (fix.speed, fix.course) = (speed, course)
      fixes.append(fix)
    }
    let exit = try #require(exits(run(try rules(radius: 150), fixes).events).first)
    #expect(exit.event.decided.seconds(since: Ground.time(67.5)) < 60)
  }

  /// An hour at anchor, then adrift: errors of 2.5 m that last a minute, speeds that a receiver measures.
  private func anchorage(drift speed: Double, seed: UInt64) -> [Fix] {
    var random = SeededGenerator(seed: seed)
    let (kept, start) = (exp(-1.0 / 60), Self.hour)
    let step = 2.5 * (1 - kept * kept).squareRoot()
    var (east, north) = (2.5 * random.normal(), 2.5 * random.normal())
    return (0..<Int(start + 40 / speed + 600)).map { second in
      let time = Double(second)
      (east, north) = (
        east * kept + step * random.normal(), north * kept + step * random.normal()
      )
      var fix = ground.fix(time, east + speed * max(0, time - start), north, accuracy: 5)
      fix.speed = max(0, (time > start ? speed : 0.05) + 0.08 * random.normal())
      return fix
    }
  }

  /// The first limit is above the largest of 100 delays of each drift (165, 97 and 31 s), the second one
  /// above their median (116, 68 and 11 s).
  @Test(
    "an anchor that drags is reported, and none that holds",
    arguments: [(0.1, 180.0, 120.0), (0.2, 110, 75), (0.5, 40, 45)])
  func drags(drift: Double, limit: Double, median: Double) throws {
    let delays = try (UInt64(1)...100).map { seed in
      let left = exits(
        run(try rules(radius: 40), anchorage(drift: drift, seed: seed)).events)
      let exit = try #require(left.first, "seed \(seed)")
      let delay = exit.event.decided.seconds(since: Ground.time(Self.hour + 40 / drift))
      #expect(left.count == 1 && -60 < delay && delay < limit, "seed \(seed): \(delay) s")
      let error = exit.event.time.seconds(since: Ground.time(Self.hour + 40 / drift))
      #expect(
        abs(error) < 3 * (exit.crossing.timeUncertainty ?? 0) + 10, "seed \(seed): \(error) s")
      return delay
    }.sorted()
    #expect(delays[50] <= median, "\(delays)")
  }

  /// A phone that stood for a moment and is then seen 200 m on, indoors and to the end: it went there.
  ///
  /// After hours at one place the same fixes would be those of a wrong access point.
  @Test("after a short rest a new place is where the device went", arguments: [16.0, 65])
  func movesOnAfterShortRest(accuracy: Double) throws {
    var fixes = (0..<40).map {
      ground.fix(15 * Double($0), -904 + 18 * Double($0), 0, accuracy: accuracy)
    }
    fixes += (40..<44).map { ground.fix(15 * Double($0), -202, 2, accuracy: accuracy) }
    for (number, time) in [800.0, 820, 826, 832, 847, 862, 1_147, 1_162, 1_329, 1_344].enumerated()
    {
      fixes.append(
        ground.fix(time, Double(number % 3), Double(number % 4), accuracy: accuracy))
    }
    let (events, _) = run(try rules(radius: 100), fixes)
    let enters = events.filter { if case .enter = $0.statement { true } else { false } }
    #expect(enters.count == 1 && exits(events).isEmpty)
  }

  @Test("a visit that ends before the minimum stay is retracted")
  func retracted() throws {
    var fixes = drive(from: -3_000, at: 10, start: 0, fixes: 60)
    fixes += rest(from: 300, to: 530)
    fixes += drive(from: 0, at: 10, start: 530, fixes: 60)
    let found = visits(run(try rules(radius: 50), fixes).events)
    #expect(found.map(\.visit.revision) == [0, 1])
    #expect(found.map(\.visit.isRetracted) == [false, true])
    #expect(found.first?.visit.arrival == found.last?.visit.arrival)
  }
}
