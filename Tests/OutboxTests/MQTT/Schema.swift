import Foundation
import TestSupport
import Testing

@testable import Outbox

/// A schema of `Schemas`, checked by Python's jsonschema.
struct Schema {
  let name: String
  private var cases: [String] = []

  init(_ name: String) { self.name = name }

  /// Debian's package is for Debian's own Python.
  static let isInstalled =
    (try? run("/usr/bin/python3", ["-c", "import jsonschema"]).code) == 0

  /// Adds a message whose payload is JSON.
  mutating func add(_ definition: String, json: String) {
    cases.append(#"{"definition": "\#(definition)", "instance": \#(json)}"#)
  }

  /// Adds a text.
  mutating func add(_ definition: String, text: String) {
    add(definition, json: "\"\(text)\"")
  }

  /// What is invalid, in words.
  func findings() throws -> String {
    let folder = Built.package("Tests/OutboxTests/Schemas").path
    let result = try run(
      "/usr/bin/python3", ["-B", "\(folder)/validate.py", "\(folder)/\(name).json"],
      input: cases.joined(separator: "\n"))
    try #require(!cases.isEmpty)
    return result.code == 0 ? "" : result.output
  }
}

/// Runs a program to its end.
@discardableResult
func run(
  _ path: String, _ arguments: [String], input: String = ""
) throws -> (code: Int32, output: String) {
  let folder = try ScratchFolder()
  try folder.write("input", input)
  try folder.write("output", "")
  let process = Process()
  process.executableURL = URL(fileURLWithPath: path)
  process.arguments = arguments
  process.standardInput = FileHandle(forReadingAtPath: folder.file("input"))
  let output = FileHandle(forWritingAtPath: folder.file("output"))
  process.standardOutput = output
  process.standardError = output
  try process.run()
  try process.waitForEnd()
  return (process.terminationStatus, try folder.read("output"))
}
