internal import Session
internal import Yams

/// The config's `sources` whose devices appear while they are watched.
extension ConfigurationReader {
  static let httpForm = "a port such as 8090, or HOST:PORT"

  /// Whether an item of `sources` is one of these.
  func isInlet(_ node: Node) -> Bool {
    guard case .mapping(let mapping) = node else { return false }
    return mapping.contains { Self.text($0.key) == "http" }
  }

  mutating func readInlet(_ node: Node, _ path: String) {
    let form = "{http: …, token-file: …}"
    guard let keys = keys(node, path, known: ["http", "token-file", "most"], expected: form),
      let value = keys["http"]
    else { return }
    let text = Self.text(value) ?? ""
    guard let address = ListenAddress(web: text) else {
      return note(value, keys.path("http"), expected: Self.httpForm)
    }
    let tokenFile = keys["token-file"].flatMap {
      name($0, keys.path("token-file"), expected: "a file such as phones.token")
    }.map { ConfigurationFile.resolve($0, besides: file) }
    if !address.isLocal, !keys.has("token-file") {
      return note(
        value, keys.path("http"), found: "\(address), which other machines can reach",
        expected: "token-file beside it, a file with the token that reports need")
    }
    var inlet = Configuration.Inlet(.http(address, tokenFile: tokenFile))
    if let most = keys["most"] {
      guard let count = Self.text(most).flatMap({ Int($0) }), 1...Self.mostDevices ~= count else {
        return note(most, keys.path("most"), expected: "a number of devices from 1 to 100000")
      }
      inlet.most = count
    }
    let isTwice = configuration.inlets.contains { other in
      guard case .http(address, _) = other.kind else { return false }
      return true
    }
    guard !isTwice else {
      return note(node, path, found: "http://\(address) twice", expected: "each source once")
    }
    configuration.inlets.append(inlet)
  }

  private static let mostDevices = 100_000
}
