/// Why an Arrow stream cannot be read or written.
package struct ArrowStreamError: Error, Sendable, CustomStringConvertible {
  /// What was found, what was expected and what to do.
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Whether the program was built with nanoarrow.
package enum ArrowSupport {
  #if WAYMARK_ARROW
    package static let isBuiltIn = true
  #else
    package static let isBuiltIn = false
  #endif

  /// What is wrong without it, and what to do.
  package static let missing =
    "this program was built without nanoarrow, which reads and writes Arrow streams; in a checkout of "
    + "its sources, `make build` fetches nanoarrow and builds it in"
}
