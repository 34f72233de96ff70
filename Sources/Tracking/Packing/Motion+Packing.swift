internal import Geodesy

extension Motion {
  /// Writes the filter, and what is kept so that late fixes can be put in their place if they can
  /// still come.
  ///
  /// - Parameters:
  ///   - lastFix: The device's last fix, which is known when this is read again.
  func pack(into packer: inout Packer, keepsHistory: Bool, lastFix: Fix?) {
    packer.put(
      flags: filter != nil, map != nil, horizon != nil, keepsHistory && start != nil,
      keepsHistory && middle != nil)
    if let map {
      packer.put(map.origin.latitude)
      packer.put(map.origin.longitude)
    }
    if let horizon { packer.put(time: horizon) }
    let last = sighting(of: lastFix)
    filter?.pack(into: &packer, lastFix: last)
    guard keepsHistory else { return packer.put(count: 0) }
    packer.put(count: recent.count)
    start?.pack(into: &packer, lastFix: last)
    middle?.pack(into: &packer, lastFix: last)
    guard !recent.isEmpty else { return }
    packer.put(count: middleCount)
    for sighting in recent { sighting.pack(into: &packer) }
  }

  /// Reads it back into the storage that is there.
  mutating func unpack(
    from unpacker: inout Unpacker, lastFix: Fix?
  ) throws(PackedStateError) {
    let flags = try unpacker.takeFlags(5)
    map = flags[1] ? LocalFrame(origin: try unpacker.takeCoordinate()) : nil
    horizon = flags[2] ? try unpacker.takeTime() : nil
    let last = sighting(of: lastFix)
    filter = flags[0] ? try MotionFilter(unpacking: &unpacker, lastFix: last) : nil
    recent.removeAll(keepingCapacity: true)
    let count = try unpacker.takeLength()
    start = flags[3] ? try MotionFilter(unpacking: &unpacker, lastFix: last) : nil
    middle = flags[4] ? try MotionFilter(unpacking: &unpacker, lastFix: last) : nil
    middleCount = 0
    guard count > 0 else { return }
    middleCount = try unpacker.takeCount()
    guard middleCount <= count else { throw PackedStateError() }
    for _ in 0..<count { recent.append(try Sighting(unpacking: &unpacker)) }
  }

  /// What the filter takes of a fix; nil without a fix or a map.
  private func sighting(of fix: Fix?) -> Sighting? {
    guard let map, let fix, let time = fix.time else { return nil }
    return Sighting(fix, at: time, place: map.vector(to: fix.coordinate), on: map)
  }
}

extension MotionFilter {
  fileprivate func pack(into packer: inout Packer, lastFix: Sighting?) {
    mixture.pack(into: &packer, lastFix: lastFix)
    packer.put(flags: !challenger.isEmpty)
    for rival in challenger {
      rival.mixture.pack(into: &packer, lastFix: lastFix)
      rival.last.pack(into: &packer)
      packer.put(time: rival.since)
      packer.put(rival.gap)
      packer.put(count: rival.count)
    }
  }

  fileprivate init(
    unpacking unpacker: inout Unpacker, lastFix: Sighting?
  ) throws(PackedStateError) {
    self.init(mixture: try Mixture(unpacking: &unpacker, lastFix: lastFix))
    guard try unpacker.takeFlags(1)[0] else { return }
    let contender = try Mixture(unpacking: &unpacker, lastFix: lastFix)
    var rival = Challenger(try Sighting(unpacking: &unpacker), gap: 0)
    rival.mixture = contender
    rival.since = try unpacker.takeTime()
    rival.gap = try unpacker.take(Double.self)
    rival.count = try unpacker.takeCount()
    challenger = [rival]
  }
}
