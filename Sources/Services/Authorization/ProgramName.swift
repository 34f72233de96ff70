internal import Glibc

/// The name of a program.
package enum ProgramName {
  /// The name of this program's file.
  package static let current: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(
      decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "/").last.map(String.init) ?? "program"
  }()

  /// A file name for a program: other characters than ASCII letters, digits, `-` and `_` become `_`.
  package static func fileName(_ program: String) -> String {
    let safe = program.map { character in
      character.isASCII && (character.isLetter || character.isNumber || "-_".contains(character))
        ? character : "_"
    }
    return safe.isEmpty ? "_" : String(safe)
  }
}
