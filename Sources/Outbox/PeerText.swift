internal import Foundation
internal import Text

extension String {
  /// The text with a space for every control character.
  var spacingControls: String {
    var result = ""
    for scalar in unicodeScalars {
      result.unicodeScalars.append(scalar.isControl ? " " : scalar)
    }
    return result
  }

  /// The start of what another program wrote, safe for one line: at most 200 characters.
  var oneLine: String {
    let words = prefix(4_096).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    // A character of Unicode may have any number of scalars.
    return String(String.UnicodeScalarView(words.spacingControls.unicodeScalars.prefix(200)))
  }
}
