import Foundation

/// Writes a program that can be started at once.
///
/// Another process writes it. What this one has open for writing is open in each child that another
/// thread starts meanwhile, until that one runs its own program; and what is open for writing cannot
/// be started ("text file busy").
public func writeExecutable(_ text: String, to path: String, mode: Int = 0o700) throws {
  let source = "\(path).source"
  try Data(text.utf8).write(to: URL(fileURLWithPath: source))
  defer { try? FileManager.default.removeItem(atPath: source) }
  let writer = Process()
  writer.executableURL = URL(fileURLWithPath: "/usr/bin/install")
  writer.arguments = ["-m", String(mode, radix: 8), source, path]
  try writer.run()
  try writer.waitForEnd()
  guard writer.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
}
