import Foundation
import Geocoding
import Geodesy
import Locking
import TestSupport
import Testing

/// A clock that goes when the test says so.
final class HandClock: Sendable {
  private let seconds = Mutex(1_700_000_000.0)
  func pass(_ seconds: Double) { self.seconds.withLock { $0 += seconds } }
  var now: @Sendable () -> Date {
    { Date(timeIntervalSince1970: self.seconds.withLock { $0 }) }
  }
}

@Suite("A cache in memory", .timeLimit(.minutes(90))) struct CachedGeocoderTests {
  private let clock = HandClock()
  private let stub = StubGeocoder([
    .init(gate, radius: 1_000, names: ["gate", "Gate"]),
    .init(.network("down"), in: Circle(center: tower.coordinate, radius: 1_000), names: ["tower"]),
  ])

  private func cache(
    _ geocoder: (any Geocoder)? = nil, limit: Int = 100, cell: Double = 100
  ) throws -> CachedGeocoder {
    CachedGeocoder(
      geocoder ?? stub, try .init(cell: cell, limit: limit), now: clock.now)
  }

  /// A geocoder that never knows at once.
  private struct Asked: Geocoder {
    let inner: StubGeocoder

    func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace] {
      try await inner.places(for: request)
    }
  }

  @Test("coordinates in one cell share a request, and each gets its own distance") func cells()
    async throws
  {
    let cache = try cache()
    let asked = gate.coordinate
    for step in 0..<10 {
      let near = asked.destination(bearing: 90, distance: Double(step))
      let place = try await cache.reverse(near)[0]
      #expect(place.distance == gate.coordinate.distance(to: near))
      #expect(place.coordinate == gate.coordinate)
      #expect(place.name == gate.name)
    }
    #expect(stub.requestCount == 1)
    _ = try await cache.reverse(asked.destination(bearing: 90, distance: 300))
    #expect(stub.requestCount == 2)
  }

  @Test("a distance that is not that of the place stays as it is") func offshore() async throws {
    var sea = gate
    sea.distance = 15_000
    sea.horizontalAccuracy = 15_000
    let cache = try cache(FixedGeocoder(answer: .success([sea])))
    for distance in [0.0, 9] {
      let near = gate.coordinate.destination(bearing: 90, distance: distance)
      #expect(try await cache.reverse(near) == [sea])
    }
    #expect(cache.count == 1)
  }

  @Test("a name that was no better than its distance is dropped") func accuracy() async throws {
    var place = gate
    place.horizontalAccuracy = 20
    let cache = try cache(StubGeocoder([.init(place, radius: 1_000)]), cell: 1_000)
    #expect(try await cache.reverse(gate.coordinate)[0].horizontalAccuracy == 20)
    let far = gate.coordinate.destination(bearing: 90, distance: 40)
    let places = try await cache.reverse(far)
    #expect(places[0].horizontalAccuracy == places[0].distance)
  }

  @Test("languages, texts and areas are kept apart") func apart() async throws {
    let cache = try cache()
    let near = Circle(center: gate.coordinate, radius: 100)
    for _ in 0..<2 {
      for language in [nil, "de", "*", "", "de:1,2"] {
        _ = try await cache.reverse(gate.coordinate, language: language)
        _ = try await cache.forward("gate", language: language)
        _ = try await cache.forward("gate", near: near, language: language)
      }
      _ = try await cache.forward("Gate")
      _ = try await cache.forward("gate", near: Circle(center: gate.coordinate, radius: 101))
    }
    #expect(stub.requestCount == 17)
    #expect(cache.count == 17)
  }

  @Test("empty answers are kept for a day, and places for thirty") func lifetimes()
    async throws
  {
    let cache = try cache()
    for (seconds, count) in [(0.0, 2), (86_399, 2), (1, 3), (29 * 86_400 - 1, 4), (1, 5)] {
      clock.pass(seconds)
      _ = try await cache.forward("gate")
      await #expect(throws: GeocoderError.noResult) { try await cache.forward("nowhere") }
      #expect(stub.requestCount == count, "after another \(seconds) s")
    }
  }

  @Test("answers saved by a clock that was ahead are requested again") func clockBack() async throws
  {
    let cache = try cache()
    _ = try await cache.forward("gate")
    clock.pass(-10)
    _ = try await cache.forward("gate")
    _ = try await cache.forward("gate")
    #expect(stub.requestCount == 2)
  }

  @Test("failures other than no result are not kept") func failures() async throws {
    let cache = try cache()
    for _ in 0..<3 {
      await #expect(throws: GeocoderError.network("down")) { try await cache.forward("tower") }
    }
    #expect(stub.requestCount == 3)
    #expect(cache.count == 0)
  }

  @Test("the least recently used answer is evicted first") func eviction() async throws {
    let cache = try cache(limit: 3)
    let places = (0..<4).map { gate.coordinate.destination(bearing: 0, distance: Double($0) * 200) }
    for place in places[0..<3] { _ = try await cache.reverse(place) }
    _ = try await cache.reverse(places[0])
    _ = try await cache.reverse(places[3])
    #expect(cache.count == 3)
    #expect(stub.requestCount == 4)
    for place in [places[0], places[2], places[3]] { _ = try await cache.reverse(place) }
    #expect(stub.requestCount == 4)
    _ = try await cache.reverse(places[1])
    #expect(stub.requestCount == 5)
    #expect(cache.count == 3)
  }

  @Test("an immediate lookup uses the cache, else what the geocoder knows immediately")
  func atOnce()
    async throws
  {
    let request = try GeocoderRequest.reverse(gate.coordinate)
    let kept = try cache(Asked(inner: stub))
    #expect(kept.answerAtOnce(to: request) == nil)
    let places = try await kept.reverse(gate.coordinate)
    #expect(kept.answerAtOnce(to: request) == .success(places))
    await #expect(throws: GeocoderError.noResult) { try await kept.forward("nowhere") }
    #expect(kept.answerAtOnce(to: try .forward("nowhere")) == .failure(.noResult))
    let direct = try cache(Gazetteer())
    #expect(direct.answerAtOnce(to: request) == Gazetteer().answerAtOnce(to: request))
  }

  @Test("an answer that cannot be saved is still returned") func unwritable() async throws {
    var place = gate
    place.horizontalAccuracy = .infinity
    let cache = try cache(StubGeocoder([.init(place)]))
    #expect(try await cache.reverse(gate.coordinate)[0].horizontalAccuracy == .infinity)
    #expect(cache.count == 0)
  }
}

