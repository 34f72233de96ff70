import Geodesy

/// A line through corners on a flat map, measured along it.
struct Way: Sendable {
  private var corners: [Vector] = []
  /// Metres of the way before each corner.
  private var behind: [Double] = []

  /// Corners that are nearly one are taken as one.
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

  /// The place after so many metres, held at the ends.
  func place(at metres: Double) -> Vector? {
    guard let next = behind.firstIndex(where: { $0 > metres }), next > 0 else {
      return metres > 0 ? corners.last : corners.first
    }
    let share = (metres - behind[next - 1]) / (behind[next] - behind[next - 1])
    return corners[next - 1].between(corners[next], share)
  }

  /// The place at `start`, the corners behind it, others so that none is further than `stride`
  /// from the one before, and the place at `end`.
  func places(from start: Double, to end: Double, every stride: Double) -> [Vector] {
    let marks = [start] + behind.filter { $0 > start + 0.5 && $0 < end - 0.5 } + [end]
    var all = [place(at: start)]
    for (from, to) in zip(marks, marks.dropFirst()) {
      let parts = max(1, ((to - from) / stride).rounded(.up))
      for part in 1...max(1, Int(parts)) {
        all.append(place(at: from + (to - from) * Double(part) / parts))
      }
    }
    return all.compactMap { $0 }
  }
}
