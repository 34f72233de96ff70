internal import Geodesy
internal import Packing

/// The last fixes since an edge came near, and the filter before them: they give the time at which the
/// edge was crossed (``Motion/smoothedPath(since:)``).
///
/// Older fixes are thinned, so a slow drift across an edge stays in the window for minutes. It is
/// empty while no edge is near, so its contents do not depend on how long the device was elsewhere or
/// on whether it was packed.
struct SmoothingWindow: Sendable, Hashable, Codable {
  /// The filter before the first of the measurements; nil when that was the first of all.
  var start: MotionFilter? { hasStart ? first : nil }
  private(set) var measurements: [FixMeasurement] = []
  /// The filter before ``middlePlace``; nil while there is none.
  var middle: MotionFilter? { middlePlace > 0 ? second : nil }
  /// How many of the measurements come before the second filter; 0 while there is none.
  private(set) var middlePlace = 0
  // Not optionals: those of this size would be copied and destroyed through their type's witnesses at
  // every fix. The storage stays, and is valid only with the flag or the place.
  private var first = MotionFilter(mixture: .blank)
  private var second = MotionFilter(mixture: .blank)
  private var hasStart = false
  /// What the filter held at the last measurements, ``dense`` or more once there are so many.
  ///
  /// A run of the filter over the measurements would give the same, so they are not part of the state.
  private var passed: [Modes] = []
  /// Whether the filter has passed just the measurements since the first, and since the second filter.
  private var hasPassed = (all: false, second: false)

  /// The number of last fixes that are all kept; older ones closer in time than ``spacing`` seconds are
  /// thinned.
  private static let dense = 16
  private static let spacing = 15.0
  /// Most fixes that are kept, and after how many the second filter is kept.
  private static let most = 80
  private static let half = 48
  /// Older fixes farther away than this do not matter for an edge that is near, metres.
  static let reach = 150.0

  var isEmpty: Bool { measurements.isEmpty }

  /// What the filter holds at the measurements from the last one before a time on, but for the very last;
  /// without a time from the first on.
  ///
  /// - Precondition: there are two measurements or more.
  func modes(since time: Timestamp?) -> (place: Int, modes: ArraySlice<Modes>) {
    let last = measurements.count - 1
    var first = 0
    if let time, middlePlace > 0, measurements[middlePlace].time < time { first = middlePlace }
    let place =
      time.flatMap { time in (first..<last).last { measurements[$0].time < time } } ?? first
    let count = measurements.count - place
    if first > 0 ? hasPassed.second : hasPassed.all, count <= passed.count {
      return (place, passed.suffix(count).dropLast())
    }
    return (place, run(from: first, keepsFrom: place)[...])
  }

  /// Runs the filter over the measurements from the first one or the second filter on, but for the very last.
  private func run(from first: Int, keepsFrom place: Int) -> [Modes] {
    let start = first > 0 ? middle : start
    var filter = start ?? MotionFilter(measurements[first])
    var modes: [Modes] = []
    modes.reserveCapacity(measurements.count - 1 - place)
    for index in first..<measurements.count - 1 {
      if index > first || start != nil { filter.update(measurements[index]) }
      if index >= place { modes.append(filter.mixture.modes) }
    }
    return modes
  }

  /// Adds the first measurement, after ``begin(with:)``, and the modes of the filter with it.
  mutating func open(with measurement: FixMeasurement, _ modes: Modes) {
    measurements.append(measurement)
    hasPassed = (true, false)
    passed.append(modes)
  }

  /// Takes the modes of the filter with the last measurement.
  mutating func pass(_ modes: Modes) {
    guard hasPassed.all || hasPassed.second else { return }
    if passed.count == 2 * Self.dense { passed.removeFirst(Self.dense) }
    passed.append(modes)
  }

  /// The filter is another one than a run over the measurements would give.
  mutating func leavePath() {
    if !passed.isEmpty { passed.removeAll(keepingCapacity: true) }
    hasPassed = (false, false)
  }

  /// Adds a measurement that is later than all before; there is at least one.
  ///
  /// Fixes older than the last 16 are kept 15 s apart, at most 80 in all. One that is thinned is
  /// not used for the path. The older ones are dropped together: then the window begins with the
  /// second filter, so no fix is filtered twice.
  ///
  /// - Parameter filter: before the measurement; not changed, only inout so that it is not copied.
  mutating func append(_ measurement: FixMeasurement, after filter: inout MotionFilter?) {
    let isFar = Self.isBehind(measurements[0], measurement, &filter)
    if middlePlace == 0, measurements.count >= (isFar ? Self.dense : Self.half),
      filter?.copy(over: &second) != nil
    {
      middlePlace = measurements.count
      hasPassed.second = true
    }
    measurements.append(measurement)
    thin()
    if isFar { dropOlder() }
    limit()
  }

  /// Whether the device is far away from the first fix: by a new one, and by the estimate before it, which
  /// the new one may contradict.
  private static func isBehind(
    _ first: FixMeasurement, _ measurement: FixMeasurement, _ filter: inout MotionFilter?
  ) -> Bool {
    let place = Vector(x: measurement.x, y: measurement.y)
    guard first.isFar(from: place, reach), let estimate = filter?.place else { return false }
    return first.isFar(from: estimate, reach)
  }

