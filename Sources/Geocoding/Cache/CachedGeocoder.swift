package import Foundation
internal import Locking

/// A cache in front of another geocoder.
///
/// Coordinates in one cell share an answer, with the distances from each request's own coordinate.
/// Requests by text share an answer if the text and the area are the same. Languages are separate. The
/// answer that nothing is known is stored as well, for a shorter time; other errors are not.
/// Concurrent requests with the same key wait for one request, which is cancelled once all of them are.
///
/// With a folder, answers outlive the program in a file for its owner alone (mode 0600). Each is
/// written at once and has a checksum; damaged ones are dropped and reported. Several programs may use
/// one folder. Anyone who can read it learns where somebody was.
public final class CachedGeocoder: Geocoder {
  private typealias Answer = OneShot<Result<[CachedPlace], GeocoderError>>

  /// A request to the geocoder, with the requests that wait for it.
  ///
  /// It is kept by the key of the requests, so that equal ones become one.
  private struct PendingRequest {
    let answer = Answer()
    /// How many requests wait for it.
    var waiting = 0
    var task: Task<Void, Never>?
  }

  private enum Lookup {
    case cached([CachedPlace])
    case pending(Answer)
  }

  private struct State {
    var cache: AnswerCache
    var pending: [String: PendingRequest] = [:]
  }

  private let geocoder: any Geocoder
  private let configuration: Configuration
  private let grid: CoordinateGrid
  private let now: @Sendable () -> Date
  private let state: Mutex<State>
  private let store: CacheStore?

  /// Makes a cache and reads its file, if any.
  /// - Parameters:
  ///   - geocoder: The geocoder whose answers are stored.
  ///   - configuration: What is stored, for how long and where.
  ///   - report: Called with a sentence, without its full stop, when the file is damaged, belongs to
  ///     another source, or cannot be read or written. Requests work all the same.
  public convenience init(
    _ geocoder: any Geocoder, _ configuration: Configuration,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.init(geocoder, configuration, now: { Date() }, report: report)
  }

  package init(
    _ geocoder: any Geocoder, _ configuration: Configuration, now: @escaping @Sendable () -> Date,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.geocoder = geocoder
    self.configuration = configuration
    self.now = now
    grid = CoordinateGrid(size: configuration.cell)
    var cache = AnswerCache(limit: configuration.limit)
    store = configuration.folder.map { folder in
      CacheStore(
        CacheFile(folder: folder, cell: configuration.cell, source: configuration.source),
        isFresh: { configuration.isFresh($0, at: Self.seconds(now())) }, report: report)
    }
    if let store { cache.insert(store.read()) }
    state = Mutex(State(cache: cache))
  }

  /// How many answers are stored.
  package var count: Int { state.withLock { $0.cache.count } }

  /// How many requests wait for pending ones.
  package var waitingCount: Int {
    state.withLock { $0.pending.values.reduce(0) { $0 + $1.waiting } }
  }

