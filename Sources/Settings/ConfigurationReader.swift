internal import Traces
internal import Tracking
internal import Yams

/// Walks through the nodes of a config, reads valid values and notes errors.
///
/// Reading never stops at an error, so all of them are reported at once.
struct ConfigurationReader {
  /// Reads an included file.
  typealias Load = (String) throws(ConfigurationFile.Failure) -> [UInt8]

  let file: String
  let load: Load
  var configuration = Configuration()
  var faults: [ConfigurationFault] = []
  /// The first place of each fence id.
  var placesOfIDs: [String: ConfigurationPlace] = [:]
  /// How many more nodes may be visited.
  ///
  /// A file has fewer nodes than bytes; aliases in aliases can
  /// make any number of them.
  private var visitsLeft: Int
  /// How many more bytes included files may have, all together.
  var includedBytesLeft = 256 << 20
  /// What aliases may add to the visits that the size of the file allows.
  private static let aliasedVisits = 100_000

  init(file: String, size: Int, load: @escaping Load) {
    self.file = file
    self.load = load
    let (sum, overflow) = size.addingReportingOverflow(Self.aliasedVisits)
    visitsLeft = overflow ? .max : sum
  }

  /// The faults of the config itself by place, then those of included files.
  var sortedFaults: [ConfigurationFault] {
    let own = faults.filter { $0.place.file == file }
    let others = faults.filter { $0.place.file != file }
    // Swift's sort is stable, so faults of one place stay in the order in which they were found.
    return own.sorted {
      ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column)
    } + others
  }

  /// Where `node` stands.
  func place(_ node: Node) -> ConfigurationPlace {
    ConfigurationPlace(file: file, line: node.mark?.line ?? 0, column: node.mark?.column ?? 0)
  }

  mutating func note(
    _ node: Node, _ path: String, found: String? = nil, expected: String, advice: String? = nil
  ) {
    faults.append(
      ConfigurationFault(
        place(node), path, found: found ?? Self.words(for: node), expected: expected,
        advice: advice))
  }

  /// What `node` is, in words: its text when it has one.
  static func words(for node: Node) -> String {
    if ConfigurationDocument.isNothing(node) { return "nothing" }
    switch node {
    case .scalar(let scalar): return quoted(scalar.string)
    case .sequence(let items): return items.isEmpty ? "an empty list" : "a list"
    case .mapping, .alias: return "a mapping"
    }
  }

  /// `text` in quotes, on one line and not too long.
  static func quoted(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(60).map { $0.value < 0x20 ? " " : String($0) }
    return "'\(shown.joined().withoutControls)\(text.unicodeScalars.count > 60 ? "…" : "")'"
  }

  /// Counts visits; false when there have been too many, which is noted once.
  mutating func mayVisit(_ count: Int, _ node: Node) -> Bool {
    guard visitsLeft >= 0 else { return false }
    visitsLeft -= count
    guard visitsLeft < 0 else { return true }
    note(
      node, "", found: "aliases that expand to more than the file could hold",
      expected: "fewer aliases of aliases")
    return false
  }
}

/// The keys of one mapping, looked up by name.
struct ConfigurationKeys {
  let node: Node
  let path: String
  fileprivate(set) var pairs: [String: (key: Node, value: Node)] = [:]
  /// Known names for which an unknown one seems to stand, so that they are not called missing too.
  fileprivate(set) var misspelt: Set<String> = []

  subscript(name: String) -> Node? { pairs[name]?.value }

  /// Whether the key is written, well or not.
  func has(_ name: String) -> Bool { pairs[name] != nil || misspelt.contains(name) }

  /// The way to a key.
  func path(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}

extension ConfigurationReader {
  /// The keys of `node`, or nil with a fault when it has none; unknown keys are faults.
  mutating func keys(_ node: Node, _ path: String, known: [String], expected: String)
    -> ConfigurationKeys?
  {
    guard case .mapping(let mapping) = node else {
      note(node, path, expected: expected)
      return nil
    }
    guard mayVisit(mapping.count, node) else { return nil }
    var keys = ConfigurationKeys(node: node, path: path)
    for (key, value) in mapping {
      guard case .scalar(let scalar) = key else {
        note(key, path, expected: "a plain word as a key")
        continue
      }
      if known.contains(scalar.string) {
        keys.pairs[scalar.string] = (key, value)
      } else if let meant = noteUnknown(key, scalar.string, keys.path(scalar.string), known) {
        keys.misspelt.insert(meant)
      }
    }
    return keys
  }

  /// Notes an unknown key and returns the known one that it is near to.
  private mutating func noteUnknown(
    _ node: Node, _ name: String, _ path: String, _ known: [String]
  ) -> String? {
    let meant = NearestName.of(name, in: known)
    note(
      node, path, found: "the unknown key \(Self.quoted(name))",
      expected: known.count == 1 ? known.joined() : "one of \(known.joined(separator: ", "))",
      advice: meant.map { "did you mean '\($0)'?" })
    return meant
  }

  /// The items of the list `node`, or nil with a fault when it is none.
  mutating func list(_ node: Node, _ path: @autoclosure () -> String, expected: String) -> [Node]? {
    guard case .sequence(let items) = node else {
      note(node, path(), expected: expected)
      return nil
    }
    return mayVisit(items.count, node) ? Array(items) : nil
  }
}
