internal import Tracking
internal import Yams

/// The keys of the whole config.
extension ConfigurationReader {
  private static let topKeys = [
    "device", "source", "fences", "visits", "significant-changes", "geocoder",
  ]

  mutating func readAll(_ root: Node) {
    refuseGeoJSON(root)
    guard faults.isEmpty,
      let keys = keys(
        root, "", known: Self.topKeys, expected: "keys such as fences and source, each with a value"
      )
    else { return }
    if let node = keys["device"] {
      configuration.device = name(node, "device", expected: "a name such as van")
    }
    if let node = keys["source"] { configuration.source = source(node) }
    if let node = keys["fences"] { readFences(node) }
    readVisits(keys)
    readSignificantChanges(keys)
    readGeocoder(keys)
    noteDecisions()
  }

  private mutating func refuseGeoJSON(_ root: Node) {
    guard let type = root.mapping?["type"].flatMap(Self.text),
      ["FeatureCollection", "Feature", "Polygon", "MultiPolygon"].contains(type)
    else { return }
    note(
      root, "", found: "GeoJSON", expected: "a config",
      advice: "name this file in one: fences: [{include: \(file)}]")
  }

  private mutating func source(_ node: Node) -> String? {
    let text = Self.text(node)
    if let text, ConfigurationSource.isValid(text) { return text }
    let advice = text.map { "gpsd://\($0)" }.flatMap {
      ConfigurationSource.isValid($0) ? "did you mean '\($0)'?" : nil
    }
    note(
      node, "source", expected: "gpsd://HOST[:PORT][/DEVICE] such as gpsd://localhost:2947",
      advice: advice)
    return nil
  }

  private mutating func readVisits(_ keys: ConfigurationKeys) {
    let names = (time: "minimum-stay", length: "radius")
    let usual = (time: 300.0, length: 50.0)
    guard
      let read = timeAndLength("visits", keys, names, usual, "{minimum-stay: 5 min, radius: 50 m}")
    else { return }
    configuration.visits = .on(minimumStay: read.time, radius: read.length)
    noteInactive("visits", keys, "visits are not reported: this version watches fences only")
  }

  private mutating func readSignificantChanges(_ keys: ConfigurationKeys) {
    let key = "significant-changes"
    let names = (time: "interval", length: "distance")
    let usual = (time: 300.0, length: 500.0)
    guard let read = timeAndLength(key, keys, names, usual, "{distance: 500 m, interval: 5 min}")
    else { return }
    configuration.significantChanges = .on(distance: read.length, interval: read.time)
    noteInactive(key, keys, "\(key) are not reported: this version watches fences only")
  }

  /// A setting of one time and one length, each with its usual value when left out; nil when it is
  /// not written, false or faulty.
  private mutating func timeAndLength(
    _ key: String, _ keys: ConfigurationKeys, _ names: (time: String, length: String),
    _ usual: (time: Double, length: Double), _ example: String
  ) -> (time: Double, length: Double)? {
    guard let node = keys[key], !Self.isFalse(node) else { return nil }
    let known = [names.time, names.length].sorted()
    guard let inner = self.keys(node, key, known: known, expected: "\(example) or false") else {
      return nil
    }
    var values = usual
    if let node = inner[names.time] {
      guard let time = duration(node, inner.path(names.time)) else { return nil }
      values.time = time
    }
    if let node = inner[names.length] {
      guard let length = length(node, inner.path(names.length)) else { return nil }
      values.length = length
    }
    return values
  }

  private mutating func readGeocoder(_ keys: ConfigurationKeys) {
    guard let node = keys["geocoder"] else { return }
    let expected = "{provider: PROVIDER}, one of none, stub, gazetteer, nominatim"
    guard let inner = self.keys(node, "geocoder", known: ["provider"], expected: expected) else {
      return
    }
    guard let provider = inner["provider"] else {
      if !inner.has("provider") {
        note(node, "geocoder", found: "no provider", expected: expected)
      }
      return
    }
    guard let geocoder: Configuration.Geocoder = choice(provider, inner.path("provider")) else {
      return
    }
    configuration.geocoder = geocoder
    if geocoder != .none {
      noteInactive(
        "geocoder", keys,
        "the geocoder '\(geocoder.rawValue)' is not asked: this version names no places")
    }
  }

  private static func isFalse(_ node: Node) -> Bool {
    ["false", "False", "FALSE"].contains(text(node))
  }

  private mutating func noteInactive(_ key: String, _ keys: ConfigurationKeys, _ sentence: String) {
    guard let node = keys.pairs[key]?.key else { return }
    configuration.inactive.append(ConfigurationFinding(.note, place(node), sentence))
  }

  /// One notice for all decisions that are not acted on.
  private mutating func noteDecisions() {
    let others = configuration.entries.filter { $0.decision ?? .naive != .naive }
    guard let first = others.first, let decision = first.decision else { return }
    let count = others.count == 1 ? "" : " (so of \(others.count) fences)"
    configuration.inactive.insert(
      ConfigurationFinding(
        .note, first.place,
        "the decision '\(decision.rawValue)' is not acted on\(count): "
          + "this version decides fences by geometry alone, as 'naive' does"), at: 0)
  }
}
