internal import Yams

/// What names places.
extension ConfigurationReader {
  private static let geocoderKeys = [
    "provider", "file", "table", "url", "contact", "rounding", "cache", "language",
  ]

  /// Which provider a key is for.
  private static let owners: [String: GeocoderSettings.Provider] = [
    "file": .gazetteer, "table": .stub, "url": .nominatim, "contact": .nominatim,
    "rounding": .nominatim, "cache": .nominatim, "language": .nominatim,
  ]

  mutating func readGeocoder(_ node: Node) {
    let expected = "{provider: PROVIDER}, one of none, stub, gazetteer, nominatim"
    guard let keys = keys(node, "geocoder", known: Self.geocoderKeys, expected: expected) else {
      return
    }
    guard let provider = keys["provider"] else {
      if !keys.has("provider") {
        note(node, "geocoder", found: "no provider", expected: expected)
      }
      return
    }
    guard let providers = providers(provider, keys.path("provider")) else { return }
    var settings = GeocoderSettings()
    settings.providers = providers.filter { $0 != .none }
    settings.gazetteer = text("file", keys, "the path of a gazetteer").map(besidesConfig)
    settings.table = text("table", keys, "the path of a table such as places.json")
      .map(besidesConfig)
    settings.url = text("url", keys, "the address of a server such as https://nominatim.example")
    settings.contact = text("contact", keys, "an e-mail address or a web page of yours")
    settings.cache = text("cache", keys, "a folder").map(besidesConfig)
    settings.language = text("language", keys, "a language such as de or pt-BR")
    if let node = keys["rounding"] { settings.rounding = length(node, keys.path("rounding")) }
    for (name, owner) in Self.owners.sorted(by: { $0.key < $1.key }) {
      guard let pair = keys.pairs[name], !providers.contains(owner) else { continue }
      note(
        pair.key, keys.path(name), found: "'\(name)' without the provider \(owner.rawValue)",
        expected: "it beside provider: \(owner.rawValue)")
    }
    require(["table"], of: .stub, settings.providers, keys)
    require(["url", "contact"], of: .nominatim, settings.providers, keys)
    configuration.geocoder = settings
  }

  /// One provider, or a list of them.
  private mutating func providers(_ node: Node, _ path: String) -> [GeocoderSettings.Provider]? {
    guard case .sequence(let items) = node else {
      let one: GeocoderSettings.Provider? = choice(node, path)
      return one.map { [$0] }
    }
    var found: [GeocoderSettings.Provider] = []
    for (index, item) in items.enumerated() {
      let path = "\(path)[\(index)]"
      guard let one: GeocoderSettings.Provider = choice(item, path) else { return nil }
      guard !found.contains(one) else {
        note(item, path, found: "'\(one.rawValue)' twice", expected: "each provider once")
        return nil
      }
      found.append(one)
    }
    return found
  }

  private mutating func text(
    _ name: String, _ keys: ConfigurationKeys, _ expected: String
  ) -> String? {
    keys[name].flatMap { self.name($0, keys.path(name), expected: expected) }
  }

  private func besidesConfig(_ path: String) -> String {
    ConfigurationFile.resolve(path, besides: file)
  }

  private mutating func require(
    _ names: [String], of provider: GeocoderSettings.Provider,
    _ providers: [GeocoderSettings.Provider], _ keys: ConfigurationKeys
  ) {
    guard providers.contains(provider) else { return }
    for name in names where !keys.has(name) {
      note(
        keys.node, "geocoder", found: "\(provider.rawValue) without '\(name)'",
        expected: "the key '\(name)' beside the provider")
    }
  }
}
