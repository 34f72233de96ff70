package import Settings
internal import Tracking

/// The fences, and edges of fences, that no test crossed.
package struct FenceCoverage: Sendable {
  /// What is missing of one fence.
  package struct Gap: Sendable {
    /// The fence in its config; the config for a compiled fence.
    package var place: ConfigurationPlace
    package var text: String
  }

  package private(set) var fences = 0
  package private(set) var edges = 0
  package var crossedFences: Int { configs.reduce(0) { $0 + $1.crossings.count } }
  package var crossedEdges: Int {
    configs.reduce(0) { sum, config in
      sum + config.crossings.values.reduce(0) { $0 + Set($1.map(\.edge)).count }
    }
  }

  /// The configs of the tests, and how their fences were crossed.
  private var configs: [Config] = []
  private var numbers: [String: Int] = [:]

  private struct Config {
    var file: FenceTestFile
    var crossings: [Int: Set<FenceCrossing>] = [:]
  }

  /// The most edges that are listed of one fence.
  private static let listedEdges = 5

  /// Adds the fences of a file's config, once.
  mutating func add(_ file: FenceTestFile) {
    guard numbers[file.config] == nil else { return }
    numbers[file.config] = configs.count
    configs.append(Config(file: file))
    fences += file.rules.fences.count
    for fence in file.rules.fences { edges += FenceEdge.all(of: fence.area).count }
  }

  /// Adds crossings of the fences of a file's config.
  mutating func add(_ crossings: Set<FenceCrossing>, of file: FenceTestFile) {
    guard let number = numbers[file.config] else { return }
    for crossing in crossings {
      configs[number].crossings[crossing.fence, default: []].insert(crossing)
    }
  }

  /// What is missing, in the order of the configs.
  package var gaps: [Gap] {
    configs.flatMap { config in
      config.file.rules.fences.enumerated().compactMap { index, fence -> Gap? in
        guard let text = Self.gap(fence, config.crossings[index] ?? []) else { return nil }
        let entries = config.file.configuration.entries
        let place = index < entries.count ? entries[index].place : nil
        return Gap(place: place ?? ConfigurationPlace(file: config.file.config), text: text)
      }
    }
  }

  private static func gap(_ fence: Fence, _ crossings: Set<FenceCrossing>) -> String? {
    if crossings.isEmpty { return "\(fence.id): never crossed" }
    var texts: [String] = []
    for (kind, isEnter) in [(Fence.Notifications.enter, true), (.exit, false)]
    where fence.notifications.contains(kind)
      && !crossings.contains(where: { $0.isEnter == isEnter })
    {
      texts.append(isEnter ? "never entered" : "never left")
    }
    let crossed = Set(crossings.map(\.edge))
    let missing = FenceEdge.all(of: fence.area).filter { !crossed.contains($0) }
    if !missing.isEmpty {
      let rest = missing.count - listedEdges
      texts.append(
        "never crossed at the edges from corner "
          + missing.prefix(listedEdges).map(\.words).joined(separator: ", ")
          + (rest > 0 ? " and \(rest) more" : ""))
    }
    return texts.isEmpty ? nil : "\(fence.id): " + texts.joined(separator: ", ")
  }

  /// The gaps, and such as `3 of 4 fences and 3 of 4 edges were crossed`.
  package var lines: [String] {
    gaps.map { "\($0.place): \($0.text)" } + [
      "\(crossedFences) of \(fences) fences and \(crossedEdges) of \(edges) edges were crossed"
    ]
  }
}
