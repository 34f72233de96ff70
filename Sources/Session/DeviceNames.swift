/// Names for the devices of traces without device names: each trace is a device of its own, unless
/// the user gave one name for all.
package struct DeviceNames {
  private let given: String?
  private var used: Set<String> = []

  /// `given` is the name that the user chose for every trace, if any.
  package init(given: String?) {
    self.given = given
  }

  /// The name for one more trace: the given one, else its track's name, else its file's; with a
  /// number appended when another trace already has it.
  package mutating func name(of feed: TraceFeed) -> String {
    if let given { return given }
    let stem = Self.stem(of: feed.path)
    for candidate in [feed.trackName ?? stem, stem] where used.insert(candidate).inserted {
      return candidate
    }
    var number = 2
    while !used.insert("\(stem)-\(number)").inserted { number += 1 }
    return "\(stem)-\(number)"
  }

  /// The device of errors in a trace whose fixes all name their device: the file's name.
  package func fallback(for feed: TraceFeed) -> String {
    let stem = Self.stem(of: feed.path)
    // A recording of ours names its one device before anything else.
    return feed.namesDevices ? feed.trackName ?? stem : given ?? stem
  }

  /// The file's name without folders and extensions: `day` of `trips/day.gpx.gz`.
  static func stem(of path: String) -> String {
    guard path != "-" else { return "stdin" }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let base = name.hasSuffix(".gz") && name != ".gz" ? String(name.dropLast(3)) : name
    guard let dot = base.lastIndex(of: "."), dot > base.startIndex else { return base }
    return String(base[..<dot])
  }
}
