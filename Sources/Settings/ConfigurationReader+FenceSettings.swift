internal import Geodesy
internal import Tracking
internal import Yams

/// What is said about a fence beside its id and area; for an include it holds for all its fences.
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
  /// The words of `notify`.
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

  /// The settings among `keys`, or nil, with faults, when one of them is wrong.
  mutating func settings(_ keys: ConfigurationKeys) -> ConfigurationFenceSettings? {
    let faultsBefore = faults.count
    var settings = ConfigurationFenceSettings()
    if let node = keys["dwell"], let seconds = duration(node, keys.path("dwell")) {
      settings.dwell = Int64(exactly: (seconds * 1e9).rounded())
    }
    if let node = keys["notify"] {
      settings.notifications = notifications(node, keys)
    }
    if let node = keys["decision"] { settings.decision = choice(node, keys.path("decision")) }
    if let node = keys["initial"] { settings.initial = choice(node, keys.path("initial")) }
    return faults.count == faultsBefore ? settings : nil
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
