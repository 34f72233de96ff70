internal import System
internal import Text

/// Names for the devices of traces without device names: each trace is a device of its own, and the
/// traces of a folder or an archive are one, unless the user gave one name for all or named devices by
/// paths.
package struct DeviceNames {
  private let given: String?
  private var used: Set<ExactText> = []
  /// The devices of folders and archives, by path.
  private var collections: [ExactText: String] = [:]

  /// `given` is the name that the user chose for every trace, if any.
  package init(given: String?) {
    self.given = given
  }

  /// The name for one more trace: the given one, else its track's name, else its file's; with a
  /// number appended when another trace already has it.
  package mutating func name(of feed: TraceFeed) -> String {
    if let name = feed.pathDevice {
      used.insert(ExactText(name))
      return name
    }
    if let given { return given }
    guard let collection = feed.collection else {
      let stem = Self.stem(of: feed.path)
      return unused([feed.trackName ?? stem, stem], else: stem)
    }
    if let known = collections[ExactText(collection)] { return known }
    let stem = Self.stem(ofCollection: collection)
    let name = unused([stem], else: stem)
    collections[ExactText(collection)] = name
    return name
  }

  /// The first name that is not in use, or one with a number.
  private mutating func unused(_ candidates: [String], else stem: String) -> String {
    for candidate in candidates where used.insert(ExactText(candidate)).inserted {
      return candidate
    }
    var number = 2
    while !used.insert(ExactText("\(stem)-\(number)")).inserted { number += 1 }
    return "\(stem)-\(number)"
  }

  /// The device of errors in a trace whose fixes all name their device: the file's name.
  package func fallback(for feed: TraceFeed) -> String {
    if let name = feed.pathDevice { return name }
    if let collection = feed.collection {
      return given ?? collections[ExactText(collection)] ?? Self.stem(ofCollection: collection)
    }
    let stem = Self.stem(of: feed.path)
    // A recording of ours names its one device before anything else.
    return feed.namesDevices ? feed.trackName ?? stem : given ?? stem
  }

  /// The name of a folder, or of an archive without its extension.
  static func stem(ofCollection path: String) -> String {
    let name = Folder.name(of: path)
    let isArchive = [".zip", ".kmz"].contains(name.suffix(4).lowercased()) && name.count > 4
    return isArchive ? String(name.dropLast(4)) : name
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
