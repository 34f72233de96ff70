extension ArrowFixReader {
  /// What the next bytes are.
  package enum Step {
    /// They are not enough: so many are needed.
    case needs(Int)
    /// So many bytes of a message without rows.
    case passed(Int)
    /// The rows of a record batch, and the bytes of its message.
    case rows(ArrowFixes, Int)
    /// So many bytes end the stream.
    case end(Int)
  }
}