  /// The stored answer, else that of the geocoder.
  ///
  /// - Throws: ``GeocoderError/noResult`` also for a stored answer that nothing is known;
  ///   ``GeocoderError/cancelled`` when the task is cancelled, even if the answer is stored; else
  ///   the error of the geocoder, which is not stored.
  /// - Complexity: O(1) for a stored answer, and O(stored answers) when the least recently used is
  ///   dropped.
  public func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace] {
    guard !Task.isCancelled else { throw .cancelled }
    let key = CacheKey.text(of: request, grid: grid)
    switch lookup(request, key) {
    case .cached(let places): return try Self.answer(places, to: request).get()
    case .pending(let answer):
      guard let result = await answer.value() else {
        leave(key, answer)
        throw .cancelled
      }
      return try Self.answer(try result.get(), to: request).get()
    }
  }

  /// The stored answer, else that of the geocoder if it needs no waiting.
  ///
  /// What the geocoder answers at once is not stored.
  public func answerAtOnce(
    to request: GeocoderRequest
  ) -> Result<[GeocodedPlace], GeocoderError>? {
    let key = CacheKey.text(of: request, grid: grid)
    let stored = state.withLock { state in storedPlaces(key, in: &state.cache) }
    return stored.map { Self.answer($0, to: request) } ?? geocoder.answerAtOnce(to: request)
  }

  private static func answer(
    _ places: [CachedPlace], to request: GeocoderRequest
  ) -> Result<[GeocodedPlace], GeocoderError> {
    places.isEmpty ? .failure(.noResult) : .success(places.map { $0.place(for: request) })
  }

  // MARK: - Pending requests

  /// The stored answer, else the pending request to wait for.
  private func lookup(_ request: GeocoderRequest, _ key: String) -> Lookup {
    state.withLock { state in
      if let stored = storedPlaces(key, in: &state.cache) { return .cached(stored) }
      var pending = state.pending[key] ?? PendingRequest()
      pending.waiting += 1
      if pending.task == nil {
        let answer = pending.answer
        pending.task = Task { await perform(request, key, answer) }
      }
      state.pending[key] = pending
      return .pending(pending.answer)
    }
  }

  /// Stops waiting; the last waiting request cancels the pending one.
  private func leave(_ key: String, _ answer: Answer) {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard let pending = state.pending[key], pending.answer === answer else { return nil }
      state.pending[key]?.waiting -= 1
      guard pending.waiting == 1 else { return nil }
      state.pending[key] = nil
      return pending.task
    }
    task?.cancel()
  }

  /// Makes the request, stores its answer, and wakes the tasks that wait.
  ///
  /// An answer is stored before it is given, so the next request finds it.
  private func perform(_ request: GeocoderRequest, _ key: String, _ answer: Answer) async {
    let result: Result<[CachedPlace], GeocoderError>
    do throws(GeocoderError) {
      let places = try await geocoder.places(for: request)
      result = .success(places.map { CachedPlace($0, answering: request) })
    } catch {
      result = error == .noResult ? .success([]) : .failure(error)
    }
    let entry = (try? result.get()).flatMap { self.entry($0, for: key) }
    let count = state.withLock { state in
      if state.pending[key]?.answer === answer { state.pending[key] = nil }
      if let entry { state.cache.insert(entry, for: key) }
      return state.cache.count
    }
    if let entry, let store, store.append(entry, for: key, count: count) {
      store.replace(with: state.withLock { $0.cache })
    }
    answer.set(result)
  }

  // MARK: - Stored answers

  /// A fresh answer; drops one that is too old or cannot be decoded.
  private func storedPlaces(_ key: String, in cache: inout AnswerCache) -> [CachedPlace]? {
    guard let entry = cache.use(key) else { return nil }
    let time = Self.seconds(now())
    // An answer from the future comes from a wrong clock: its age is unknown.
    guard entry.time <= time, configuration.isFresh(entry, at: time),
      let places = entry.places ?? Self.places(entry.body)
    else {
      cache.remove(key)
      return nil
    }
    if entry.places == nil { cache.setPlaces(places, for: key) }
    return places
  }

  private static func places(_ body: [UInt8]) -> [CachedPlace]? {
    let places = try? JSONDecoder().decode([CachedPlace].self, from: Data(body))
    return places?.allSatisfy(\.isValid) == true ? places : nil
  }

  /// The stored form of an answer; nil if it is too long or invalid.
  private func entry(_ places: [CachedPlace], for key: String) -> AnswerCache.Entry? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard places.allSatisfy(\.isValid), let body = try? encoder.encode(places),
      body.count + key.utf8.count <= CacheLine.contentLimit
    else { return nil }
    return AnswerCache.Entry(time: Self.seconds(now()), body: Array(body), places: places)
  }

  private static func seconds(_ date: Date) -> Int64 {
    Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
  }
}

extension CachedGeocoder.Configuration {
  /// Whether an answer is young enough at a time in seconds since 1970.
  func isFresh(_ entry: AnswerCache.Entry, at time: Int64) -> Bool {
    let lifetime = entry.isEmpty ? nothingLifetime : lifetime
    let (age, isOverflown) = time.subtractingReportingOverflow(entry.time)
    return !isOverflown && age < lifetime.components.seconds
  }
}
