internal import Packing

/// The last fixes since an edge came near, and the filter before them: they give the time at which the
/// edge was crossed (``Motion/smoothedPath(since:)``).
///
/// Older fixes are thinned, so a slow drift across an edge stays in the window for ten minutes. It is
/// empty while no edge is near, so its contents do not depend on how long the device was elsewhere or
/// on whether it was packed.
struct SmoothingWindow: Sendable, Hashable, Codable {
  /// The filter before the first of the measurements; nil when that was the first of all.
  var start: MotionFilter? { hasStart ? filter : nil }
  private(set) var measurements: [FixMeasurement] = []
  // Not an optional: one of this size would be copied and destroyed through its type's witnesses at
  // every fix. The storage stays, and is valid only with the flag.
  private var filter = MotionFilter(mixture: .blank)
  private var hasStart = false

  /// The number of last fixes that are all kept; older ones closer in time than ``spacing`` seconds are
  /// thinned.
  private static let dense = 16
  private static let spacing = 15.0
  /// Most fixes that are kept, and how many are dropped at a time.
  private static let most = 56
  private static let dropped = 8
  /// Older fixes farther away than this do not matter for an edge that is near, metres.
  static let reach = 150.0

  var isEmpty: Bool { measurements.isEmpty }

  /// Adds a measurement that is later than all before; the first one after ``begin(with:)``.
  ///
  /// Fixes older than the last 16 are kept 15 s apart, at most 56 in all. One that is thinned is
  /// not used for the path. One that is dropped at the front is used by the filter before the
  /// window.
  mutating func append(_ measurement: FixMeasurement) {
    measurements.append(measurement)
    let aged = measurements.count - Self.dense
    if aged >= 2,
      measurements[aged - 1].time.seconds(since: measurements[aged - 2].time) < Self.spacing
    {
      measurements.remove(at: aged - 1)
    }
    if measurements.count > Self.dense, measurements[0].isFar(from: measurement, Self.reach) {
      drop(1)
    } else if measurements.count > Self.most {
      drop(Self.dropped)
    }
  }

  /// Takes the filter as it is before the first measurement.
  ///
  /// It is not changed; it is inout only so that it is not copied twice.
  mutating func begin(with start: inout MotionFilter?) {
    hasStart = start?.copy(over: &filter) != nil
  }

  private mutating func drop(_ count: Int) {
    for measurement in measurements[..<count] {
      if hasStart {
        filter.update(measurement)
      } else {
        filter = MotionFilter(measurement)
        hasStart = true
      }
    }
    measurements.removeFirst(count)
  }

  /// Inserts a late measurement in order, unless it is before the first.
  mutating func insert(_ measurement: FixMeasurement) {
    guard let first = measurements.first, first.time < measurement.time else { return }
    let place =
      measurements.firstIndex { $0.time >= measurement.time } ?? measurements.count
    if place < measurements.count, measurements[place].time == measurement.time { return }
    measurements.insert(measurement, at: place)
    if measurements.count > Self.most { drop(1) }
  }

  /// No edge is near.
  mutating func clear() {
    if !measurements.isEmpty { measurements.removeAll(keepingCapacity: true) }
    hasStart = false
  }

  /// Moves the state to another map.
  mutating func move(_ change: MapChange) {
    if hasStart { filter.move(change) }
    for index in measurements.indices { measurements[index].move(change) }
  }

  /// Whether this is a valid state at a time; a state that was read may be invalid.
  func isValid(at time: Timestamp) -> Bool {
    guard measurements.count <= Self.most, start == nil || !measurements.isEmpty else {
      return false
    }
    return measurements.allSatisfy { $0.time <= time }
      && zip(measurements, measurements.dropFirst()).allSatisfy { $0.time < $1.time }
      && start.map { filter in
        measurements.first.map { filter.isValid(at: $0.time) && filter.mixture.last.time < $0.time }
          ?? false
      } ?? true
  }

  /// Codes it, without a start when it is empty.
  static func code<Coder: StateCoder>(
    _ value: inout SmoothingWindow, lastFix: FixMeasurement?, _ coder: inout Coder
  ) throws(Coder.Failure) {
    var length = value.measurements.count
    try coder.code(length: &length)
    try coder.code(elements: length, of: &value.measurements)
    var hasStart = value.start != nil
    if length > 0 {
      try coder.code(flags: &hasStart)
    } else if Coder.isReading {
      hasStart = false
    }
    var start = value.start
    try coder.code(&start, if: hasStart, lastFix: lastFix)
    if Coder.isReading { value.begin(with: &start) }
  }
}

extension SmoothingWindow {
  private enum CodingKeys: CodingKey { case start, measurements }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    var start = try values.decodeIfPresent(MotionFilter.self, forKey: .start)
    begin(with: &start)
    measurements = try values.decode([FixMeasurement].self, forKey: .measurements)
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(start, forKey: .start)
    try values.encode(measurements, forKey: .measurements)
  }

  static func == (a: Self, b: Self) -> Bool {
    a.measurements == b.measurements && a.start == b.start
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(measurements)
    hasher.combine(start)
  }
}
