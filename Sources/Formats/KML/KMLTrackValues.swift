import Geodesy
internal import Text
import Traces
import Tracking

/// A `gx:Track`: times, positions and values, which come in lists one after the other.
///
/// The fixes are held until the track ends, as their values come last: a long track is emitted earlier,
/// without them.
struct KMLTrackValues: Sendable {
  /// The line of the next position.
  var line = 0
  /// The device, as an index into ``TraceBatch/devices``; nil when the place names none.
  private let device: Int32?
  private var times: [Timestamp?] = []
  private var timeCount = 0
  /// The number of positions so far, also of empty ones.
  private var count = 0
  private var held: [TracePoint] = []
  /// The index of each held fix among the positions.
  private var places: [Int] = []
  private var isEmitted = false
  private var array: CSVRole?
  private var unit = CSVUnit()
  private var valueCount = 0
  /// The index of the held fix that the next value is of, or of the first one after it.
  private var valueIndex = 0
  private var unreadArrays: [String] = []

  /// The most fixes that are held: 36 hours of one a second, 20 MB.
  private static let limit = 1 << 17
  /// The most times that are held; the fixes after them have none.
  private static let mostTimes = 1 << 22

  init(device: Int32? = nil) { self.device = device }

  mutating func add(time: Timestamp?) {
    timeCount += 1
    if times.count < Self.mostTimes { times.append(time) }
  }

  /// Adds a position; an empty one is no fix.
  mutating func addPosition(
    _ text: borrowing Span<UInt8>, into batch: inout TraceBatch
  ) -> Bool {
    defer { count += 1 }
    if text.isEmpty {
      batch.mark(.otherRecord)
      return true
    }
    guard let fix = KMLPlace.position(text, separator: UInt8(ascii: " ")) else { return false }
    held.append(TracePoint(fix: fix, line: line, device: device))
    places.append(count)
    if held.count == Self.limit { emit(into: &batch) }
    return true
  }

  mutating func beginArray(_ name: String) {
    (valueCount, valueIndex) = (0, 0)
    let meaning = CSVColumnName(name).meaning
    array = meaning.flatMap { $0.role.field.isNumber ? $0.role : nil }
    unit = meaning?.unit ?? CSVUnit()
    if array == nil || isEmitted { unreadArrays.append(name) }
  }

  mutating func addValue(_ text: borrowing Span<UInt8>) -> Bool {
    defer { valueCount += 1 }
    guard let array, !text.isEmpty else { return true }
    guard let number = DecimalNumber.parse(text) else { return false }
    while valueIndex < places.count, places[valueIndex] < valueCount { valueIndex += 1 }
    // An empty position has no fix.
    guard valueIndex < places.count, places[valueIndex] == valueCount else { return true }
    return held[valueIndex].fix.set(array.field, number * unit.factor / unit.divisor)
  }

  private mutating func emit(into batch: inout TraceBatch) {
    for (index, place) in places.enumerated() where place < times.count {
      held[index].fix.time = times[place]
    }
    // Mostly the batch is empty, and a copy would take the memory of a long track again.
    if batch.points.isEmpty {
      swap(&batch.points, &held)
    } else {
      batch.points += held
    }
    held.removeAll()
    places.removeAll()
    isEmitted = true
  }

  /// Emits the fixes; returns what is wrong with the track.
  mutating func finish(into batch: inout TraceBatch) -> String? {
    emit(into: &batch)
    if !unreadArrays.isEmpty {
      batch.mark(.note("values that are not read: \(CSVHeader.list(unreadArrays))"))
    }
    guard timeCount != count else { return nil }
    return "the track has \(timeCount) times and \(count) positions"
  }
}
