import Geodesy
import Testing
import Tracking

@testable import Simulation

private func device(
  _ kind: DeviceKind, _ index: Int = 0, sampling: SamplingRule? = nil, noise: NoiseLevel = .normal,
  days: Int = 1, seed: UInt64 = 7, without: Set<FixField> = []
) -> SimulatedDevice {
  var settings = SimulationSettings()
  settings.kind = kind
  settings.samplings = sampling.map { [$0] } ?? kind.samplings
  (settings.noise, settings.days, settings.seed) = (noise, days, seed)
  settings.omitted = without
  return SimulatedDevice(index, of: settings)
}

/// Seconds from each fix to the next, in order of time.
private func steps(_ device: SimulatedDevice) -> [Double] {
  let times = device.fixes.compactMap { $0.time?.seconds(since: device.start) }.sorted()
  return zip(times, times.dropFirst()).map { $1 - $0 }
}

private func files(of device: SimulatedDevice) -> [[UInt8]] {
  [
    device.fixesFile(.gpx), device.configurationFile, device.fencesFile, device.visitLines,
    device.crossingLines, device.trackFile, device.summary,
  ]
}

@Suite("Simulated devices other than phones")
struct DeviceKindTests {
  @Test(
    "the same seed gives the same bytes, another seed different ones",
    arguments: DeviceKind.allCases)
  func determinism(kind: DeviceKind) {
    let first = files(of: device(kind))
    #expect(files(of: device(kind)) == first)
    #expect(files(of: device(kind, seed: 8))[0] != first[0])
  }

  @Test(
    "every kind has crossings and stays that are required, and whole days",
    arguments: DeviceKind.allCases)
  func required(kind: DeviceKind) {
    let devices = (0..<4).map { device(kind, $0, days: kind.usualDays) }
    for device in devices {
      #expect(device.truth.positions.count == kind.usualDays * 86_400)
      #expect(!device.fences.isEmpty)
      for (stay, next) in zip(device.truth.stays, device.truth.stays.dropFirst()) {
        #expect(stay.departure <= next.arrival + 1e-6)
      }
    }
    let crossings = devices.flatMap { device in device.fences.map(device.crossings(of:)) }
    let count = crossings.flatMap(\.passages).filter(\.isRequired).count
    #expect(count >= 8, "seed 7: \(count)")
    #expect(devices.contains { device in device.truth.stays.contains { $0.isLong } })
  }

  @Test(
    "the path at any second is the one that the fixes are taken on",
    arguments: DeviceKind.allCases)
  func path(kind: DeviceKind) throws {
    let device = device(kind, sampling: kind == .boat ? .interval(60) : nil, noise: .none, days: 2)
    for (fix, second) in zip(device.fixes, device.fixSeconds) where kind != .stale {
      let state = try #require(device.truth.path.state(at: second))
      let time = try #require(fix.time)
      guard abs(time.seconds(since: device.start) - second) < 1e-6 else { continue }
      #expect(fix.coordinate.distance(to: state.coordinate) < 0.01)
    }
  }

  @Test("a duty-cycled phone is silent for hours at rest, and reports on the way")
  func dutyCycled() {
    for index in 0..<4 {
      let device = device(.dutyCycled, index, sampling: .interval(10), noise: .none)
      let steps = steps(device)
      #expect(steps.contains { $0 > 3 * 3_600 }, "seed 7, device \(index)")
      let moving = device.fixSeconds.filter { device.truth.velocities[Int($0)].length > 0.8 }
      #expect(Double(moving.count) > 0.3 * Double(device.fixes.count))
      // It wakes late: the first fixes after a silence are on the way, not at its beginning.
      let all = device.truth.velocities.indices.filter {
        device.truth.velocities[$0].length > 0.8 && device.truth.environments[$0] != .covered
      }
      #expect(moving.count * 10 < all.count)
    }
  }

  @Test("a collar takes a fix every few hours, without speed and course")
  func collar() {
    for index in 0..<6 {
      let device = device(.collar, index, days: 14)
      let interval = Double(device.sampling.interval)
      // Some come twice.
      #expect(steps(device).allSatisfy { $0 == 0 || $0 > interval - 200 })
      let due = Double(14 * 86_400) / interval
      #expect(Double(device.fixes.count) > 0.7 * due && Double(device.fixes.count) <= due + 1)
      #expect(device.fixes.allSatisfy { $0.speed == nil && $0.course == nil })
    }
    #expect(device(.collar).name == "d000-collar-h1")
  }

