internal import Settings
internal import Tracking

/// Reads a path that is described in a line.
enum PathReader {
  static let keys = ["points", "speed", "every", "accuracy", "noise", "seed", "start"]
  static let form =
    "{points: [[lat, lon], [lat, lon]], speed: 50 km/h, every: 10 s, accuracy: 8 m, noise: city, seed: 7}"

  /// So a missing unit does not fill the memory.
  private static let mostFixes = 1_000_000.0

  static func path(_ section: inout ConfigurationSectionReader) -> DescribedPath? {
    let points = "positions [latitude, longitude], and {stay: TIME} between them"
    for key in ["points", "speed"] where !section.has(key) {
      section.note(found: "no \(key)", expected: form)
    }
    let steps: [DescribedPath.Step]? = section.positions(
      "points", orKeys: ["stay"], expected: points, position: { .point($0) },
      { section in
        if !section.has("stay") { section.note(found: "no time", expected: "stay: and a time") }
        return section.duration("stay").map { .stay($0) }
      })
    if let steps, !steps.isStartingAtPoint {
      section.note(valueOf: "points", found: "no position at the start", expected: points)
      return nil
    }
    let speed = section.speed("speed")
    var path = DescribedPath(steps: steps ?? [], speed: speed ?? 1)
    path.interval = section.duration("every") ?? path.interval
    path.accuracy = section.length("accuracy")
    path.noise = section.choice("noise") ?? path.noise
    path.seed = section.wholeNumber("seed") ?? path.seed
    path.start = section.time("start") ?? path.start
    guard steps != nil, speed != nil else { return nil }
    guard path.duration > 0 else {
      section.note(valueOf: "points", found: "no way and no stay", expected: points)
      return nil
    }
    guard path.duration / path.interval <= mostFixes else {
      section.note(
        found: "a path of more than \(Int(mostFixes)) fixes",
        expected: "a longer every, or a shorter way")
      return nil
    }
    return path
  }
}

extension [DescribedPath.Step] {
  fileprivate var isStartingAtPoint: Bool {
    if case .point = first { true } else { false }
  }
}
