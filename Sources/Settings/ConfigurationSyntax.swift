internal import Yams

/// Converts the errors of Yams and libyaml to ``ConfigurationProblem``.
struct ConfigurationSyntax {
  let text: ConfigurationText

  func problem(_ error: YamlError) -> ConfigurationProblem {
    switch error {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let (found, expected) = words(problem, context, mark)
      // libyaml notices a missing ':' only on the next line.
      let start = problem == Self.missingColon ? context?.mark : nil
      return ConfigurationProblem(place(start ?? mark), found: found, expected: expected)
    case .duplicatedKeysInMapping(let keys, let context):
      return duplicate(keys, first: context.mark)
    case .reader(let problem, _, _, _):
      return ConfigurationProblem(
        ConfigurationPlace(file: text.file), found: "unreadable text (\(problem))",
        expected: "UTF-8 text")
    default:
      return ConfigurationProblem(
        ConfigurationPlace(file: text.file), found: "a YAML error (\(error))",
        expected: "valid YAML")
    }
  }

  private static let missingColon = "could not find expected ':'"

  private func place(_ mark: Mark) -> ConfigurationPlace {
    ConfigurationPlace(file: text.file, line: mark.line, column: mark.column)
  }

  /// A repeated key: Yams gives the place of the first, users need that of the second.
  private func duplicate(_ keys: [String], first: Mark) -> ConfigurationProblem {
    let key = keys.first ?? ""
    let start = text.offset(line: first.line, column: first.column)
    let second = text.repetition(of: key, after: start).map { text.place(at: $0) }
    let others = keys.dropFirst().map { "'\($0)'" }.joined(separator: " and ")
    return ConfigurationProblem(
      second ?? place(first), found: "the key '\(key)' a second time",
      expected: "it once (first used on line \(first.line))",
      advice: others.isEmpty ? nil : "there are two of \(others) as well")
  }

  private func words(_ problem: String, _ context: YamlError.Context?, _ mark: Mark)
    -> (found: String, expected: String)
  {
    if text.character(line: mark.line, column: mark.column) == "\t" {
      return ("a tab", "spaces, the only indentation that YAML takes")
    }
    let opening = context.map { "line \($0.mark.line), column \($0.mark.column)" } ?? "above"
    switch problem {
    case "found character that cannot start any token": return strayCharacter(mark)
    case "mapping values are not allowed in this context":
      return (
        "a ':' where no key can be",
        "one 'key: value' a line, indented like its neighbours, and quotes around text with ': '"
      )
    case "did not find expected key":
      return ("text that does not fit", "a key indented like the first at \(opening)")
    case "did not find expected '-' indicator":
      return ("text that does not fit", "an item indented like the first '- ' at \(opening)")
    case Self.missingColon: return ("text without a ':'", "'key: value'")
    case "did not find expected ',' or ']'":
      return ("neither ',' nor ']'", "the list that opens at \(opening) to go on or to close")
    case "did not find expected ',' or '}'":
      return ("neither ',' nor '}'", "the mapping that opens at \(opening) to go on or to close")
    default: return rareWords(problem, opening)
    }
  }

  private func rareWords(_ problem: String, _ opening: String) -> (found: String, expected: String)
  {
    switch problem {
    case "found unexpected end of stream":
      return ("the end of the file", "the quote that opens at \(opening) to close")
    case "found undefined alias": return ("an alias without its anchor", "&name before *name")
    case "but found another document": return ("a second document", "one document a file")
    case "did not find expected <document start>":
      return ("more text after the end of the config", "nothing more")
    case _ where problem.hasPrefix("Maximum nesting level"):
      return ("lists nested a thousand deep", "at most the five levels of holes in a polygon")
    default: return ("a YAML error (\(problem))", "valid YAML")
    }
  }

  private func strayCharacter(_ mark: Mark) -> (found: String, expected: String) {
    guard let character = text.character(line: mark.line, column: mark.column) else {
      return ("the end of the file", "a value")
    }
    return ("'\(character)'", "a value, and quotes around text that begins with '\(character)'")
  }
}
