internal import Glibc

/// What a program is called.
package enum ProgramName {
  /// The name of this program's file.
  package static let current: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(
      decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "/").last.map(String.init) ?? "program"
  }()

  /// A name for a file of a program's: what could lead elsewhere or be mistaken is left out.
  package static func fileName(_ program: String) -> String {
    let safe = program.map { character in
      character.isASCII && (character.isLetter || character.isNumber || "-_".contains(character))
        ? character : "_"
    }
    return safe.isEmpty ? "_" : String(safe)
  }
}
