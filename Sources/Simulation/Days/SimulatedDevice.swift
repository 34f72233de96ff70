package import Geodesy
package import Tracking

/// What to simulate.
package struct SimulationSettings: Sendable {
  package var seed: UInt64 = 7
  /// Days of each device, at least 1.
  package var days = 1
  /// At least 1.
  package var devices = 6
  /// Assigned in turn.
  package var profiles = LifeProfile.mixed
  /// Assigned in turn.
  package var samplings: [SamplingRule] = SamplingRule.mixed
  package var noise = NoiseLevel.normal
  package var kind = DeviceKind.phone
  /// What the fixes do not state.
  package var omitted: Set<FixField> = []

  package init() {}

  /// The profile, sampling and split of a device, by its index (from 0).
  ///
  /// The samplings shift from round to round at half the pace of the split, so every combination of
  /// profile, sampling and split occurs.
  func assignment(of index: Int) -> (
    profile: LifeProfile, sampling: SamplingRule, isForTuning: Bool
  ) {
    let (round, turn) = index.quotientAndRemainder(dividingBy: max(1, profiles.count))
    return (
      profiles[turn], samplings[(turn + round / 2) % max(1, samplings.count)],
      (turn + round).isMultiple(of: 2)
    )
  }
}

extension SamplingRule {
  /// From the most usual to the rarest.
  package static let mixed: [SamplingRule] = [
    .interval(10), .interval(30), .interval(60), .adaptive, .interval(5), .interval(1),
  ]
}

/// A simulated device: its true days, its fixes, and its fences.
package struct SimulatedDevice: Sendable {
  package let name: String
  /// Half of the devices are for tuning, the rest for testing.
  package let isForTuning: Bool
  package let profile: LifeProfile
  package let sampling: SamplingRule
  package let days: Int
  package let kind: DeviceKind
  /// In order of arrival.
  package let fixes: [Fix]
  let truth: TrueDays
  let phone: PhoneReceiver
  /// The times of its fixes, in order, seconds after the start.
  let fixSeconds: [Double]
  let fences: [FencePlacement.SimulatedFence]

  /// The device of an index (from 0) with these settings; the same on every machine.
  package init(_ index: Int, of settings: SimulationSettings) {
    (profile, sampling, isForTuning) = settings.assignment(of: index)
    (days, kind) = (settings.days, settings.kind)
    let number = String(index)
    let zeros = String(repeating: "0", count: max(0, 3 - number.count))
    let parts = [
      kind == .phone ? nil : kind.rawValue, kind == .network ? nil : sampling.name,
      kind.isCarried ? profile.rawValue : nil,
    ]
    name = (["d\(zeros)\(number)"] + parts.compactMap { $0 }).joined(separator: "-")

    var random = SeededGenerator(seed: settings.seed, purpose: Purpose.device &+ UInt64(index) << 8)
    let seed = random.next()
    let plan = Self.plan(index, &random)
    let anchorages: [BoatLife.Anchorage]
    (truth, anchorages) = Self.days(settings, profile, plan, seed: seed)
    phone = PhoneReceiver(settings.noise, sampling, kind: kind, seed: seed)
    let record = phone.record(truth, seed: seed)
    fixes = record.fixes.map { $0.without(settings.omitted) }
    fixSeconds = record.seconds
    fences = FencePlacement(on: truth, kind: kind, anchorages: anchorages, seed: seed).fences
  }

  /// The true days, and where anchors were dropped.
  private static func days(
    _ settings: SimulationSettings, _ profile: LifeProfile, _ plan: Plan, seed: UInt64
  ) -> (TrueDays, [BoatLife.Anchorage]) {
    func days(_ journey: Journey) -> TrueDays? {
      TrueDays(journey, start: plan.start, at: plan.origin, days: settings.days, seed: seed)
    }
    switch settings.kind {
    case .boat:
      let life = BoatLife(days: settings.days, seed: seed)
      if let truth = days(life.journey) { return (truth, life.anchorages) }
    case .collar:
      let life = AnimalLife(days: settings.days, seed: seed)
      if let truth = days(life.journey) { return (truth, []) }
    case .phone, .dutyCycled, .network, .stale: break
    }
    var person = SimulatedPerson(profile, plan: plan, seed: seed)
    return (TrueDays(person.simulate(days: settings.days), days: settings.days), [])
  }

  /// The start of the days.
  package var start: Timestamp { truth.path.start }

  /// The areas of its fences.
  package var circles: [Circle] {
    fences.map { Circle(center: coordinate($0.centre), radius: $0.radius) }
  }

  /// True crossings of a fence.
  func crossings(of fence: FencePlacement.SimulatedFence) -> FenceTruth {
    let frame = LocalFrame(origin: coordinate(fence.centre))
    let town = truth.town.frame
    // On the town's map the distance is accurate to a millionth at these lengths; the fence's frame
    // gives the exact one where the edge is near.
    let distances = truth.positions.map { position in
      let rough = position.distance(to: fence.centre) - fence.radius
      guard abs(rough) < Self.nearEdge else { return rough }
      return frame.vector(to: town.coordinate(at: position)).length - fence.radius
    }
    return FenceTruth(
      distances: distances, radius: fence.radius, fixes: fixSeconds,
      interval: Double(sampling.interval),
      depth: kind == .network ? Self.networkDepth : FenceTruth.depth
    ) { second in
      guard let state = truth.path.state(at: second) else { return 0 }
      return frame.vector(to: state.coordinate).length - fence.radius
    }
  }

  private static let nearEdge = 30.0
  /// How deep a passage must reach to show in positions that claim 65 or 165 m, metres.
  private static let networkDepth = 100.0

  /// As written to the files, with 7 decimals of a degree (1 cm), so that the truth refers to the
  /// fence in the files.
  func coordinate(_ position: Vector) -> Coordinate {
    let exact = truth.town.frame.coordinate(at: position)
    return Coordinate(
      latitude: (exact.latitude * 1e7).rounded() / 1e7,
      longitude: (exact.longitude * 1e7).rounded() / 1e7)
  }

  /// A town somewhere on Earth, starting on a Monday at midnight of its own time (by longitude).
  private static func plan(_ index: Int, _ random: inout SeededGenerator) -> Plan {
    let city = random.choice(of: cities, otherwise: cities[0])
    let isAtEdge = abs(city.longitude) > 179
    let east = random.uniform(isAtEdge ? -0.004...0.004 : -0.05...0.05)
    let origin = Coordinate(
      latitude: city.latitude + random.uniform(-0.05...0.05), longitude: city.longitude + east)
    let zone = (origin.longitude / 15).rounded() * 3600
    let start = firstMonday.advanced(bySeconds: Double(index % 20) * 7 * 86_400 - zone)
    return Plan(start: start, at: origin)
  }

  /// 2025-03-10T00:00:00Z.
  private static let firstMonday = Timestamp(nanoseconds: 1_741_564_800_000_000_000)

  /// North and south, east and west, near the equator, a polar circle, the antimeridian and
  /// Greenwich.
  private static let cities = [
    (52.5200, 13.4050), (48.8566, 2.3522), (37.7749, -122.4194), (-33.8688, 151.2093),
    (35.6762, 139.6503), (1.3521, 103.8198), (59.3293, 18.0686), (-1.2921, 36.8219),
    (64.1466, -21.9426), (40.4168, -3.7038), (-16.5000, 179.9950), (51.4779, 0.0012),
  ].map { Coordinate(latitude: $0.0, longitude: $0.1) }
}
