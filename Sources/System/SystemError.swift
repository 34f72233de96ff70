internal import Glibc

/// A failed system call.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error number, see errno(3).
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// The error of the call just made.
  package static var last: SystemError { SystemError(code: errno) }

  /// In words, such as `no space left on device`.
  package var description: String {
    // strerror's text is valid until the next call in this thread, and copied here.
    strerror(code).map { String(cString: $0).lowercased() } ?? "error \(code)"
  }
}