  /// Drops the fixes before the second filter, if enough follow it.
  private mutating func dropOlder() {
    guard middlePlace > 0, measurements.count - middlePlace >= Self.dense else { return }
    measurements.removeFirst(middlePlace)
    second.copy(over: &first)
    (hasStart, middlePlace) = (true, 0)
    hasPassed = (hasPassed.second, false)
  }

  /// Drops the older fixes when there are too many; the first one when late ones leave no other way.
  private mutating func limit() {
    guard measurements.count > Self.most else { return }
    dropOlder()
    guard measurements.count > Self.most else { return }
    measurements.removeFirst()
    middlePlace = max(0, middlePlace - 1)
    hasPassed.all = false
  }

  /// Removes the fix that is no longer one of the last when it is close in time to the one before it.
  private mutating func thin() {
    let aged = measurements.count - Self.dense
    guard aged >= 2,
      measurements[aged - 1].time.seconds(since: measurements[aged - 2].time) < Self.spacing
    else { return }
    measurements.remove(at: aged - 1)
    hasPassed.all = false
    if aged - 1 < middlePlace { middlePlace -= 1 } else { hasPassed.second = false }
  }

  /// Takes the filter as it is before the first measurement.
  ///
  /// It is not changed; it is inout only so that it is not copied twice.
  mutating func begin(with start: inout MotionFilter?) {
    hasStart = start?.copy(over: &first) != nil
  }

  /// Takes the second filter.
  private mutating func `continue`(with middle: inout MotionFilter?, at place: Int) {
    middlePlace = middle?.copy(over: &second) == nil ? 0 : place
  }

  /// Inserts a late measurement in order, unless it is before the first.
  mutating func insert(_ measurement: FixMeasurement) {
    leavePath()
    guard let first = measurements.first, first.time < measurement.time else { return }
    let place =
      measurements.firstIndex { $0.time >= measurement.time } ?? measurements.count
    if place < measurements.count, measurements[place].time == measurement.time { return }
    measurements.insert(measurement, at: place)
    // The second filter does not know it.
    if place <= middlePlace { middlePlace = 0 }
    limit()
  }

  /// No edge is near.
  mutating func clear() {
    if !measurements.isEmpty { measurements.removeAll(keepingCapacity: true) }
    (hasStart, middlePlace) = (false, 0)
    leavePath()
  }

  /// Moves the state to another map.
  mutating func move(_ change: MapChange) {
    leavePath()
    if hasStart { first.move(change) }
    if middlePlace > 0 { second.move(change) }
    for index in measurements.indices { measurements[index].move(change) }
  }

  /// Whether this is a valid state at a time; a state that was read may be invalid.
  func isValid(at time: Timestamp) -> Bool {
    guard measurements.count <= Self.most, start == nil || !measurements.isEmpty else {
      return false
    }
    guard middlePlace == 0 || measurements.indices.contains(middlePlace) else { return false }
    return measurements.allSatisfy { $0.time <= time }
      && zip(measurements, measurements.dropFirst()).allSatisfy { $0.time < $1.time }
      && isValid(start, before: 0) && isValid(middle, before: middlePlace)
  }

  private func isValid(_ filter: MotionFilter?, before place: Int) -> Bool {
    guard let filter else { return true }
    let time = measurements[place].time
    return filter.isValid(at: time) && filter.mixture.last.time < time
  }

  /// Codes it, without a start when it is empty.
  static func code<Coder: StateCoder>(
    _ value: inout SmoothingWindow, lastFix: FixMeasurement?, _ coder: inout Coder
  ) {
    var length = value.measurements.count
    coder.code(length: &length)
    coder.code(elements: length, of: &value.measurements)
    var (hasStart, hasMiddle) = (value.hasStart, value.middlePlace > 0)
    if length > 0 {
      coder.code(flags: &hasStart, &hasMiddle)
    } else if Coder.isReading {
      (hasStart, hasMiddle) = (false, false)
    }
    if hasStart { value.first.code(lastFix: lastFix, &coder) }
    if hasMiddle { value.second.code(lastFix: lastFix, &coder) }
    var place = value.middlePlace
    if hasMiddle { coder.code(count: &place) }
    if Coder.isReading {
      (value.hasStart, value.middlePlace) = (hasStart, hasMiddle ? place : 0)
      value.leavePath()
    }
  }
}

extension SmoothingWindow {
  private enum CodingKeys: CodingKey { case start, measurements, middle, middlePlace }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    var start = try values.decodeIfPresent(MotionFilter.self, forKey: .start)
    begin(with: &start)
    measurements = try values.decode([FixMeasurement].self, forKey: .measurements)
    // Checkpoints of 0.2.0 have none.
    var middle = try values.decodeIfPresent(MotionFilter.self, forKey: .middle)
    let place = try values.decodeIfPresent(Int.self, forKey: .middlePlace)
    self.continue(with: &middle, at: place ?? 0)
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(start, forKey: .start)
    try values.encode(measurements, forKey: .measurements)
    try values.encodeIfPresent(middle, forKey: .middle)
    if middlePlace > 0 { try values.encode(middlePlace, forKey: .middlePlace) }
  }

  static func == (a: Self, b: Self) -> Bool {
    a.measurements == b.measurements && a.start == b.start && a.middlePlace == b.middlePlace
      && a.middle == b.middle
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(measurements)
    hasher.combine(start)
    hasher.combine(middlePlace)
  }
}
