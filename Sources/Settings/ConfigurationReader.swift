internal import Text
internal import Tracking
internal import Yams

/// Reads the values of a config and notes errors.
///
/// It does not stop at an error, so all errors are reported at once.
struct ConfigurationReader {
  /// Reads an included file.
  typealias Load = (String) throws(ConfigurationFile.Failure) -> [UInt8]

  let file: String
  let load: Load
  /// Whether the program places fences by fixes (`center: here`).
  let placesFences: Bool
  var configuration = Configuration()
  private(set) var problems: [ConfigurationProblem] = []
  var ids = FenceIDs()
  /// How many more nodes may be visited.
  ///
  /// A file has fewer nodes than bytes, but aliases of aliases can expand to any number.
  private var visitsLeft: Int
  /// How many more bytes the included files may have in total.
  var includedBytesLeft = 256 << 20
  /// How many visits aliases may add to those that the file's size allows.
  private static let aliasedVisits = 100_000

  init(file: String, size: Int, placesFences: Bool = false, load: @escaping Load) {
    self.file = file
    self.placesFences = placesFences
    self.load = load
    let (sum, overflow) = size.addingReportingOverflow(Self.aliasedVisits)
    visitsLeft = overflow ? .max : sum
  }

  /// The problems of the config by place, then those of included files.
  var sortedProblems: [ConfigurationProblem] {
    let own = problems.filter { $0.place.file == file }
    let others = problems.filter { $0.place.file != file }
    // Swift's sort is stable: problems at one place keep the order in which they were found.
    return own.sorted {
      ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column)
    } + others
  }

  /// The place of `node`.
  func place(_ node: Node) -> ConfigurationPlace {
    ConfigurationPlace(file: file, line: node.mark?.line ?? 0, column: node.mark?.column ?? 0)
  }

  mutating func note(
    _ node: Node, _ path: String, found: String? = nil, expected: String, advice: String? = nil
  ) {
    note(
      ConfigurationProblem(
        place(node), path, found: found ?? Self.words(for: node), expected: expected,
        advice: advice))
  }

  /// Notes a problem; after too many of them nothing else is read.
  mutating func note(_ problem: ConfigurationProblem) {
    guard problems.count < ConfigurationError.mostProblems else { return }
    problems.append(problem)
    if problems.count == ConfigurationError.mostProblems { visitsLeft = -1 }
  }

  /// A description of `node`: its text, if it has one.
  static func words(for node: Node) -> String {
    if ConfigurationDocument.isNothing(node) { return "nothing" }
    switch node {
    case .scalar(let scalar): return quoted(scalar.string)
    case .sequence(let items): return items.isEmpty ? "an empty list" : "a list"
    case .mapping, .alias: return "a mapping"
    }
  }

  /// `text` in quotes, on one line, shortened if it is long.
  static func quoted(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(60).map { $0.value < 0x20 ? " " : String($0) }
    return "'\(shown.joined().withoutControls)\(text.unicodeScalars.count > 60 ? "…" : "")'"
  }

  /// Counts visits; false when there are too many, which is noted once.
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
  /// Known names that were misspelt, so they are not reported as missing too.
  fileprivate(set) var misspelt: Set<String> = []

  init(node: Node, path: String) { (self.node, self.path) = (node, path) }

  /// A mapping with one key, whose value stands for it.
  init(node: Node, path: String, shorthand: String) {
    self.init(node: node, path: path)
    pairs[shorthand] = (node, node)
    self.shorthand = shorthand
  }

  private var shorthand: String?

  subscript(name: String) -> Node? { pairs[name]?.value }

  /// Whether the key is present, spelt correctly or not.
  func has(_ name: String) -> Bool { pairs[name] != nil || misspelt.contains(name) }

  /// The path of a key.
  func path(_ name: String) -> String {
    if name == shorthand { return path }
    return path.isEmpty ? name : "\(path).\(name)"
  }
}

extension ConfigurationReader {
  /// The keys of `node`; nil, with a problem noted, when it is not a mapping.
  ///
  /// Unknown keys are problems.
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

  /// Notes an unknown key and returns the similar known one.
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

  /// The items of the list `node`; nil, with a problem noted, when it is not a list.
  mutating func list(_ node: Node, _ path: @autoclosure () -> String, expected: String) -> [Node]? {
    guard case .sequence(let items) = node else {
      note(node, path(), expected: expected)
      return nil
    }
    return mayVisit(items.count, node) ? Array(items) : nil
  }
}
