#if WAYMARK_ARROW
  internal import CNanoarrow

  /// The error codes and texts of nanoarrow.
  enum Nanoarrow {
    /// Calls a function of nanoarrow; throws the error that it reports.
    static func call(
      _ body: (UnsafeMutablePointer<ArrowError>) -> ArrowErrorCode
    ) throws(ArrowStreamError) {
      var error = ArrowError()
      guard body(&error) != NANOARROW_OK else { return }
      let text = withUnsafeBytes(of: error.message) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw ArrowStreamError(text.isEmpty ? "there is not enough memory" : text)
    }

    /// Calls a function of nanoarrow that fails for lack of memory alone.
    static func allocate(_ code: ArrowErrorCode) throws(ArrowStreamError) {
      guard code != NANOARROW_OK else { return }
      throw ArrowStreamError("there is not enough memory for an Arrow stream")
    }
  }
#endif
