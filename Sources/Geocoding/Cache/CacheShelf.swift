/// Answers in memory, at most so many: those that were used least lately go first.
struct CacheShelf: Sendable {
  /// An answer as it is written.
  struct Entry: Sendable, Hashable {
    /// When it was asked, seconds since 1970.
    let time: Int64
    /// JSON of the places.
    let body: [UInt8]
    /// The same, once it was read.
    var places: [CachedPlace]?

    /// Whether nothing is known.
    var isNothing: Bool { body == Self.nothing }

    static let nothing = Array("[]".utf8)
  }

  private struct Place: Sendable {
    var entry: Entry
    var used: Int
  }

  let limit: Int
  private var places: [String: Place] = [:]
  private var uses = 0

  init(limit: Int) { self.limit = limit }

  var count: Int { places.count }

  func holds(_ key: String) -> Bool { places[key] != nil }

  /// The answer of a key, which counts as a use.
  mutating func use(_ key: String) -> Entry? {
    uses += 1
    places[key]?.used = uses
    return places[key]?.entry
  }

  mutating func put(_ entry: Entry, for key: String) {
    putUntrimmed(entry, for: key)
    trim()
  }

  /// Puts many, the one that was used least lately first.
  mutating func put(_ entries: [(key: String, entry: Entry)]) {
    for (key, entry) in entries { putUntrimmed(entry, for: key) }
    trim()
  }

  mutating func remove(_ key: String) { places[key] = nil }

  /// Spares reading an answer again.
  mutating func remember(_ read: [CachedPlace], of key: String) { places[key]?.entry.places = read }

  /// All, the one that was used least lately first.
  /// - Complexity: O(n log n).
  var entries: [(key: String, entry: Entry)] {
    places.sorted { $0.value.used < $1.value.used }.map { ($0.key, $0.value.entry) }
  }

  private mutating func putUntrimmed(_ entry: Entry, for key: String) {
    uses += 1
    places[key] = Place(entry: entry, used: uses)
  }

  /// - Complexity: O(n) where one has to go, as it is at most once a request.
  private mutating func trim() {
    switch places.count - limit {
    case ...0: return
    case 1: places.min { $0.value.used < $1.value.used }.map { remove($0.key) }
    case let excess: for (key, _) in entries.prefix(excess) { remove(key) }
    }
  }
}
