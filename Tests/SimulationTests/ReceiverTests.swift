import Geodesy
import Glibc
import Simulation
import Testing
import Tracking

@Suite struct ReceiverTests {
  private func noisy(sigma: Double, tau: Double, whiteShare: Double = 0) -> Receiver {
    var receiver = Receiver(sampling: .init(every: 1), seed: 5)
    receiver.noise = PositionNoise(sigma: sigma, tau: tau, whiteShare: whiteShare)
    return receiver
  }

  private func easts(_ receiver: Receiver, minutes: Double) -> [Double] {
    receiver.fixes(on: rest(minutes: minutes)).map { error(of: $0, from: berlin).east }
  }

  private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  @Test("the same seed gives the same fixes, another seed different ones")
  func deterministic() {
    var receiver = noisy(sigma: 5, tau: 60, whiteShare: 0.2)
    receiver.outliers = OutlierModel()
    receiver.delivery.lateShare = 0.1
    let first = texts(receiver.fixes(on: rest(minutes: 5)))
    #expect(first == texts(receiver.fixes(on: rest(minutes: 5))))
    receiver.seed = 6
    #expect(first != texts(receiver.fixes(on: rest(minutes: 5))))
  }

  @Test("with everything switched off the fixes are the truth")
  func silent() throws {
    var receiver = Receiver(sampling: .init(every: 10), seed: 1)
    receiver.noise = nil
    receiver.statesMotion = false
    receiver.statesAccuracy = false
    var plan = Plan(start: noon, at: berlin)
    plan.travel(.car, through: [berlin.destination(bearing: 200, distance: 900)])
    let path = TruePath(plan)
    for fix in receiver.fixes(on: path) {
      let time = try #require(fix.time)
      let truth = try #require(path.state(at: time))
      #expect(fix.coordinate == truth.coordinate)
      #expect(fix.horizontalAccuracy == nil && fix.speed == nil && fix.course == nil)
    }
  }

  @Test("the correlated error has its sigma and its correlation time")
  func gaussMarkov() {
    let errors = easts(noisy(sigma: 4, tau: 20), minutes: 300)
    let variance = mean(errors.map { $0 * $0 })
    #expect(abs(variance.squareRoot() - 4) < 0.5)
    for lag in [5, 20, 40] {
      let products = zip(errors, errors.dropFirst(lag)).map { $0 * $1 }
      let wanted = exp(-Double(lag) / 20)
      #expect(abs(mean(products) / variance - wanted) < 0.1, "lag \(lag) s")
    }
  }

  @Test("the white part changes from fix to fix")
  func white() {
    let errors = easts(noisy(sigma: 4, tau: 1e9, whiteShare: 0.5), minutes: 60)
    let steps = zip(errors, errors.dropFirst()).map { ($1 - $0) * ($1 - $0) }
    // Two white errors differ by √2 of their sigma, which is 2 m.
    #expect(abs(mean(steps).squareRoot() - 2 * 2.0.squareRoot()) < 0.2)
  }

  @Test("about 68 % of the fixes are within the stated accuracy")
  func statedAccuracy() {
    let fixes = noisy(sigma: 6, tau: 20).fixes(on: rest(minutes: 300))
    let within = fixes.count { berlin.distance(to: $0.coordinate) <= $0.horizontalAccuracy ?? 0 }
    let share = Double(within) / Double(fixes.count)
    #expect(0.6...0.78 ~= share, "\(share)")
    #expect(Set(fixes.map(\.horizontalAccuracy)).count > fixes.count / 2)
  }

  @Test("outliers have the set rate and size, and the honest share states them")
  func outliers() {
    var receiver = noisy(sigma: 3, tau: 60)
    var model = OutlierModel()
    model.perHour = { _ in 60 }
    model.size = 100...400
    model.longestBurst = 1
    receiver.outliers = model
    let far = receiver.fixes(on: rest(minutes: 1200))
      .filter { berlin.distance(to: $0.coordinate) > 60 }
    // 1 200 are expected; their standard deviation is the square root of that.
    #expect(1080...1320 ~= far.count, "\(far.count)")
    #expect(far.allSatisfy { berlin.distance(to: $0.coordinate) < 440 })
    let honest = far.count { ($0.horizontalAccuracy ?? 0) > 30 }
    #expect(abs(Double(honest) / Double(far.count) - 0.7) < 0.05)
  }

