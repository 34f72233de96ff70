internal import Geodesy

extension Motion {
  /// Writes the filter, and what is kept so that late fixes can be put in their place if they can
  /// still come.
  func pack(into packer: inout Packer, keepsHistory: Bool) {
    packer.put(
      flags: filter != nil, map != nil, horizon != nil, keepsHistory && start != nil,
      keepsHistory && middle != nil)
    if let map {
      packer.put(map.origin.latitude)
      packer.put(map.origin.longitude)
    }
    if let horizon { packer.put(time: horizon) }
    filter?.pack(into: &packer)
    guard keepsHistory else { return packer.put(count: 0) }
    packer.put(count: recent.count)
    start?.pack(into: &packer)
    middle?.pack(into: &packer)
    guard !recent.isEmpty else { return }
    packer.put(count: middleCount)
    for sighting in recent { sighting.pack(into: &packer) }
  }

  /// Reads it back into the storage that is there.
  mutating func unpack(from unpacker: inout Unpacker) throws(PackedStateError) {
    let flags = try unpacker.takeFlags(5)
    map = flags[1] ? LocalFrame(origin: try unpacker.takeCoordinate()) : nil
    horizon = flags[2] ? try unpacker.takeTime() : nil
    filter = flags[0] ? try MotionFilter(unpacking: &unpacker) : nil
    recent.removeAll(keepingCapacity: true)
    let count = try unpacker.takeLength()
    start = flags[3] ? try MotionFilter(unpacking: &unpacker) : nil
    middle = flags[4] ? try MotionFilter(unpacking: &unpacker) : nil
    middleCount = 0
    guard count > 0 else { return }
    middleCount = try unpacker.takeCount()
    guard middleCount <= count else { throw PackedStateError() }
    for _ in 0..<count { recent.append(try Sighting(unpacking: &unpacker)) }
  }
}

extension MotionFilter {
  fileprivate func pack(into packer: inout Packer) {
    mixture.pack(into: &packer)
    packer.put(flags: !challenger.isEmpty)
    for rival in challenger {
      rival.mixture.pack(into: &packer)
      rival.last.pack(into: &packer)
      packer.put(time: rival.since)
      packer.put(rival.gap)
      packer.put(count: rival.count)
    }
  }

  fileprivate init(unpacking unpacker: inout Unpacker) throws(PackedStateError) {
    let mixture = try Mixture(unpacking: &unpacker)
    self.init(mixture.last)
    self.mixture = mixture
    guard try unpacker.takeFlags(1)[0] else { return }
    let contender = try Mixture(unpacking: &unpacker)
    var rival = Challenger(try Sighting(unpacking: &unpacker), gap: 0)
    rival.mixture = contender
    rival.since = try unpacker.takeTime()
    rival.gap = try unpacker.take(Double.self)
    rival.count = try unpacker.takeCount()
    challenger = [rival]
  }
}
