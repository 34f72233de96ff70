internal import Session
internal import Yams

/// The config's `sources` whose devices appear while they are watched.
extension ConfigurationReader {
  static let httpForm = "a port such as 8090, or HOST:PORT"

  /// Whether an item of `sources` is one of these.
  func isInlet(_ node: Node) -> Bool {
    guard case .mapping(let mapping) = node else { return false }
    return mapping.contains { ["http", "mqtt"].contains(Self.text($0.key)) }
  }

  mutating func readInlet(_ node: Node, _ path: String) {
    let isServer = node.mapping?.contains { Self.text($0.key) == "http" } ?? false
    guard let inlet = isServer ? server(node, path) : subscription(node, path) else { return }
    guard !configuration.inlets.contains(where: { $0.address == inlet.address }) else {
      return note(node, path, found: "\(inlet.address) twice", expected: "each source once")
    }
    configuration.inlets.append(inlet)
  }

  private mutating func server(_ node: Node, _ path: String) -> Configuration.Inlet? {
    let form = "{http: …, token-file: …}"
    guard let keys = keys(node, path, known: ["http", "token-file", "most"], expected: form),
      let value = keys["http"]
    else { return nil }
    let text = Self.text(value) ?? ""
    guard let address = ListenAddress(web: text) else {
      note(value, keys.path("http"), expected: Self.httpForm)
      return nil
    }
    let tokenFile = keys["token-file"].flatMap { token($0, keys.path("token-file")) }
    if !address.isLocal, !keys.has("token-file") {
      note(
        value, keys.path("http"), found: "\(address), which other machines can reach",
        expected: "token-file beside it, a file with the token that reports need")
      return nil
    }
    var inlet = Configuration.Inlet(.http(address, tokenFile: tokenFile))
    if let most = keys["most"] {
      guard let count = mostDevices(most, keys.path("most")) else { return nil }
      inlet.most = count
    }
    return inlet
  }

  /// The path of a file with a token, or of one that can be made.
  private mutating func token(_ node: Node, _ path: String) -> String? {
    guard let text = name(node, path, expected: "a file such as phones.token") else { return nil }
    let token = ConfigurationFile.resolve(text, besides: file)
    if let problem = TokenFile.problem(of: token) {
      note(node, path, found: "\(text): \(problem)", expected: "")
    }
    return token
  }

  /// The most devices of a source.
  mutating func mostDevices(_ node: Node, _ path: String) -> Int? {
    if let count = Self.text(node).flatMap({ Int($0) }), 1...100_000 ~= count { return count }
    note(node, path, expected: "a number of devices from 1 to 100000")
    return nil
  }
}
