import Geocoding
import Geodesy
import Testing

@Suite("The geocoder with a table") struct StubGeocoderTests {
  @Test("the nearest entry that reaches the coordinate comes first") func nearest() async throws {
    let stub = StubGeocoder([.init(tower, radius: 5000), .init(gate)])
    let places = try await stub.reverse(beside(gate))
    #expect(places.map(\.name) == ["Brandenburger Tor", "Fernsehturm"])
    #expect(try #require(places[0].distance).rounded() == 11)
    #expect(try await stub.reverse(beside(gate, steps: 20)).map(\.name) == ["Fernsehturm"])
  }

  @Test("where no entry reaches there is no result") func noResult() async {
    let stub = StubGeocoder([.init(gate)])
    await #expect(throws: GeocoderError.noResult) { try await stub.reverse(tower.coordinate) }
    await #expect(throws: GeocoderError.noResult) { try await stub.forward("Paris") }
  }

  @Test("entries at the same distance answer in the order of the table") func ties() async throws {
    let names = (1...20).map { "place \($0)" }
    let stub = StubGeocoder(
      names.map { .init(GeocodedPlace(coordinate: gate.coordinate, name: $0)) })
    #expect(try await stub.reverse(gate.coordinate).map(\.name) == names)
  }

  @Test(
    "only letters and digits of a text count, in any case",
    arguments: ["Brandenburger Tor", "brandenburger, TOR", " Brandenburger-Tor."])
  func normalized(text: String) async throws {
    let places = try await StubGeocoder([.init(tower), .init(gate)]).forward(text)
    #expect(places.map(\.name) == ["Brandenburger Tor"])
    #expect(places[0].distance == nil)
  }

  @Test("composed and decomposed letters are the same") func composition() async throws {
    let stub = StubGeocoder([.init(gate, names: ["Z\u{FC}rich"])])
    #expect(try await stub.forward("ZU\u{308}RICH").count == 1)
  }

  @Test("a place in the requested area comes before the others") func near() async throws {
    let stub = StubGeocoder([.init(gate), .init(tower)])
    #expect(try await stub.forward("Berlin").map(\.name) == ["Brandenburger Tor", "Fernsehturm"])
    let near = Circle(center: tower.coordinate, radius: 500)
    #expect(
      try await stub.forward("Berlin", near: near).map(\.name)
        == ["Fernsehturm", "Brandenburger Tor"])
  }

  @Test("an entry in the requested language comes before one without a language") func language()
    async throws
  {
    var english = gate
    english.name = "Brandenburg Gate"
    let stub = StubGeocoder([.init(gate), .init(english, language: "en")])
    #expect(try await stub.reverse(gate.coordinate, language: "en").map(\.name) == [english.name])
    #expect(try await stub.reverse(gate.coordinate, language: "fr").map(\.name) == [gate.name])
    #expect(try await stub.reverse(gate.coordinate).map(\.name) == [gate.name])
  }

  @Test("a failing entry fails, unless a better one answers") func failure() async throws {
    let area = Circle(center: gate.coordinate, radius: 1000)
    let stub = StubGeocoder([
      .init(.network("down"), in: area, names: ["gate"]), .init(gate, names: ["gate", "tor"]),
      .init(.partialResult, in: Circle(center: beside(gate), radius: 1), names: ["tor"]),
    ])
    await #expect(throws: GeocoderError.network("down")) { try await stub.forward("gate") }
    await #expect(throws: GeocoderError.partialResult) { try await stub.reverse(beside(gate)) }
    #expect(try await stub.forward("tor").count == 1)
  }

  @Test("a bad request does not reach the table") func badRequest() async {
    let stub = StubGeocoder([.init(gate)])
    await #expect(throws: GeocoderError.self) {
      try await stub.reverse(Coordinate(latitude: .nan, longitude: 0))
    }
    #expect(stub.requestCount == 0)
  }
}

@Suite("Held answers", .timeLimit(.minutes(90))) struct HeldAnswerTests {
  @Test("an answer waits until it is released") func release() async throws {
    let stub = StubGeocoder([.init(gate, delay: .untilReleased)])
    async let places = stub.reverse(gate.coordinate)
    await stub.waitUntilPending()
    #expect(stub.pendingCount == 1)
    stub.release()
    #expect(try await places.count == 1)
    #expect(stub.pendingCount == 0)
    #expect(stub.requestCount == 1)
  }

  @Test("the oldest answers are released first, no more than requested") func order() async throws {
    let stub = StubGeocoder([
      .init(gate, delay: .untilReleased), .init(tower, delay: .untilReleased),
    ])
    async let first = stub.reverse(gate.coordinate)
    await stub.waitUntilPending(1)
    async let second = stub.reverse(tower.coordinate)
    await stub.waitUntilPending(2)
    stub.release(0)
    stub.release(-1)
    #expect(stub.pendingCount == 2)
    stub.release(1)
    #expect(try await first.map(\.name) == ["Brandenburger Tor"])
    #expect(stub.pendingCount == 1)
    stub.release(1)
    #expect(try await second.map(\.name) == ["Fernsehturm"])
  }

  @Test("an answer waits for a number of other requests") func requests() async throws {
    let stub = StubGeocoder([.init(gate, delay: .requests(2)), .init(tower)])
    async let held = stub.reverse(gate.coordinate)
    await stub.waitUntilPending()
    _ = try await stub.reverse(tower.coordinate)
    #expect(stub.pendingCount == 1)
    await #expect(throws: GeocoderError.noResult) { try await stub.forward("nowhere") }
    #expect(try await held.map(\.name) == ["Brandenburger Tor"])
  }

  @Test("cancelling a task cancels its held answer") func cancel() async {
    let stub = StubGeocoder([.init(gate, delay: .untilReleased)])
    let task = Task { try await stub.reverse(gate.coordinate) }
    await stub.waitUntilPending()
    task.cancel()
    await #expect(throws: GeocoderError.cancelled) { try await task.value }
    #expect(stub.pendingCount == 0)
    stub.release()
  }

  @Test("a task cancelled before its request is cancelled", arguments: [true, false])
  func cancelledBefore(isHeld: Bool) async {
    let stub = StubGeocoder([.init(gate, delay: isHeld ? .untilReleased : .none)])
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await stub.reverse(gate.coordinate)
    }
    await #expect(throws: GeocoderError.cancelled) { try await task.value }
  }

  @Test("a caller waiting for a held answer may be cancelled") func watcher() async {
    let stub = StubGeocoder([])
    let task = Task { await stub.waitUntilPending(7) }
    task.cancel()
    await task.value
    #expect(stub.pendingCount == 0)
  }

  @Test("1,000 held answers are released or cancelled once each") func many() async {
    let stub = StubGeocoder([.init(gate, delay: .untilReleased)])
    let tasks = (0..<1000).map { _ in Task { try await stub.reverse(gate.coordinate) } }
    for (number, task) in tasks.enumerated() where number % 4 == 0 {
      task.cancel()
      await #expect(throws: GeocoderError.cancelled) { try await task.value }
    }
    await stub.waitUntilPending(750)
    stub.release()
    var answered = 0
    for task in tasks { answered += (try? await task.value)?.count ?? 0 }
    #expect(answered == 750)
    #expect(stub.pendingCount == 0)
  }
}
