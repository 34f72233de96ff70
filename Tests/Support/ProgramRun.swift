internal import Foundation

/// Runs a program to its end.
@discardableResult
package func runProgram(
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
