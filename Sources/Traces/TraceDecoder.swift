/// A decoder of a format: turns bytes into points and marks.
///
/// A decoder does no input: it receives the available bytes and returns how many it consumed, so
/// the same code reads files, pipes and tests that cut anywhere.
package protocol TraceDecoder: Sendable {
  /// Reads as many whole records from `bytes` as there are.
  ///
  /// - Parameters:
  ///   - bytes: the bytes after those consumed so far.
  ///   - isFinal: whether nothing follows them; then all are consumed.
  ///   - batch: receives what is read.
  /// - Returns: the number of bytes consumed; the caller passes the rest again with more after it.
  ///   When none were consumed, it must pass more than before.
  mutating func decode(_ bytes: Span<UInt8>, isFinal: Bool, into batch: inout TraceBatch) -> Int

  /// Whether the decoder has stopped for good, after an issue of kind `malformed`.
  var isFinished: Bool { get }

  /// The program or receiver that the trace names as its producer, as far as it was read; nil when it
  /// names none.
  var producer: String? { get }
}

extension TraceDecoder {
  package var producer: String? { nil }
}