@Suite("Shared requests", .timeLimit(.minutes(90))) struct SingleFlightTests {
  private let stub = StubGeocoder([.init(gate, radius: 1_000, delay: .untilReleased)])

  private func cache() throws -> CachedGeocoder { CachedGeocoder(stub, try .init()) }

  @Test("a hundred concurrent lookups share one request, and each gets its own distance")
  func hundred()
    async throws
  {
    let cache = try cache()
    let places = (0..<100).map {
      gate.coordinate.destination(bearing: 90, distance: Double($0) / 100)
    }
    let tasks = places.map { place in Task { try await cache.reverse(place) } }
    try await eventually("100 requests to wait") { cache.waitingCount == 100 }
    await stub.waitUntilPending()
    stub.release()
    for (place, task) in zip(places, tasks) {
      #expect(try await task.value[0].distance == gate.coordinate.distance(to: place))
    }
    #expect(stub.requestCount == 1)
    #expect(cache.waitingCount == 0)
  }

  @Test("cancelling one caller does not cancel the others") func cancelOne() async throws {
    let cache = try cache()
    let tasks = (0..<100).map { _ in Task { try await cache.reverse(gate.coordinate) } }
    try await eventually("100 requests to wait") { cache.waitingCount == 100 }
    await stub.waitUntilPending()
    for task in tasks[0..<99] {
      task.cancel()
      await #expect(throws: GeocoderError.cancelled) { try await task.value }
    }
    #expect(cache.waitingCount == 1)
    stub.release()
    #expect(try await tasks[99].value.count == 1)
    #expect(stub.requestCount == 1)
  }

  @Test("once all callers are cancelled the request is, and the next caller sends a new one")
  func cancelAll()
    async throws
  {
    let cache = try cache()
    let tasks = (0..<10).map { _ in Task { try await cache.reverse(gate.coordinate) } }
    try await eventually("10 requests to wait") { cache.waitingCount == 10 }
    await stub.waitUntilPending()
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: GeocoderError.cancelled) { try await task.value }
    }
    try await eventually("no pending answer") { stub.pendingCount == 0 }
    #expect(cache.count == 0)
    let next = Task { try await cache.reverse(gate.coordinate) }
    await stub.waitUntilPending()
    stub.release()
    #expect(try await next.value.count == 1)
    #expect(stub.requestCount == 2)
  }

  @Test("a caller cancelled before its request sends nothing") func cancelledBefore() async throws {
    let cache = try cache()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await cache.reverse(gate.coordinate)
    }
    await #expect(throws: GeocoderError.cancelled) { try await task.value }
    #expect(stub.requestCount == 0)
  }

  @Test("a failure is reported to every waiting caller") func failure() async throws {
    let area = Circle(center: gate.coordinate, radius: 100)
    let down = StubGeocoder([.init(.network("down"), in: area, delay: .untilReleased)])
    let cache = CachedGeocoder(down, try .init())
    let tasks = (0..<10).map { _ in Task { try await cache.reverse(gate.coordinate) } }
    try await eventually("10 requests to wait") { cache.waitingCount == 10 }
    await down.waitUntilPending()
    down.release()
    for task in tasks {
      await #expect(throws: GeocoderError.network("down")) { try await task.value }
    }
    #expect(down.requestCount == 1)
  }
}
