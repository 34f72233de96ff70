package import Foundation
internal import Locking

/// A geocoder that keeps the answers of another, so that it is asked seldom.
///
/// Coordinates in one cell share an answer, whose distances are those from the coordinate asked for;
/// texts share one if they and the area to look in are the same; languages are kept apart. That
/// nothing is known is kept as well, for a shorter time; other failures are not. Requests that share
/// an answer and come while it is asked for wait for one question: it is given up once all of them
/// are cancelled.
///
/// With a folder, answers outlive the program in a file for its owner alone (mode 0600). Each is
/// written when it comes and has a checksum: what was damaged is left out, and reported. Several
/// programs may use one folder. Whoever can read it learns where somebody was.
public final class CachedGeocoder: Geocoder {
  private typealias Answer = OneShot<Result<[CachedPlace], GeocoderError>>

  /// A question that requests wait for.
  private struct Flight {
    let answer = Answer()
    /// How many wait for it.
    var waiting = 0
    var task: Task<Void, Never>?
  }

  private enum Turn {
    case known([CachedPlace])
    case waits(Answer)
  }

  private struct State {
    var shelf: CacheShelf
    var flights: [String: Flight] = [:]
  }

  private let geocoder: any Geocoder
  private let configuration: Configuration
  private let grid: CoordinateGrid
  private let now: @Sendable () -> Date
  private let state: Mutex<State>
  private let disk: CacheDisk?

  /// Makes a cache, and reads its file if there is one.
  /// - Parameters:
  ///   - geocoder: Whose answers are kept.
  ///   - configuration: What is kept, for how long and where.
  ///   - report: Is told, as a sentence without its full stop, what is wrong with the file: it is
  ///     damaged, belongs to another source, or cannot be read or written. Requests are answered all
  ///     the same.
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
    var shelf = CacheShelf(limit: configuration.limit)
    disk = configuration.folder.map { folder in
      CacheDisk(
        CacheFile(folder: folder, cell: configuration.cell, source: configuration.source),
        isKept: { configuration.isKept($0, at: Self.seconds(now())) }, report: report)
    }
    if let disk { shelf.put(disk.read()) }
    state = Mutex(State(shelf: shelf))
  }

  /// How many answers are kept.
  package var count: Int { state.withLock { $0.shelf.count } }

  /// How many requests wait for questions that are being asked.
  package var waitingCount: Int {
    state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiting } }
  }

  /// The answer that is kept, else that of the geocoder.
  public func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace] {
    guard !Task.isCancelled else { throw .cancelled }
    let key = CacheKey.text(of: request, grid: grid)
    switch turn(request, key) {
    case .known(let places): return try Self.answer(places, to: request).get()
    case .waits(let answer):
      guard let result = await answer.value() else {
        leave(key, answer)
        throw .cancelled
      }
      return try Self.answer(try result.get(), to: request).get()
    }
  }

  /// The answer that is kept, else what the geocoder knows at once.
  public func answerAtOnce(
    to request: GeocoderRequest
  ) -> Result<[GeocodedPlace], GeocoderError>? {
    let key = CacheKey.text(of: request, grid: grid)
    let known = state.withLock { state in kept(key, on: &state.shelf) }
    return known.map { Self.answer($0, to: request) } ?? geocoder.answerAtOnce(to: request)
  }

  private static func answer(
    _ places: [CachedPlace], to request: GeocoderRequest
  ) -> Result<[GeocodedPlace], GeocoderError> {
    places.isEmpty ? .failure(.noResult) : .success(places.map { $0.place(for: request) })
  }

  // MARK: - One question

  /// The answer that is kept, else the question that this request waits for from now on.
  private func turn(_ request: GeocoderRequest, _ key: String) -> Turn {
    state.withLock { state in
      if let known = kept(key, on: &state.shelf) { return .known(known) }
      var flight = state.flights[key] ?? Flight()
      flight.waiting += 1
      if flight.task == nil {
        let answer = flight.answer
        flight.task = Task { await ask(request, key, answer) }
      }
      state.flights[key] = flight
      return .waits(flight.answer)
    }
  }

  /// A request that waited no longer does; the last one gives the question up.
  private func leave(_ key: String, _ answer: Answer) {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard let flight = state.flights[key], flight.answer === answer else { return nil }
      state.flights[key]?.waiting -= 1
      guard flight.waiting == 1 else { return nil }
      state.flights[key] = nil
      return flight.task
    }
    task?.cancel()
  }

  private func ask(_ request: GeocoderRequest, _ key: String, _ answer: Answer) async {
    let result: Result<[CachedPlace], GeocoderError>
    do throws(GeocoderError) {
      let places = try await geocoder.places(for: request)
      result = .success(places.map { CachedPlace($0, answering: request) })
    } catch {
      result = error == .noResult ? .success([]) : .failure(error)
    }
    let entry = (try? result.get()).flatMap { self.entry($0, for: key) }
    let count = state.withLock { state in
      if state.flights[key]?.answer === answer { state.flights[key] = nil }
      if let entry { state.shelf.put(entry, for: key) }
      return state.shelf.count
    }
    if let entry, let disk, disk.append(entry, for: key, count: count) {
      disk.replace(with: state.withLock { $0.shelf })
    }
    answer.set(result)
  }

  // MARK: - What is kept

  /// An answer that is not too old; one that cannot be read any more goes.
  private func kept(_ key: String, on shelf: inout CacheShelf) -> [CachedPlace]? {
    guard let entry = shelf.use(key) else { return nil }
    let time = Self.seconds(now())
    // An answer of the future was kept by another clock: who knows how old it is.
    guard entry.time <= time, configuration.isKept(entry, at: time),
      let places = entry.places ?? Self.places(entry.body)
    else {
      shelf.remove(key)
      return nil
    }
    if entry.places == nil { shelf.remember(places, of: key) }
    return places
  }

  private static func places(_ body: [UInt8]) -> [CachedPlace]? {
    let places = try? JSONDecoder().decode([CachedPlace].self, from: Data(body))
    return places?.allSatisfy(\.isValid) == true ? places : nil
  }

  /// What is kept of an answer; nil if it cannot be.
  private func entry(_ places: [CachedPlace], for key: String) -> CacheShelf.Entry? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard places.allSatisfy(\.isValid), let body = try? encoder.encode(places),
      body.count + key.utf8.count <= CacheLine.contentLimit
    else { return nil }
    return CacheShelf.Entry(time: Self.seconds(now()), body: Array(body), places: places)
  }

  private static func seconds(_ date: Date) -> Int64 {
    Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
  }
}

extension CachedGeocoder.Configuration {
  /// Whether an answer is young enough to be kept at a time in seconds since 1970.
  func isKept(_ entry: CacheShelf.Entry, at time: Int64) -> Bool {
    let lifetime = entry.isNothing ? nothingLifetime : lifetime
    let (age, isOverflown) = time.subtractingReportingOverflow(entry.time)
    return !isOverflown && age < lifetime.components.seconds
  }
}
