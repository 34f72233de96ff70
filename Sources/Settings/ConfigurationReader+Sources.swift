internal import Receivers
internal import Text
internal import Yams

/// The config's `source` and `sources`.
extension ConfigurationReader {
  private static let form =
    "a list of \(GPSDAddress.form), of {gpsd: …, device: …}, of {http: …, "
    + "token-file: …} and of \(mqttForm)"

  mutating func readSources(_ keys: ConfigurationKeys) {
    guard let pair = keys.pairs["sources"] else {
      if let node = keys["source"], let address = address(node, "source") {
        configuration.sources = [Configuration.Source(address: address)]
      }
      return
    }
    if keys.has("source") {
      return note(pair.key, "sources", found: "it beside source", expected: "one of them")
    }
    guard let nodes = list(pair.value, "sources", expected: Self.form) else { return }
    if nodes.isEmpty { return note(pair.value, "sources", expected: Self.form) }
    var (sources, items) = ([] as [Configuration.Source], [] as [Node])
    for (index, node) in nodes.enumerated() {
      if isInlet(node) {
        readInlet(node, "sources[\(index)]")
        continue
      }
      guard let source = source(node, "sources[\(index)]") else { continue }
      if sources.contains(where: { $0.address == source.address }) {
        note(
          node, "sources[\(index)]", found: "\(source.address) twice", expected: "each source once")
        continue
      }
      sources.append(source)
      items.append(node)
    }
    configuration.sources = sources
    checkNames(sources, items)
    if nodes.count > 1 || !configuration.inlets.isEmpty, let device = keys.pairs["device"] {
      note(
        device.key, "device", found: "one device for several sources",
        expected:
          "the device of each under sources, such as {gpsd: gpsd://boat.local, device: boat}")
    }
  }

  /// Notes the sources whose devices have the name of another one.
  private mutating func checkNames(_ sources: [Configuration.Source], _ items: [Node]) {
    let names = GPSDAddress.deviceNames(sources.map { ($0.address, $0.device) })
    var taken: Set<ExactText> = []
    for index in names.indices where !taken.insert(ExactText(names[index])).inserted {
      note(
        items[index], "sources", found: "a second device \(Self.quoted(names[index]))",
        expected: "a device of its own for each source, such as {gpsd: …, device: boat}")
    }
  }

  private mutating func source(_ node: Node, _ path: String) -> Configuration.Source? {
    guard case .mapping = node else {
      return address(node, path).map { Configuration.Source(address: $0) }
    }
    guard
      let keys = keys(
        node, path, known: ["gpsd", "device", "ais", "most", "allow-simulated"],
        expected: Self.form)
    else { return nil }
    guard let gpsd = keys["gpsd"] else {
      if !keys.has("gpsd") {
        note(
          node, path, found: "a source without gpsd",
          expected: "gpsd: \(GPSDAddress.form), http: \(Self.httpForm), or mqtt: "
            + BrokerSettings.form)
      }
      return nil
    }
    guard let address = address(gpsd, keys.path("gpsd")) else { return nil }
    var source = Configuration.Source(address: address)
    if let device = keys["device"] {
      source.device = name(device, keys.path("device"), expected: "a name such as boat")
    }
    readShips(keys, of: &source)
    if let allows = flag("allow-simulated", of: keys) { source.allowsSimulated = allows }
    return source
  }

  private mutating func address(_ node: Node, _ path: String) -> GPSDAddress? {
    let text = Self.text(node) ?? ""
    do {
      return try GPSDAddress(parsing: text)
    } catch {
      note(node, path, expected: GPSDAddress.form, advice: error.advice)
      return nil
    }
  }
}
