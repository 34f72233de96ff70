internal import Geodesy
internal import Session
internal import Storing
internal import Text
internal import Tracking

/// Where devices are by the events of a store.
///
/// It reads each event once: all of them at first, and later those that were added since.
final class StorePresence: PresenceSource {
  private let path: String
  private let current: CurrentFences
  /// Those of the receiver; nil for all.
  private let wantedFences: Set<String>?
  private let wantedDevices: Set<ExactText>?

  /// Opened when it is first needed, so a check creates no store.
  private var queue: OutboxQueue?
  private var lastSequence: Int64 = 0
  private var devices: [ExactText: Device] = [:]
  private var summaries: (changes: Int, fences: [FenceSummary])?

  /// Events that are read at once.
  private static let batch = 1_000
  /// Former fences that a broker gets, the last ones.
  private static let mostFormerFences = 1_000

  /// The latest, which need not be the last: old tracks may be stored later.
  private struct Device {
    var states: [String: (recency: String, state: Containment)] = [:]
    var position: (recency: String, sequence: Int64)?
  }

  init(_ receiver: ReceiverSettings, store path: String, _ current: CurrentFences) {
    self.path = path
    self.current = current
    wantedFences = receiver.fences
    wantedDevices = receiver.devices
  }

  // MARK: Fences

  func fences() -> [FenceSummary] {
    let (set, changes) = current.current
    if let summaries, summaries.changes == changes { return summaries.fences }
    let wanted = wantedFences.map { $0.compactMap(set.index(ofID:)).sorted() } ?? Array(set.indices)
    let fences = wanted.map { FenceSummary(set[$0]) }
    summaries = (changes, fences)
    return fences
  }

  func formerFences() throws(EntryStoreError) -> [String] {
    // Those in the config stay though the receiver does not want them: another one may.
    let set = current.current.set
    let former = try opened().fenceIDs().filter { set.index(ofID: $0) == nil }
    return Array(former.suffix(Self.mostFormerFences))
  }

  // MARK: Devices

  func presences() throws(EntryStoreError) -> [DevicePresence] {
    try catchUp()
    let known = Set(fences().map(\.id))
    var presences: [DevicePresence] = []
    for (name, device) in devices.sorted(by: { $0.key < $1.key }) {
      presences.append(try presence(name.text, device, known))
    }
    return presences
  }

  func presence(of device: String) throws(EntryStoreError) -> DevicePresence {
    try catchUp()
    return try presence(device, devices[ExactText(device)] ?? Device(), Set(fences().map(\.id)))
  }

  private func presence(
    _ name: String, _ device: Device, _ known: Set<String>
  ) throws(EntryStoreError) -> DevicePresence {
    var event: OutgoingEvent?
    if let position = device.position, let line = try opened().line(at: position.sequence) {
      event = OutgoingEvent(line: line)
    }
    let states = device.states.filter { known.contains($0.key) }.mapValues(\.state)
    return DevicePresence(device: name, states: states, lastEvent: event)
  }

  private func catchUp() throws(EntryStoreError) {
    while true {
      let sightings = try opened().sightings(after: lastSequence, limit: Self.batch)
      for sighting in sightings
      where wantedDevices?.contains(ExactText(sighting.device)) ?? true {
        note(sighting)
      }
      lastSequence = sightings.last?.sequence ?? lastSequence
      if sightings.count < Self.batch { return }
    }
  }

  private func note(_ sighting: OutboxQueue.Sighting) {
    let (name, recency) = (ExactText(sighting.device), sighting.recency)
    if let fence = sighting.fence, let state = sighting.state.flatMap(Containment.init),
      recency >= devices[name]?.states[fence]?.recency ?? ""
    {
      devices[name, default: Device()].states[fence] = (recency, state)
    }
    if sighting.hasPosition, recency >= devices[name]?.position?.recency ?? "" {
      devices[name, default: Device()].position = (recency, sighting.sequence)
    }
  }

  private func opened() throws(EntryStoreError) -> OutboxQueue {
    if let queue { return queue }
    let opened = try OutboxQueue(path)
    queue = opened
    return opened
  }
}

extension FenceSummary {
  fileprivate init(_ fence: Fence) {
    id = fence.id
    switch fence.area {
    case .circle(let circle):
      (latitude, longitude) = (circle.center.latitude, circle.center.longitude)
      radius = circle.radius
    case .polygons:
      let box = fence.area.boundingBox ?? .world
      let width = box.east - box.west + (box.east < box.west ? 360 : 0)
      let middle = box.west + width / 2
      let center = Coordinate(
        latitude: (box.south + box.north) / 2, longitude: middle > 180 ? middle - 360 : middle)
      (latitude, longitude) = (center.latitude, center.longitude)
      let corners = [box.south, box.north].flatMap { latitude in
        [box.west, box.east].map { Coordinate(latitude: latitude, longitude: $0) }
      }
      radius = corners.map { center.distance(to: $0) }.max() ?? 0
    }
  }
}
