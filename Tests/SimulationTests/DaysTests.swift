import Formats
@testable import System
import Settings
import Geodesy
import Glibc
import Testing
import Traces
import Tracking

@testable import Simulation

private func device(
  _ index: Int = 0, _ profile: LifeProfile = .walker, _ sampling: SamplingRule = .interval(10),
  noise: NoiseLevel = .normal, days: Int = 1, seed: UInt64 = 7
) -> SimulatedDevice {
  var settings = SimulationSettings()
  settings.profiles = [profile]
  settings.samplings = [sampling]
  settings.noise = noise
  settings.days = days
  settings.seed = seed
  return SimulatedDevice(index, of: settings)
}

private func files(of device: SimulatedDevice) -> [[UInt8]] {
  [
    device.fixesFile(.gpx), device.fixesFile(.csv), device.fixesFile(.ndjson),
    device.configurationFile, device.fencesFile, device.visitLines, device.crossingLines,
    device.trackFile, device.summary,
  ]
}

@Suite("Simulated days")
struct DaysTests {
  @Test("the same seed gives the same bytes, another seed different ones")
  func determinism() {
    let first = files(of: device())
    #expect(files(of: device()) == first)
    #expect(device(seed: 8).fixesFile(.csv) != first[1])
  }

  @Test(
    "every profile has whole days with consecutive stays",
    arguments: LifeProfile.allCases)
  func profiles(profile: LifeProfile) {
    let truth = device(3, profile, .interval(60), days: 2).truth
    #expect(truth.positions.count == 2 * 86_400)
    #expect(truth.stays.first?.arrival == 0)
    #expect(truth.stays.last?.departure == 172_800.0)
    let long = truth.stays.filter(\.isLong).count
    #expect((profile == .homebody ? 1...12 : profile == .delivery ? 20...70 : 4...40) ~= long)
    for (stay, next) in zip(truth.stays, truth.stays.dropFirst()) {
      #expect(stay.departure <= next.arrival + 1e-6)
    }
    // Nobody is faster than a motorway allows, and nobody jumps.
    for (a, b) in zip(truth.positions, truth.positions.dropFirst()) {
      #expect(a.distance(to: b) < 31)
    }
  }

  @Test("a tourist walks from place to place and back, rarely for minutes only")
  func tourist() throws {
    for index in 0..<4 {
      let truth = device(index, .tourist, days: 1).truth
      let kinds = truth.stays.map(\.kind)
      #expect(kinds.first == .home && kinds.last == .home, "seed 7, device \(index)")
      let places = truth.stays.filter { $0.kind != .home }
      #expect(3...12 ~= places.count, "seed 7, device \(index)")
      #expect(places.allSatisfy { $0.isLong || $0.kind == .wait })
      #expect(Set(kinds).isSubset(of: [.home, .sight, .cafe, .shop, .restaurant, .park, .mall]))
      // On foot all day: 1.6 m/s, a tenth more at times.
      for (a, b) in zip(truth.positions, truth.positions.dropFirst()) {
        #expect(a.distance(to: b) < 1.8)
      }
    }
  }

  @Test("a ferry has reception all the way, after a wait that is not a required stay")
  func ferry() throws {
    let truth = device(0, .ferry).truth
    let wait = try #require(truth.stays.first { $0.kind == .wait })
    #expect(wait.environment == .open && !wait.isLong)
    let speeds = truth.velocities.map(\.length)
    #expect(try #require(speeds.max()) < 8.01)
    // Some kilometres without a halt, in the open.
    let start = try #require(speeds.indices.first { speeds[$0] > 4 })
    let end = try #require(speeds.indices.first { $0 > start && speeds[$0] < 4 })
    #expect(truth.positions[start].distance(to: truth.positions[end]) > 3000)
    #expect(truth.environments[start..<end].allSatisfy { $0 == .open })
  }

  @Test("in the mix every profile occurs with every sampling, both for tuning and for testing")
  func mix() {
    #expect(Set(LifeProfile.mixed) == Set(LifeProfile.allCases))
    let settings = SimulationSettings()
    var combinations: Set<[String]> = []
    // Twelve rounds: each of six samplings for tuning and for testing.
    for index in 0..<144 {
      let assignment = settings.assignment(of: index)
      combinations.insert([
        assignment.profile.rawValue, assignment.sampling.name, "\(assignment.isForTuning)",
      ])
    }
    #expect(combinations.count == LifeProfile.allCases.count * settings.samplings.count * 2)
  }

