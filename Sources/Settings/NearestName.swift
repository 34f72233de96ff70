/// Finds the known name that a misspelt one probably means.
package enum NearestName {
  /// The name in `names` nearest to `word`; nil when none is near.
  ///
  /// Case, `-`, `_` and spaces are ignored. A name is near when the edit distance is at most 1 or a
  /// third of the longer name; of equally near names the first is returned.
  package static func of<Names: Sequence<String>>(_ word: String, in names: Names) -> String? {
    let spelled = letters(word)
    guard !spelled.isEmpty, spelled.count <= longestWord else { return nil }
    var best: (name: String, distance: Int)?
    for name in names {
      let candidate = letters(name)
      let allowed = max(1, max(candidate.count, spelled.count) / 3)
      let distance = distance(spelled, candidate)
      if distance <= allowed, distance < best?.distance ?? .max {
        best = (name, distance)
      }
    }
    return best?.name
  }

  /// Longer words are not names, and comparing them would take long.
  private static let longestWord = 64

  private static func letters(_ word: String) -> [Character] {
    word.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
  }

  /// The edit distance in which a transposition counts once ("optimal string alignment"; Damerau 1964,
  /// Wagner and Fischer 1974).
  static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var before: [Int] = []
    var above = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(above[j + 1] + 1, row[j] + 1, above[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, before[j - 1] + 1)
        }
        row.append(cost)
      }
      (before, above) = (above, row)
    }
    return above[b.count]
  }
}
