import Foundation
import TestSupport
import Testing

/// The library that lets calls of a program go wrong, built once a run from `faults.c`.
enum Shim {
  static func path() throws -> String { try library.get() }

  private static let library = Result { try build() }

  /// The file lasts as long as the process.
  private static let target = FileManager.default.temporaryDirectory
    .appendingPathComponent("waymark-faults-\(getpid()).so").path

  private static func build() throws -> String {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("faults.c").path
    atexit { unlink(Shim.target) }
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/bin/sh")
    compiler.arguments = [
      "-c",
      #"for cc in clang gcc cc; do command -v $cc >/dev/null && exec $cc "$@"; done; exit 127"#,
      "cc", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", target, source, "-ldl",
    ]
    try compiler.run()
    try compiler.waitForEnd()
    guard compiler.terminationStatus == 0 else {
      throw Failure("faults.c was not built: \(compiler.terminationStatus)")
    }
    return target
  }
}

/// What went wrong with a test itself.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
