internal import Geodesy

extension FenceMonitor {
  /// Writes what is known of fences; of those that are far away there is nothing to write.
  func pack(into packer: inout Packer) {
    packer.put(count: stays.count)
    for stay in stays {
      packer.put(count: stay.fence)
      packer.put(time: stay.since)
      packer.put(optionalTime: stay.dwelt)
    }
    packer.put(flags: fresh.areAll)
    packer.put(count: fresh.list.count)
    for fence in fresh.list { packer.put(count: fence) }
    packer.put(count: undecided.count)
    for entry in undecided {
      packer.put(count: entry.fence)
      packer.put(optionalTime: entry.since)
    }
    packer.put(count: watches.count)
    for watch in watches { watch.pack(into: &packer) }
  }

  /// Reads it back into the storage that is there.
  mutating func unpack(from unpacker: inout Unpacker) throws(PackedStateError) {
    neighbourhood.clear()
    stays.removeAll(keepingCapacity: true)
    for _ in 0..<(try unpacker.takeLength()) {
      var stay = Stay(fence: try unpacker.takeCount(), since: try unpacker.takeTime())
      stay.dwelt = try unpacker.takeOptionalTime()
      stays.append(stay)
    }
    let areAll = try unpacker.takeFlags(1)[0]
    var list: [Int] = []
    for _ in 0..<(try unpacker.takeLength()) { list.append(try unpacker.takeCount()) }
    guard !areAll || list.isEmpty else { throw PackedStateError() }
    fresh = areAll ? .all : FreshFences(list)
    undecided.removeAll(keepingCapacity: true)
    for _ in 0..<(try unpacker.takeLength()) {
      undecided.append(
        Undecided(fence: try unpacker.takeCount(), since: try unpacker.takeOptionalTime()))
    }
    watches.removeAll(keepingCapacity: true)
    for _ in 0..<(try unpacker.takeLength()) { watches.append(try Watch(unpacking: &unpacker)) }
  }
}

extension Watch {
  func pack(into packer: inout Packer) {
    packer.put(count: fence)
    packer.put(time: seen)
    packer.put(flags: crossing != nil, back != nil)
    crossing?.pack(into: &packer)
    back?.pack(into: &packer)
    packer.put(peak)
    packer.put(optionalTime: sure)
    packer.put(optionalTime: turned)
    packer.put(optionalTime: beyond)
  }

  init(unpacking unpacker: inout Unpacker) throws(PackedStateError) {
    self.init(fence: try unpacker.takeCount(), seen: try unpacker.takeTime())
    let flags = try unpacker.takeFlags(2)
    if flags[0] { crossing = try Candidate(unpacking: &unpacker) }
    if flags[1] { back = try Candidate(unpacking: &unpacker) }
    peak = try unpacker.take(Double.self)
    sure = try unpacker.takeOptionalTime()
    turned = try unpacker.takeOptionalTime()
    beyond = try unpacker.takeOptionalTime()
  }
}

extension Watch.Candidate {
  fileprivate func pack(into packer: inout Packer) {
    packer.put(time: moment.time)
    packer.put(time: moment.decided)
    packer.put(moment.coordinate.latitude)
    packer.put(moment.coordinate.longitude)
    packer.put(optional: moment.horizontalAccuracy)
    packer.put(optional: moment.speed)
    packer.put(optional: moment.course)
    packer.put(timeUncertainty)
  }

  fileprivate init(unpacking unpacker: inout Unpacker) throws(PackedStateError) {
    let (time, decided) = (try unpacker.takeTime(), try unpacker.takeTime())
    var fix = Fix(time: time, coordinate: try unpacker.takeCoordinate())
    fix.horizontalAccuracy = try unpacker.takeOptional(Double.self)
    fix.speed = try unpacker.takeOptional(Double.self)
    fix.course = try unpacker.takeOptional(Double.self)
    moment = Moment(fix, time: time, decided: decided)
    timeUncertainty = try unpacker.take(Double.self)
  }
}
