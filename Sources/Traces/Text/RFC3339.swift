package import Tracking

/// Times as RFC 3339 writes them.
package enum RFC3339 {
  /// The instant that `bytes` spell in full, or nil when they do not.
  package static func parse(_ bytes: Span<UInt8>) -> Timestamp? {
    nil
  }
}
