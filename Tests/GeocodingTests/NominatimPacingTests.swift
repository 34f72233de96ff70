import Foundation
import Geocoding
import Geodesy
import HTTP
import TestSupport
import Testing

@Suite("The pace of requests to a server", .timeLimit(.minutes(90))) struct NominatimPacingTests {
  private static let found = #"{"lat":"1","lon":"2","name":"here"}"#
  private let place = Coordinate(latitude: 1, longitude: 2)

  private func geocoder(
    _ server: FakeTransport, interval: Duration = .seconds(1), attempts: Int = 3
  ) throws -> NominatimGeocoder {
    let configuration = try NominatimGeocoder.Configuration(
      server: "https://nominatim.example", contact: "me@example.org", interval: interval,
      attempts: attempts)
    return NominatimGeocoder(configuration, transport: server, clock: server.clock)
  }

  @Test("requests are made one at a time, in order, and a second after the one before") func order()
    async throws
  {
    let server = FakeTransport(delay: .milliseconds(300)) { _, _ in .json(Self.found) }
    let geocoder = try geocoder(server)
    server.hold(true)
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<30 {
      tasks.append(
        Task { _ = try await geocoder.reverse(Coordinate(latitude: Double(number), longitude: 0)) })
      try await eventually("\(number) requests to wait") {
        server.requests.count == 1 && geocoder.waitingCount == number
      }
    }
    server.hold(false)
    for task in tasks { try await task.value }
    #expect(
      server.requests.map(\.items["lat"]) == (0..<30).map { String(format: "%d.0000000", $0) })
    #expect(server.requests.map(\.time) == (0..<30).map { .milliseconds(1300 * $0) })
  }

  @Test("infrequent requests do not wait") func seldom() async throws {
    let server = FakeTransport(Self.found)
    let geocoder = try geocoder(server)
    for _ in 0..<3 {
      _ = try await geocoder.reverse(place)
      server.pass(.seconds(1))
    }
    #expect(server.sleeps.isEmpty)
    _ = try await geocoder.reverse(place)
    server.pass(.milliseconds(400))
    _ = try await geocoder.reverse(place)
    #expect(server.sleeps == [.milliseconds(600)])
  }

  @Test("a failed request counts like any other") func failed() async throws {
    let server = FakeTransport([.failure(.unreachable("down")), .json(Self.found)])
    let geocoder = try geocoder(server, interval: .seconds(5))
    await #expect(throws: GeocoderError.self) { try await geocoder.reverse(place) }
    _ = try await geocoder.reverse(place)
    #expect(server.sleeps == [.seconds(5)])
  }

  @Test("a request to a busy server is retried after 2, 4, 8 s", arguments: [429, 503])
  func backOff(status: Int) async throws {
    let busy = FakeTransport.Answer.json("", status: status)
    let server = FakeTransport([busy, busy, busy, .json(Self.found)])
    #expect(try await geocoder(server, attempts: 4).reverse(place).count == 1)
    #expect(server.sleeps == [.seconds(2), .seconds(4), .seconds(8)])
  }

  @Test(
    "a request to a busy server is retried after Retry-After",
    arguments: [
      ("7", nil, 7), (" 0 ", nil, 1), ("Sun, 06 Nov 1994 08:49:50 GMT", nil, 13),
      ("Sun, 06 Nov 1994 08:49:50 GMT", "Sun, 06 Nov 1994 08:49:30 GMT", 20),
      ("Sun, 06 Nov 1994 08:00:00 GMT", nil, 1), ("-1", nil, 2), ("soon", nil, 2),
      ("Sun, 99 Nov 1994 08:00:00 GMT", nil, 2), ("Sunday, 06-Nov-94 08:49:50 GMT", nil, 2),
    ] as [(String, String?, Int)])
  func retryAfter(text: String, date: String?, seconds: Int) async throws {
    var headers = ["retry-after": text]
    headers["date"] = date
    let server = FakeTransport([.json("", status: 503, headers: headers), .json(Self.found)])
    #expect(try await geocoder(server).reverse(place).count == 1)
    #expect(server.sleeps == [.seconds(seconds)])
  }

  @Test("a server that stays busy fails, and the next request waits as well")
  func givenUp() async throws {
    let server = FakeTransport([.json("", status: 429, headers: ["retry-after": "50"])])
    let geocoder = try geocoder(server, attempts: 2)
    await #expect(
      throws: GeocoderError.network(
        "https://nominatim.example/ is busy (status 429, 2 attempts); try again later")
    ) { try await geocoder.reverse(place) }
    #expect(server.requests.map(\.time) == [.zero, .seconds(50)])
    await #expect(throws: GeocoderError.self) { try await geocoder.reverse(place) }
    #expect(server.requests[2].time == .seconds(100))
  }

  @Test(
    "a request fails if a busy server asks for more than a minute", arguments: ["61", "99999999"])
  func patience(seconds: String) async throws {
    let server = FakeTransport([
      .json("", status: 429, headers: ["retry-after": seconds]), .json(Self.found),
    ])
    let geocoder = try geocoder(server)
    for _ in 0..<3 {
      let error = await #expect(throws: GeocoderError.self) { try await geocoder.reverse(place) }
      #expect(try #require(error).description.contains("is busy for another"))
    }
    #expect(server.requests.count == 1)
    #expect(server.sleeps.isEmpty)
    server.pass(.seconds(604_800))
    #expect(try await geocoder.reverse(place).count == 1)
  }

  @Test("an interval above a minute is waited for") func longInterval() async throws {
    let server = FakeTransport(Self.found)
    let geocoder = try geocoder(server, interval: .seconds(3600))
    for _ in 0..<2 { _ = try await geocoder.reverse(place) }
    #expect(server.sleeps == [.seconds(3600)])
  }

  @Test("a request is cancelled while it waits, and the next one has its turn") func cancelWaiting()
    async throws
  {
    let server = FakeTransport(Self.found)
    let geocoder = try geocoder(server)
    server.hold(true)
    let tasks = (0..<3).map { _ in Task { try await geocoder.reverse(place) } }
    try await eventually("2 requests to wait") { geocoder.waitingCount == 2 }
    let first = try #require(server.requests.first)
    #expect(first.time == .zero)
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: GeocoderError.cancelled) { try await task.value }
    }
    #expect(server.requests.count == 1)
    server.hold(false)
    #expect(try await geocoder.reverse(place).count == 1)
    #expect(server.requests.count == 2)
  }

  @Test("a request cancelled while it sleeps sends nothing") func cancelSleeping()
    async throws
  {
    let server = FakeTransport(Self.found)
    let geocoder = try geocoder(server)
    _ = try await geocoder.reverse(place)
    server.stopTime()
    let task = Task { try await geocoder.reverse(place) }
    try await eventually("the pause") { server.sleeps.count == 1 }
    task.cancel()
    await #expect(throws: GeocoderError.cancelled) { try await task.value }
    #expect(server.requests.count == 1)
  }

  @Test("a request cancelled before it starts sends nothing") func cancelledBefore()
    async throws
  {
    let server = FakeTransport(Self.found)
    let geocoder = try geocoder(server)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await geocoder.reverse(place)
    }
    await #expect(throws: GeocoderError.cancelled) { try await task.value }
    #expect(server.requests.isEmpty)
  }

  @Test("each of 200 requests is answered or cancelled, whenever tasks are cancelled") func crowd()
    async throws
  {
    let server = FakeTransport { _, _ in .json(Self.found) }
    let geocoder = try geocoder(server, interval: .zero)
    let tasks = (0..<200).map { _ in Task { try await geocoder.reverse(place) } }
    for (number, task) in tasks.enumerated() where number % 3 == 0 { task.cancel() }
    var (answered, cancelled) = (0, 0)
    for task in tasks {
      switch await task.result {
      case .success(let places): answered += places.count
      case .failure(let error): cancelled += error as? GeocoderError == .cancelled ? 1 : 0
      }
    }
    #expect(answered + cancelled == 200)
    #expect(cancelled <= 67)
    #expect(geocoder.waitingCount == 0)
    #expect(try await geocoder.reverse(place).count == 1)
  }
}
