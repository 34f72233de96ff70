internal import Glibc

/// The name of this machine.
package enum HostName {
  /// The name as gethostname(2) has it; `localhost` if there is none.
  package static var current: String {
    var name = [CChar](repeating: 0, count: 256)
    // One byte less: a name that is cut has no NUL at its end.
    guard gethostname(&name, name.count - 1) == 0, name[0] != 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
