internal import Geodesy

extension VisitMonitor {
  /// Writes the state, of the trail no more than is still looked at.
  func pack(into packer: inout Packer) {
    packer.put(flags: map != nil, stay != nil, hasMoved, takesFixes, ended != nil)
    guard let map else { return }
    packer.put(map.origin.latitude)
    packer.put(map.origin.longitude)
    if let ended { packer.put(time: ended) }
    packer.put(gap)
    stay?.pack(into: &packer)
    trail.pack(from: min(first, stay?.last ?? first), into: &packer)
    packer.put(count: trail.end - first)
  }

  /// Reads it back into the storage that is there.
  mutating func unpack(from unpacker: inout Unpacker) throws(PackedStateError) {
    let flags = try unpacker.takeFlags(5)
    guard flags[0] else {
      self = VisitMonitor()
      return
    }
    map = LocalFrame(origin: try unpacker.takeCoordinate())
    (hasMoved, takesFixes) = (flags[2], flags[3])
    ended = flags[4] ? try unpacker.takeTime() : nil
    gap = try unpacker.take(Double.self)
    stay = flags[1] ? try Stay(unpacking: &unpacker) : nil
    try trail.unpack(from: &unpacker)
    first = trail.end - (try unpacker.takeCount())
    guard isValid else { throw PackedStateError() }
  }
}

extension VisitMonitor.Stay {
  fileprivate func pack(into packer: inout Packer) {
    packer.put(flags: isArrivalSeen, away != nil)
    packer.put(time: arrival)
    packer.put(center.x)
    packer.put(center.y)
    packer.put(sigma)
    packer.put(weight)
    packer.put(spread)
    packer.put(count: last)
    packer.put(time: lastTime)
    if let away { packer.put(time: away) }
    packer.put(count: awayCount)
  }

  fileprivate init(unpacking unpacker: inout Unpacker) throws(PackedStateError) {
    let flags = try unpacker.takeFlags(2)
    let arrival = try unpacker.takeTime()
    let center = try unpacker.takeVector()
    let (sigma, weight) = (try unpacker.take(Double.self), try unpacker.take(Double.self))
    let spread = try unpacker.take(Double.self)
    self.init(
      arrival: arrival, isArrivalSeen: flags[0], center: center, sigma: sigma, weight: weight,
      spread: spread, last: try unpacker.takeCount(), lastTime: try unpacker.takeTime())
    away = flags[1] ? try unpacker.takeTime() : nil
    awayCount = try unpacker.takeCount()
  }
}

extension Trail {
  /// Writes the points that are still looked at when what is asked begins at `first` or later.
  fileprivate func pack(from first: Int, into packer: inout Packer) {
    let needed = needed(from: first)
    packer.put(count: needed)
    packer.put(count: end - needed)
    for number in needed..<end {
      let point = self[number]
      packer.put(time: point.time)
      packer.put(point.place.x)
      packer.put(point.place.y)
      packer.put(point.sigma)
      packer.put(point.speed)
      packer.put(point.stillness)
      packer.put(point.fix.x)
      packer.put(point.fix.y)
      packer.put(point.fixSigma)
    }
  }

  fileprivate mutating func unpack(from unpacker: inout Unpacker) throws(PackedStateError) {
    begin(at: try unpacker.takeCount())
    for _ in 0..<(try unpacker.takeLength()) {
      let time = try unpacker.takeTime()
      let place = try unpacker.takeVector()
      let (sigma, speed) = (try unpacker.take(Double.self), try unpacker.take(Double.self))
      let stillness = try unpacker.take(Double.self)
      let fix = try unpacker.takeVector()
      restore(
        Point(
          time: time, place: place, sigma: sigma, speed: speed, stillness: stillness, fix: fix,
          fixSigma: try unpacker.take(Double.self)))
    }
  }
}
