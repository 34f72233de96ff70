/// Answers in memory: a limited number, of which the least recently used are dropped first.
struct AnswerCache: Sendable {
  /// An answer in its stored form.
  struct Entry: Sendable, Hashable {
    /// The time of the request, seconds since 1970.
    let time: Int64
    /// The places as JSON.
    let body: [UInt8]
    /// The decoded places, after the first use.
    var places: [CachedPlace]?

    /// Whether it has no places.
    var isEmpty: Bool { body == Self.empty }

    static let empty = Array("[]".utf8)
  }

  private struct Slot: Sendable {
    var entry: Entry
    var used: Int
  }

  /// The most answers, at least 1.
  let limit: Int
  private var slots: [String: Slot] = [:]
  /// Uses so far: the time of the last use of a slot.
  private var uses = 0

  /// Makes an empty cache.
  init(limit: Int) { self.limit = limit }

  var count: Int { slots.count }

  /// Whether there is an answer; this is no use of it.
  func contains(_ key: String) -> Bool { slots[key] != nil }

  /// The answer for a key, which counts as a use.
  mutating func use(_ key: String) -> Entry? {
    uses += 1
    slots[key]?.used = uses
    return slots[key]?.entry
  }

  /// Adds an answer, or replaces the one of its key.
  mutating func insert(_ entry: Entry, for key: String) {
    insertUntrimmed(entry, for: key)
    trim()
  }

  /// Inserts many, the least recently used first.
  mutating func insert(_ entries: [(key: String, entry: Entry)]) {
    for (key, entry) in entries { insertUntrimmed(entry, for: key) }
    trim()
  }

  /// Drops the answer of a key, if there is one.
  mutating func remove(_ key: String) { slots[key] = nil }

  /// Stores the decoded form of an answer.
  mutating func setPlaces(_ places: [CachedPlace], for key: String) {
    slots[key]?.entry.places = places
  }

  /// All answers, the least recently used first.
  /// - Complexity: O(n log n).
  var entries: [(key: String, entry: Entry)] {
    slots.sorted { $0.value.used < $1.value.used }.map { ($0.key, $0.value.entry) }
  }

  private mutating func insertUntrimmed(_ entry: Entry, for key: String) {
    uses += 1
    slots[key] = Slot(entry: entry, used: uses)
  }

  /// - Complexity: O(n) to drop one answer, at most once per request.
  private mutating func trim() {
    switch slots.count - limit {
    case ...0: return
    case 1: slots.min { $0.value.used < $1.value.used }.map { remove($0.key) }
    case let excess: for (key, _) in entries.prefix(excess) { remove(key) }
    }
  }
}
