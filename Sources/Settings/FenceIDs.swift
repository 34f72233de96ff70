/// The ids of fences, each with the place where it is used first.
///
/// Ids differ in what they look like, as texts of Swift do: `é` is the same as one character and as
/// `e` with an accent.
struct FenceIDs {
  private var places: [String: ConfigurationPlace] = [:]

  /// Whether there is none.
  var isEmpty: Bool { places.isEmpty }

  /// Adds an id; the problem when it is not new.
  /// - Parameters:
  ///   - path: The key path of the id.
  ///   - isKept: Whether ids that are added later are compared with it.
  mutating func add(
    _ id: String, at place: ConfigurationPlace, _ path: String = "", isKept: Bool = true
  ) -> ConfigurationProblem? {
    guard let first = places[id] else {
      if isKept { places[id] = place }
      return nil
    }
    let isInOneFile = first.file == place.file && first.line > 0
    let there = isInOneFile ? "on line \(first.line)" : "at \(first)"
    return ConfigurationProblem(
      place, path, found: "the id \(ConfigurationReader.quoted(id)) a second time",
      expected: "a unique id (first used \(there))")
  }
}
