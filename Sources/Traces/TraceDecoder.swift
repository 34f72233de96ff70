/// A format: bytes become points and marks.
///
/// A decoder does no input: it is given the bytes that are at hand and says how many it used up, so
/// that the same code reads files, pipes and tests that cut anywhere.
package protocol TraceDecoder: Sendable {
  /// Reads as many whole records from `bytes` as there are.
  ///
  /// - Parameters:
  ///   - bytes: the bytes that follow those used up so far.
  ///   - isFinal: whether nothing comes after them; then all are used up.
  ///   - batch: what is read is added to it.
  /// - Returns: how many bytes were used up; the caller gives the rest again with more behind it.
  ///   If none was, it must give more than before.
  mutating func decode(_ bytes: Span<UInt8>, isFinal: Bool, into batch: inout TraceBatch) -> Int

  /// Whether the decoder has stopped for good, after an issue of kind `malformed`.
  var isFinished: Bool { get }
}
