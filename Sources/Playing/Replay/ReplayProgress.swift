/// The progress of a replay.
package struct ReplayProgress: Sendable {
  /// Fixes played so far.
  package var fixes: Int
  /// Bytes read, as they lie on disk.
  package var bytesRead: Int
  /// Bytes to read; nil when an input is a pipe.
  package var bytesTotal: Int?

  package init(fixes: Int, bytesRead: Int, bytesTotal: Int?) {
    self.fixes = fixes
    self.bytesRead = bytesRead
    self.bytesTotal = bytesTotal
  }
}
