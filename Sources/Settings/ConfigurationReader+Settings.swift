internal import Foundation
internal import Tracking
internal import Yams

/// The top-level keys of the config.
extension ConfigurationReader {
  private static let topKeys = [
    "device", "source", "sources", "fences", "visits", "significant-changes", "gate", "time-zone",
  ]

  mutating func readAll(
    _ root: Node, _ sections: [any ConfigurationSection.Type], ignoring ignored: [String] = []
  ) {
    refuseGeoJSON(root)
    guard problems.isEmpty,
      let keys = keys(
        root, "", known: Self.topKeys + sections.map { $0.key } + ignored,
        expected: "keys such as fences and source, each with a value")
    else { return }
    if let node = keys["device"] {
      configuration.device = name(node, "device", expected: "a name such as van")
    }
    readSources(keys)
    if let node = keys["time-zone"] { configuration.timeZone = timeZone(node) }
    if let node = keys["fences"] { readFences(node) }
    readVisits(keys)
    readSignificantChanges(keys)
    readGate(keys)
    for section in sections { read(section, keys) }
  }

  private mutating func read<Section: ConfigurationSection>(
    _ section: Section.Type, _ keys: ConfigurationKeys
  ) {
    let key = Section.key
    guard let node = notePlace(key, keys), let inner = self.keys(node, of: section)
    else { return }
    var reader = ConfigurationSectionReader(self, inner, known: Section.keys)
    let value = Section.read(&reader)
    self = reader.reader
    configuration.sections[key] = value.map {
      ConfigurationSectionValue($0, of: section, at: configuration.places[key] ?? place(node))
    }
  }

  /// The keys of a section, none for a list; a plain text may stand for one of them.
  private mutating func keys<Section: ConfigurationSection>(
    _ node: Node, of section: Section.Type
  ) -> ConfigurationKeys? {
    if Section.isList { return ConfigurationKeys(node: node, path: Section.key) }
    if let shorthand = Section.shorthand, Self.text(node) != nil {
      return ConfigurationKeys(node: node, path: Section.key, shorthand: shorthand)
    }
    return keys(node, Section.key, known: Section.keys, expected: Section.form)
  }

  private mutating func refuseGeoJSON(_ root: Node) {
    guard let type = root.mapping?["type"].flatMap(Self.text),
      ["FeatureCollection", "Feature", "Polygon", "MultiPolygon"].contains(type)
    else { return }
    note(
      root, "", found: "GeoJSON", expected: "a config",
      advice: "name this file in one: fences: [{include: \(file)}]")
  }

  /// A name of the time zone database; the names are files, so the system must have them.
  private mutating func timeZone(_ node: Node) -> TimeZone? {
    if let zone = Self.text(node).flatMap(TimeZone.init(identifier:)) { return zone }
    note(
      node, "time-zone", expected: "the name of a time zone such as Europe/Berlin",
      advice: Self.text(node) == nil ? nil : "`timedatectl list-timezones` lists the names")
    return nil
  }

  private mutating func readVisits(_ keys: ConfigurationKeys) {
    guard let node = notePlace("visits", keys) else { return }
    configuration.visits = nil
    guard
      let inner = keysUnlessFalse(
        node, "visits", known: ["minimum-stay", "radius"],
        example: "{minimum-stay: 5 min, radius: 50 m}")
    else { return }
    var rules = VisitRules()
    if let stay = notePlace("minimum-stay", inner).flatMap({
      duration($0, inner.path("minimum-stay"))
    }) {
      rules.minimumStay = stay
    }
    if let radius = notePlace("radius", inner).flatMap({ length($0, inner.path("radius")) }) {
      rules.radius = radius
    }
    configuration.visits = rules
  }

  private mutating func readSignificantChanges(_ keys: ConfigurationKeys) {
    let key = "significant-changes"
    guard let node = notePlace(key, keys) else { return }
    configuration.significantChanges = nil
    guard
      let inner = keysUnlessFalse(
        node, key, known: ["distance", "interval"], example: "{distance: 500 m, interval: 5 min}")
    else { return }
    var rules = SignificantChangeRules()
    if let distance = notePlace("distance", inner).flatMap({
      length($0, inner.path("distance"))
    }) {
      rules.distance = distance
    }
    if let interval = notePlace("interval", inner).flatMap({
      duration($0, inner.path("interval"))
    }) {
      rules.interval = interval
    }
    configuration.significantChanges = rules
  }

  /// The keys of a setting; nil when it is `false`, which switches it off, or invalid.
  private mutating func keysUnlessFalse(
    _ node: Node, _ path: String, known: [String], example: String
  ) -> ConfigurationKeys? {
    if ["false", "False", "FALSE"].contains(Self.text(node)) { return nil }
    return keys(node, path, known: known, expected: "\(example) or false")
  }

  /// The value of a key; notes its place for ``Configuration/diagnostics``.
  mutating func notePlace(_ name: String, _ keys: ConfigurationKeys) -> Node? {
    guard let pair = keys.pairs[name] else { return nil }
    configuration.places[keys.path(name)] = place(pair.key)
    return pair.value
  }
}
