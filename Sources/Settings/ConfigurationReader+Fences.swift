internal import Geodesy
internal import Tracking
internal import Yams

/// The list of fences.
extension ConfigurationReader {
  private static let ownKeys =
    [
      "id", "center", "radius", "polygon", "holes", "notify", "dwell", "decision", "initial",
      "include",
    ] + anchorKeys
  private static let areaKeys = ["id", "center", "radius", "polygon", "holes"] + anchorKeys
  private static let areaExpected = "center and radius, or polygon, or include"

  mutating func readFences(_ node: Node) {
    let example =
      "a list of fences such as [{id: depot, center: [52.5163, 13.3777], radius: 100 m}]"
    guard let items = list(node, "fences", expected: example) else { return }
    for (index, item) in items.enumerated() {
      let path = "fences[\(index)]"
      guard
        let keys = keys(
          item, path, known: Self.ownKeys, expected: "a fence with id, \(Self.areaExpected)")
      else { continue }
      if keys["include"] != nil {
        refuseAreaBesidesInclude(keys)
        readInclude(keys)
      } else {
        readFence(keys)
      }
    }
    registerCompiled()
  }

  private mutating func refuseAreaBesidesInclude(_ keys: ConfigurationKeys) {
    for name in Self.areaKeys {
      guard let pair = keys.pairs[name] else { continue }
      note(
        pair.key, keys.path(name), found: "'\(name)' beside include",
        expected: "only notify, dwell, decision and initial there",
        advice: "ids and areas come from the included file")
    }
  }

  private mutating func readFence(_ keys: ConfigurationKeys) {
    let id = fenceID(keys)
    if keys["center"].flatMap(Self.text) == Self.here { return readAnchor(id, keys) }
    refuseAnchorKeys(keys)
    let area = area(keys)
    let settings = settings(keys)
    guard let id, let area, let settings else { return }
    let place = place(keys["id"] ?? keys.node)
    configuration.entries.append(
      settings.entry(id: id, area: area, place: place, spansWideEdge: Self.spansWideEdge(area)))
  }

  private mutating func fenceID(_ keys: ConfigurationKeys) -> String? {
    guard let node = keys["id"] else {
      if !keys.has("id") {
        note(keys.node, keys.path, found: "no id", expected: "a unique name such as 'id: depot'")
      }
      return nil
    }
    let path = keys.path("id")
    guard let id = name(node, path, expected: "a unique name such as depot") else { return nil }
    return registered(id, place(node), path) ? id : nil
  }

  /// Notes the place of an id; false, with a problem noted, when the id is not new.
  mutating func registered(_ id: String, _ place: ConfigurationPlace, _ path: String) -> Bool {
    guard let problem = ids.add(id, at: place, path) else { return true }
    note(problem)
    return false
  }

  private mutating func area(_ keys: ConfigurationKeys) -> Area? {
    if let center = keys.pairs["center"] ?? keys.pairs["radius"],
      let polygon = keys.pairs["polygon"]
    {
      let name = Self.text(center.key) ?? ""
      note(
        polygon.key, keys.path("polygon"), found: "a polygon beside the \(name)",
        expected: "either center and radius, or polygon")
      return nil
    }
    if keys.has("polygon") { return keys["polygon"].flatMap { polygon($0, keys) } }
    if let holes = keys.pairs["holes"] {
      note(
        holes.key, keys.path("holes"), found: "holes without a polygon",
        expected: "polygon: [[latitude, longitude], …] as well")
    }
    guard keys.has("center") || keys.has("radius") else {
      if keys["holes"] == nil {
        note(keys.node, keys.path, found: "no area", expected: Self.areaExpected)
      }
      return nil
    }
    return circle(keys)
  }

  /// Notes a problem with a center that has no radius.
  mutating func requireRadius(_ keys: ConfigurationKeys, example: String) {
    guard !keys.has("radius") else { return }
    note(
      keys.node, keys.path, found: "a center without a radius",
      expected: "a radius such as 'radius: \(example)'")
  }

  private mutating func circle(_ keys: ConfigurationKeys) -> Area? {
    requireRadius(keys, example: "100 m")
    if !keys.has("center") {
      note(
        keys.node, keys.path, found: "a radius without a center",
        expected: "a center such as 'center: [52.5163, 13.3777]'")
    }
    let center = keys["center"].flatMap { coordinate($0, keys.path("center")) }
    let radius = keys["radius"].flatMap { length($0, keys.path("radius")) }
    guard let center, let radius else { return nil }
    return .circle(Circle(center: center, radius: radius))
  }
}
