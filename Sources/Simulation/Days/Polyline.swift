import Geodesy

/// A line through corners on a flat map, measured along it.
struct Polyline: Sendable {
  private var corners: [Vector] = []
  /// Metres along the line at each corner.
  private var behind: [Double] = []

  /// Corners that nearly coincide are merged.
  init(_ all: [Vector]) {
    for corner in all {
      guard let last = corners.last, let length = behind.last else {
        corners.append(corner)
        behind.append(0)
        continue
      }
      let step = last.distance(to: corner)
      guard step > 0.5 else { continue }
      corners.append(corner)
      behind.append(length + step)
    }
  }

  var length: Double { behind.last ?? 0 }

  /// The position after so many metres, clamped to the ends.
  func position(at metres: Double) -> Vector? {
    guard let next = behind.firstIndex(where: { $0 > metres }), next > 0 else {
      return metres > 0 ? corners.last : corners.first
    }
    let share = (metres - behind[next - 1]) / (behind[next] - behind[next - 1])
    return corners[next - 1].between(corners[next], share)
  }

  /// The position at `start`, the corners after it, more points so that consecutive ones are at
  /// most `stride` apart, and the position at `end`.
  func places(from start: Double, to end: Double, every stride: Double) -> [Vector] {
    let marks = [start] + behind.filter { $0 > start + 0.5 && $0 < end - 0.5 } + [end]
    var all = [position(at: start)]
    for (from, to) in zip(marks, marks.dropFirst()) {
      let parts = max(1, ((to - from) / stride).rounded(.up))
      for part in 1...max(1, Int(parts)) {
        all.append(position(at: from + (to - from) * Double(part) / parts))
      }
    }
    return all.compactMap { $0 }
  }
}
