import TestSupport

/// `geocode` with a server and a cache, whose file has a torn end, so that it is written anew.
struct GeocodeScenario: Scenario {
  let name = "geocode"
  let keeps = ["kept/waymark-places.jsonl"]
  private static let cache = "kept/waymark-places.jsonl"
  /// Asked for once a second: the first is in the cache, the second is not.
  private static let places = ["1.0,2.0", "3.0,4.0"]

  func prepare(_ stage: Stage) throws {
    try stage.folder.write(
      "w.yaml",
      "geocoder: {provider: nominatim, url: 'http://127.0.0.1:\(stage.port)', "
        + "contact: me@a.example, cache: kept}\n")
    let outcome = try ask(stage, Array(Self.places.prefix(1)), nil, [:])
    guard outcome.code == 0 else { throw Failure("geocode: \(outcome)") }
    try stage.folder.write(Self.cache, stage.text(Self.cache) + #"{"key":"#)
  }

  func run(
    _ stage: Stage, _ fault: Fault?, _ environment: [String: String]
  ) throws -> Stage.Outcome {
    try ask(stage, Self.places, fault, environment)
  }

  private func ask(
    _ stage: Stage, _ places: [String], _ fault: Fault?, _ environment: [String: String]
  ) throws -> Stage.Outcome {
    stage.peer = Peer { heard in heard.contains("\r\n\r\n") ? Array(Self.answer.utf8) : nil }
    var environment = environment
    // A line of an answer is no line of gpsd's.
    environment["FAULTS_LINES"] = ""
    return try stage.run(
      ["geocode"] + places + ["--config", "w.yaml"], output: "names", fault: fault,
      environment: environment)
  }

  private static let answer: String = {
    let place =
      #"{"lat":"1.001","lon":"2.001","name":"Harbour","address":"#
      + #"{"road":"Quay","town":"Port","country":"Land","country_code":"xx"}}"#
    return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
      + "Content-Length: \(place.utf8.count)\r\n\r\n\(place)"
  }()

  /// What is answered in lines that are whole.
  private static func answers(_ stage: Stage) -> Set<Substring> {
    Set(
      stage.text(cache).split(separator: "\n").filter { $0.hasSuffix("}]") }
        .compactMap { $0.split(separator: " ").dropFirst(2).first })
  }

  func damage(_ stage: Stage, _ expected: Stage) -> String? {
    Self.answers(stage).count >= 1 ? nil : "answers are lost: \(stage.text(Self.cache))"
  }

  func difference(_ stage: Stage, _ expected: Stage) -> String? {
    if Self.answers(stage).count != Self.places.count {
      return "the cache holds \(stage.text(Self.cache))"
    }
    return firstDifference("names", stage.text("names"), expected.text("names"))
  }
}
