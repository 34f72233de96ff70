internal import Yams

/// A value that takes the place of one in a config file.
package struct ConfigurationChange: Sendable, Hashable {
  /// The setting: `visits.radius`, or `fences.home.radius` for the fence with the id `home`.
  package let key: String
  /// The value as a config has it, such as `50 m`.
  package let value: String

  package init(key: String, value: String) {
    self.key = key
    self.value = value
  }

  /// A change that cannot be made.
  ///
  /// The config was valid before, so whatever is wrong is wrong with the change.
  func error(_ problem: ConfigurationProblem) -> ConfigurationError {
    var problem = problem
    problem.place = ConfigurationPlace(file: "\(key)=\(value)")
    return ConfigurationError([problem])
  }

  /// The document with the change.
  func applied(to root: Node) throws(ConfigurationError) -> Node {
    guard let dot = key.firstIndex(of: "."), dot > key.startIndex,
      key.index(after: dot) < key.endIndex
    else {
      throw failure(
        "no setting in '\(key)'", "one such as fences.home.radius or visits.minimum-stay")
    }
    let (section, name) = (String(key[..<dot]), String(key[key.index(after: dot)...]))
    var root = root
    if section == "fences" {
      try set(name, in: &root)
    } else {
      var inner = root[section] ?? Node([(Node, Node)]())
      guard inner.mapping != nil else {
        throw failure("\(ConfigurationReader.words(for: inner)) as \(section)", "keys and values")
      }
      inner[name] = Node(value)
      root[section] = inner
    }
    return root
  }

  /// Sets `ID.KEY` of the config's own list of fences.
  private func set(_ name: String, in root: inout Node) throws(ConfigurationError) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else {
      throw failure("no fence in '\(key)'", "one such as fences.home.radius")
    }
    let id = String(name[..<dot])
    let fences = root["fences"]?.sequence.map(Array.init) ?? []
    let ids = fences.map { $0["id"].flatMap(ConfigurationReader.text) }
    guard let index = ids.firstIndex(of: id) else {
      throw failure(
        "no fence '\(id)' in the config's own list",
        "the id of a fence that it does not include from another file",
        NearestName.of(id, in: ids.compactMap { $0 }))
    }
    root["fences"]?[index]?[String(name[name.index(after: dot)...])] = Node(value)
  }

  private func failure(
    _ found: String, _ expected: String, _ meant: String? = nil
  ) -> ConfigurationError {
    error(
      ConfigurationProblem(
        ConfigurationPlace(file: ""), found: found, expected: expected,
        advice: meant.map { "did you mean '\($0)'?" }))
  }
}
