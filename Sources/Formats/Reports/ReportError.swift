/// Why a message of a device gives no position, in one line.
package struct ReportError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