  @Test("the environment sets the error, and there is no reception under cover")
  func environments() {
    var receiver = Receiver(sampling: .init(every: 10), seed: 9)
    receiver.noise?.tau = 10
    let spread = { (environment: Environment) in
      let errors = receiver.fixes(on: rest(minutes: 300, environment))
        .map { error(of: $0, from: berlin).north }
      return errors.isEmpty ? 0 : mean(errors.map { $0 * $0 }).squareRoot()
    }
    for environment in Environment.allCases where environment != .covered {
      let usual = environment.usualSigma
      #expect(abs(spread(environment) - usual) < 0.1 * usual, "\(environment)")
    }
    #expect(receiver.fixes(on: rest(minutes: 5, .covered)).isEmpty)
  }

  @Test("jitter keeps every fix near its due time")
  func jitter() {
    var receiver = Receiver(sampling: .init(every: 10, jitter: 3), seed: 2)
    receiver.noise = nil
    let seconds = receiver.fixes(on: rest(minutes: 30)).compactMap { $0.time?.seconds(since: noon) }
    #expect(seconds.count == 181)
    for (index, second) in seconds.enumerated() {
      #expect(abs(second - 10 * Double(index)) <= 3)
    }
    #expect(Set(seconds.map { $0.truncatingRemainder(dividingBy: 10) }).count > 100)
  }

  @Test("a fix is taken when motion begins, however long the interval at rest")
  func waking() {
    var plan = Plan(start: noon, at: berlin)
    plan.stay(minutes: 2.5)
    plan.travel(.walk, through: [berlin.destination(bearing: 0, distance: 100)])
    let receiver = Receiver(sampling: .init(every: 5, resting: 60), seed: 1)
    let seconds = receiver.fixes(on: TruePath(plan))
      .compactMap { $0.time?.seconds(since: noon).rounded() }
    #expect(Array(seconds.prefix(5)) == [0, 60, 120, 150, 155])
  }

  @Test("an interval of zero becomes a millisecond, not an endless loop")
  func noInterval() {
    let receiver = Receiver(sampling: .init(every: 0), seed: 1)
    #expect(60...61 ~= receiver.fixes(on: rest(minutes: 0.001)).count)
  }

  @Test("gaps are silent")
  func gaps() {
    var receiver = Receiver(sampling: .init(every: 1), seed: 1)
    receiver.delivery.gaps = [100...199]
    let path = rest(minutes: 10)
    let seconds = receiver.fixes(on: path).compactMap { $0.time?.seconds(since: noon) }
    #expect(seconds.count == 501 && !seconds.contains { (100...199).contains($0) })
    receiver.delivery.gaps = []
    receiver.delivery.randomGaps = (perHour: 30, meanLength: 60)
    let heard = receiver.fixes(on: rest(minutes: 600)).count
    // 120 s on average with reception, 60 s without.
    #expect(abs(Double(heard) / 36_001 - 2.0 / 3) < 0.06)
  }

  @Test("duplicate and late fixes neither lose nor add events")
  func delivery() {
    var receiver = Receiver(sampling: .init(every: 1), seed: 4)
    let path = rest(minutes: 60)
    let ordered = receiver.fixes(on: path)
    receiver.delivery.duplicateShare = 0.1
    receiver.delivery.lateShare = 0.1
    let delivered = receiver.fixes(on: path)
    #expect(Set(texts(delivered)) == Set(texts(ordered)))
    let extra = delivered.count - ordered.count
    #expect(250...400 ~= extra, "\(extra)")
    let times = delivered.compactMap(\.time)
    let backward = zip(times, times.dropFirst()).count { $1 < $0 }
    #expect(250...400 ~= backward, "\(backward)")
  }

  @Test("speed, course, altitude and satellites are near the truth")
  func extras() throws {
    var receiver = Receiver(sampling: .init(every: 5), seed: 3)
    receiver.altitude = 100
    receiver.statesSatellites = true
    var plan = Plan(start: noon, at: berlin)
    plan.stay(minutes: 1)
    plan.travel(.car, through: [berlin.destination(bearing: 0.2, distance: 5000)])
    let path = TruePath(plan)
    for fix in receiver.fixes(on: path) {
      let time = try #require(fix.time)
      let truth = try #require(path.state(at: time))
      let (speed, altitude) = try (#require(fix.speed), #require(fix.altitude))
      let (satellites, hdop) = try (#require(fix.satellites), #require(fix.hdop))
      #expect(abs(speed - truth.speed) < 1)
      #expect(abs(altitude - 100) < 25)
      #expect(4...20 ~= satellites && 0.5...3 ~= hdop)
      guard let course = fix.course else { continue }
      #expect(0..<360 ~= course)
      if truth.speed > 5 { #expect(abs((course - 0.2).remainder(dividingBy: 360)) < 8) }
    }
  }
}
