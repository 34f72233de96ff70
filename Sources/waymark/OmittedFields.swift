import ArgumentParser
import Simulation

/// The value of `--without`: fields with commas between them.
enum OmittedFields {
  static func parse(_ text: String) throws -> Set<FixField> {
    let known = FixField.allCases.map(\.rawValue).joined(separator: ", ")
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    return try words.reduce(into: []) { fields, word in
      guard let field = FixField(rawValue: String(word)) else {
        throw ValidationError("found '\(word)', expected one of \(known)")
      }
      fields.insert(field)
    }
  }
}