  @Test("a boat at anchor stays on its chain, and only its anchor's dragging leads it out")
  func boat() throws {
    var drags = 0
    for index in 0..<8 {
      let life = BoatLife(days: 2, seed: UInt64(index))
      #expect(life.anchorages.count == 3)
      let stays = life.journey.stays
      drags += stays.filter { $0.kind == .wait }.count
      let first = try #require(stays.first)
      let anchorage = try #require(life.anchorages.first)
      for point in life.journey.points where point.second <= first.departure {
        #expect(abs(point.position.distance(to: anchorage.anchor) - anchorage.chain) < 1e-6)
      }
      for (a, b) in zip(life.journey.points, life.journey.points.dropFirst()) {
        #expect(b.second > a.second)
        // A tide swings 40 m of chain half round in 20 minutes; a sail is faster than 4.2 m/s never.
        #expect(a.position.distance(to: b.position) / (b.second - a.second) < 4.3)
      }
    }
    #expect(4...20 ~= drags, "seeds 0 to 7: \(drags)")
  }

  @Test("network positions claim 65 m, 165 m or 1 to 3 km, and come again to the last digit")
  func network() {
    let device = Self.people[0]
    let claims = device.fixes.compactMap(\.horizontalAccuracy)
    #expect(claims.count == device.fixes.count)
    #expect(claims.allSatisfy { $0 == 65 || $0 == 165 || 1_000...3_000 ~= $0 })
    #expect(Set(device.fixes.map(\.coordinate)).count < device.fixes.count / 2)
    #expect(device.fixes.allSatisfy { $0.speed == nil && $0.course == nil && $0.altitude == nil })
    // At 68 % they err by about half of their claim.
    var shares: [Double] = []
    for index in 0..<6 {
      for measurement in NetworkPositions(.normal, seed: UInt64(index)).measurements(
        of: Self.people[index].truth) where !measurement.isBlind
      {
        let error = measurement.truth.distance(to: measurement.measured)
        shares.append(error / measurement.statedSigma)
      }
    }
    shares.sort()
    let share = shares[shares.count * 68 / 100]
    #expect(0.35...0.75 ~= share, "seeds 0 to 5: \(share)")
  }

  private static let people = (0..<6).map { device(.network, $0) }

  @Test("a phone with old positions wakes where it was, and those show no crossing")
  func stale() {
    var (wakes, old) = (0, 0)
    for index in 0..<6 {
      let device = device(.stale, index, sampling: .interval(10))
      let known = Set(device.fixSeconds)
      let all = device.fixes.compactMap { $0.time?.seconds(since: device.start) }
      old += all.filter { !known.contains($0) }.count
      wakes += steps(device).filter { $0 > 600 }.count
    }
    #expect(wakes > 30)
    #expect(wakes...5 * wakes ~= old, "seed 7: \(old) of \(wakes) wakes")
  }

  @Test("an optional crossing may be reported between the fixes around it, a required one not")
  func optional() throws {
    let device = device(.collar, days: 14)
    let lines = String(decoding: device.crossingLines, as: UTF8.self).split(separator: "\n")
    let pattern = /"time":"([^"]*)","time_first":"([^"]*)","time_last":"([^"]*)","required":(\w+)/
    let rows = try lines.map { try #require($0.firstMatch(of: pattern)).output }
    // RFC 3339 sorts as text.
    #expect(rows.allSatisfy { $0.2 <= $0.1 && $0.1 <= $0.3 })
    #expect(rows.contains { $0.4 == "true" } && rows.contains { $0.4 == "false" })
    for row in rows { #expect(row.4 == "false" || row.2 == row.1 || row.3 == row.1) }
    let wide = rows.filter { $0.4 == "false" && $0.2 < $0.1 && $0.1 < $0.3 }
    #expect(!wide.isEmpty)
  }

  @Test("fields are left out of every format", arguments: SimulationFormat.allCases)
  func without(format: SimulationFormat) {
    func text(_ fields: Set<FixField>) -> String {
      let device = device(.phone, sampling: .interval(60), without: fields)
      return String(decoding: device.fixesFile(format), as: UTF8.self)
    }
    let (all, bare) = (text([]), text(Set(FixField.allCases)))
    let (names, rows) = (["accuracy", "speed", "course", "ele"], bare.split(separator: "\n"))
    if format == .csv {
      #expect(rows.dropFirst().allSatisfy { $0.hasSuffix(",,,,") })
    } else {
      for name in names.dropLast(format == .gpx ? 0 : 1) {
        #expect(all.contains("\(name)\(format == .gpx ? ">" : "\"")"), "\(name)")
        #expect(!bare.contains("\(name)\(format == .gpx ? ">" : "\"")"), "\(name)")
      }
    }
    #expect(rows.count == all.split(separator: "\n").count)
  }

  @Test("fields that are left out change nothing else")
  func withoutOthers() {
    let (all, bare) = (device(.boat), device(.boat, without: [.accuracy]))
    #expect(all.fixes.map(\.coordinate) == bare.fixes.map(\.coordinate))
    #expect(all.fixes.map(\.speed) == bare.fixes.map(\.speed))
    #expect(all.crossingLines == bare.crossingLines && all.visitLines == bare.visitLines)
  }
}
