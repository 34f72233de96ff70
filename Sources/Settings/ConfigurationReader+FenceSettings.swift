internal import Geodesy
internal import Tracking
internal import Yams

/// The settings of a fence other than its id and area; those of an include apply to all its fences.
struct ConfigurationFenceSettings {
  var notifications: Fence.Notifications?
  /// Nanoseconds.
  var dwell: Int64?
  var decision: Decision?
  var initial: Fence.Initial?

  func entry(id: String, area: Area, place: ConfigurationPlace, spansWideEdge: Bool)
    -> Configuration.FenceEntry
  {
    var fence = Fence(id: id, area: area)
    fence.dwell = dwell
    if let notifications { fence.notifications = notifications }
    if let initial { fence.initial = initial }
    if let decision { fence.decision = decision }
    return Configuration.FenceEntry(fence: fence, place: place, spansWideEdge: spansWideEdge)
  }
}

extension ConfigurationReader {
  /// The values of `notify`.
  private enum Notification: String, CaseIterable {
    case enter, exit, dwell

    var set: Fence.Notifications {
      switch self {
      case .enter: .enter
      case .exit: .exit
      case .dwell: .dwell
      }
    }
  }

  /// The settings among `keys`; nil, with problems noted, when one is invalid.
  mutating func settings(_ keys: ConfigurationKeys) -> ConfigurationFenceSettings? {
    let problemsBefore = problems.count
    var settings = ConfigurationFenceSettings()
    if let node = keys["dwell"], let seconds = duration(node, keys.path("dwell")) {
      settings.dwell = Int64(exactly: (seconds * 1e9).rounded())
    }
    if let node = keys["notify"] {
      settings.notifications = notifications(node, keys)
    }
    if let node = keys["decision"] { settings.decision = choice(node, keys.path("decision")) }
    if let node = keys["initial"] { settings.initial = choice(node, keys.path("initial")) }
    return problems.count == problemsBefore ? settings : nil
  }

  private mutating func notifications(_ node: Node, _ keys: ConfigurationKeys)
    -> Fence.Notifications?
  {
    let path = keys.path("notify")
    let expected = "a list of enter, exit and dwell such as [enter, exit]"
    guard let items = list(node, path, expected: expected) else { return nil }
    if items.isEmpty {
      note(node, path, expected: expected)
      return nil
    }
    var set: Fence.Notifications = []
    for (index, item) in items.enumerated() {
      guard let word: Notification = choice(item, "\(path)[\(index)]") else { continue }
      set.insert(word.set)
      if word == .dwell, !keys.has("dwell") {
        note(
          item, "\(path)[\(index)]", found: "'dwell' without a dwell time",
          expected: "one beside notify, such as 'dwell: 10 min'")
      }
    }
    return set
  }
}
