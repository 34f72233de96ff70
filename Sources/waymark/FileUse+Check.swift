import ArgumentParser
import System

extension FileUse {
  /// Refuses a command that would write a file which another of its options names.
  static func check(_ uses: [FileUse?]) throws {
    guard let clash = clash(in: uses.compactMap { $0 }) else { return }
    throw ValidationError(
      "\(clash.first.option) and \(clash.second.option) both use '\(clash.path)'; name another file"
    )
  }

  /// The files that a command reads; `-` is standard input.
  static func inputs(_ paths: [String]) -> [FileUse] {
    paths.map { .reading("the input '\($0)'", $0 == "-" ? "/dev/stdin" : $0) }
  }

  /// The config file of a command.
  static func config(_ path: String?) -> FileUse? { path.map { .reading("--config", $0) } }
}
