internal import Geodesy
package import Session
internal import Text
internal import Tracking
internal import Yams

/// Fences that fixes place: `center: here`.
extension ConfigurationReader {
  /// The center of such a fence.
  static let here = "here"
  static let anchorKeys = ["settle", "under-way"]

  /// Reads a fence whose center is `here`.
  mutating func readAnchor(_ id: String?, _ keys: ConfigurationKeys) {
    guard placesFences else { return refuseHere(keys) }
    if let polygon = keys.pairs["polygon"] ?? keys.pairs["holes"] {
      note(
        polygon.key, keys.path, found: "a polygon beside the center",
        expected: "either center and radius, or polygon")
    }
    requireRadius(keys, example: "40 m")
    let problemsBefore = problems.count
    let radius = keys["radius"].flatMap { length($0, keys.path("radius")) }
    let settle = keys["settle"].flatMap {
      duration($0, keys.path("settle"), in: 0...AnchorPlan.longestSettling, "0 s to 1 d")
    }
    let underWay = underWay(keys)
    let settings = settings(keys)
    guard let id, let radius, let settings, problems.count == problemsBefore else { return }
    let nowhere = Area.circle(
      Circle(center: Coordinate(latitude: 0, longitude: 0), radius: radius))
    let place = place(keys["id"] ?? keys.node)
    let entry = settings.entry(id: id, area: nowhere, place: place, spansWideEdge: false)
    var plan = AnchorPlan(entry.fence, radius: radius)
    if let settle { plan.settle = settle }
    plan.underWay = underWay
    configuration.anchors.append(plan)
    configuration.anchorEntries.append(entry)
  }

  private mutating func refuseHere(_ keys: ConfigurationKeys) {
    guard let center = keys["center"] else { return }
    note(
      center, keys.path("center"),
      expected: "[latitude, longitude] in degrees such as [52.5163, 13.3777]",
      advice: "only watch and replay place a fence where the device is")
  }

  /// Notes keys that only a fence with `center: here` has.
  mutating func refuseAnchorKeys(_ keys: ConfigurationKeys) {
    for name in Self.anchorKeys {
      guard let pair = keys.pairs[name] else { continue }
      note(
        pair.key, keys.path(name), found: "'\(name)' without 'center: here'",
        expected: "it only where fixes place the fence")
    }
  }

  private mutating func underWay(_ keys: ConfigurationKeys) -> AnchorPlan.UnderWay? {
    guard let node = keys["under-way"] else { return nil }
    let path = keys.path("under-way")
    guard
      let inner = self.keys(
        node, path, known: ["speed", "for"], expected: "{speed: 1.5 m/s, for: 5 min}")
    else { return nil }
    var rule = AnchorPlan.UnderWay()
    if let node = inner["speed"] {
      if let speed = Self.text(node).flatMap({ Measure.speed($0) }), speed > 0 {
        rule.speed = speed
      } else {
        note(node, inner.path("speed"), expected: "a speed above 0 such as 1.5 m/s or 3 kn")
      }
    }
    if let node = inner["for"], let time = duration(node, inner.path("for")) {
      rule.duration = time
    }
    return rule
  }
}

extension AnchorPlan {
  /// The fence of the command-line option `--fence ID=here,RADIUS`; nil for a fence with a place.
  ///
  /// RADIUS is in metres or has a unit (`40`, `40m`).
  package init?(option text: String) throws(ConfigurationError) {
    guard let equals = text.lastIndex(of: "=") else { return nil }
    let parts = text[equals...].dropFirst()
      .split(separator: ",", omittingEmptySubsequences: false)
      .map { String($0.drop { $0 == " " }) }
    guard parts.count == 2, parts[0] == ConfigurationReader.here else { return nil }
    let id = String(text[..<equals])
    let radius = Measure.length(parts[1]) ?? 0
    guard !id.isEmpty, radius > 0, radius <= Measure.largestRadius else {
      let place = ConfigurationPlace(file: "--fence \(ConfigurationReader.quoted(text))")
      let found = id.isEmpty ? "no id before '='" : "the radius '\(parts[1])'"
      let expected =
        id.isEmpty
        ? "ID=here,RADIUS such as anchor=here,40m"
        : "a length above 0 m and up to 1000 km such as 40m"
      throw ConfigurationError([ConfigurationProblem(place, found: found, expected: expected)])
    }
    self.init(id: id, radius: radius)
  }
}
