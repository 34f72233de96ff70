internal import Foundation

/// A schema of Tests/Peers/Schemas, checked by PyPI's jsonschema.
package struct MessageSchema {
  private let name: String
  private var cases: [String] = []

  package init(_ name: String) { self.name = name }

  /// Adds a message whose payload is JSON.
  package mutating func add(_ definition: String, json: String) {
    cases.append(#"{"definition": "\#(definition)", "instance": \#(json)}"#)
  }

  /// Adds a text.
  package mutating func add(_ definition: String, text: String) {
    add(definition, json: "\"\(text)\"")
  }

  /// What is invalid, in words.
  package func findings() throws -> String {
    guard !cases.isEmpty else { throw NeverHappened(description: "there are no messages") }
    let folder = Built.package("Tests/Peers").path
    let result = try runProgram(
      Built.peerPython().path,
      ["-B", "\(folder)/check-schema.py", "\(folder)/Schemas/\(name).json"],
      input: cases.joined(separator: "\n"))
    return result.code == 0 ? "" : result.output
  }
}
