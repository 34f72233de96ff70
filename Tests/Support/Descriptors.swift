internal import Foundation

/// What a program that is being started has until it runs: the open files of who starts it.
package enum Descriptors {
  /// A second descriptor of each open file of this process at `path`; to be closed.
  package static func copies(of path: String) throws -> [Int32] {
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let originals = names.compactMap { Int32($0) }.filter {
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      return target == resolved
    }
    return originals.map { dup($0) }
  }
}