  @Test("devices of one profile have every sampling")
  func oneProfile() {
    var settings = SimulationSettings()
    settings.profiles = [.bus]
    let castings = (0..<12).map(settings.assignment)
    #expect(Set(castings.map { "\($0.sampling.name) \($0.isForTuning)" }).count == 12)
  }

  @Test("without noise every fix is true, in order, once")
  func noNoise() throws {
    let device = device(noise: .none)
    #expect(device.fixes.count > 8600)
    for (fix, second) in zip(device.fixes, device.fixSeconds) {
      let state = try #require(device.truth.path.state(at: second))
      #expect(fix.time == device.start.advanced(bySeconds: second))
      #expect(fix.coordinate.distance(to: state.coordinate) < 0.001)
    }
  }

  @Test("the correlated error has the sigma of its environment and the quality of the phone")
  func sigma() {
    let device = device(0, .walker, .interval(10), days: 5)
    var phone = device.phone
    var measurements = phone.measurements(of: device.truth)
    phone.addCorrelatedError(&measurements)
    let home = measurements.filter { $0.environment.isIndoor && $0.sigma > 0 }
    let squares = home.map { measurement in
      let error = measurement.truth.distance(to: measurement.measured) / measurement.sigma
      return error * error / 2
    }
    let variance = squares.reduce(0, +) / Double(squares.count)
    // 1 for the correlated part and 0.3² for the white part.
    #expect(abs(variance - 1.09) < 0.35, "seed 7: \(variance)")
  }

  @Test("the phone sleeps at night, and has no reception in a tunnel")
  func gaps() {
    let rider = device(0, .subway, .interval(1))
    let tunnel = rider.truth.environments.indices.filter {
      rider.truth.environments[$0] == .covered
    }
    #expect(!tunnel.isEmpty)
    #expect(Set(rider.fixSeconds.map { Int($0) }).isDisjoint(with: tunnel))
    let sleepers = (0..<8).map { device($0) }.filter(\.phone.dozes)
    #expect(!sleepers.isEmpty)
    for sleeper in sleepers {
      #expect(sleeper.fixSeconds.count(before: 6 * 3600) < 6 * 360 / 2)
    }
  }

  @Test("some fixes come twice, some late")
  func delivery() {
    let fixes = device(0, .walker, .interval(1)).fixes.compactMap(\.time)
    let pairs = zip(fixes, fixes.dropFirst())
    #expect(pairs.contains { $0 == $1 })
    #expect(pairs.contains { $0 > $1 })
  }

  @Test("adaptive sampling takes few fixes at rest")
  func adaptive() {
    #expect(device(0, .walker, .adaptive).fixes.count < device().fixes.count / 3)
  }

  @Test(
    "every format reads back as the fixes that were written", arguments: SimulationFormat.allCases)
  func formats(format: SimulationFormat) throws {
    let device = device(0, .homebody, .interval(60))
    let path = "/tmp/waymark-simulation-\(getpid())-\(format.rawValue)"
    let file = try OutputFile(path: path)
    var bytes = device.fixesFile(format)
    try file.write(&bytes)
    try file.close()
    defer { unlink(path) }
    var reader = try TraceReader(path: path)
    var batch = TraceBatch()
    var points: [TracePoint] = []
    while try reader.read(into: &batch) {
      points += batch.points
    }
    #expect(points.count == device.fixes.count)
    for (point, fix) in zip(points, device.fixes) {
      #expect(point.fix.time == fix.time)
      #expect(point.fix.coordinate.distance(to: fix.coordinate) < 0.02)
      #expect(abs((point.fix.horizontalAccuracy ?? 0) - (fix.horizontalAccuracy ?? -9)) < 0.06)
    }
  }

  @Test("a config is valid and contains the fences of the truth")
  func configuration() throws {
    let device = device()
    let path = "/tmp/waymark-simulation-\(getpid()).yaml"
    let file = try OutputFile(path: path)
    var bytes = device.configurationFile
    try file.write(&bytes)
    try file.close()
    defer { unlink(path) }
    let configuration = try Configuration(path: path)
    #expect(configuration.device == device.name)
    #expect(configuration.fences.map(\.id) == device.fences.map(\.id))
  }
}
