#if WAYMARK_ARROW
  internal import CArrow
  internal import CNanoarrow
  internal import Glibc

  /// Reads the fixes of an Arrow IPC stream, message by message.
  ///
  /// It is given the bytes that are there, and holds one record batch at a time.
  package final class ArrowFixReader {
    /// The record batches read.
    package private(set) var batchCount = 0
    /// Whether the schema has been read, so the stream may end.
    package var isBegun: Bool { columns != nil }

    private var decoder = ArrowIpcDecoder()
    private var dictionaries = ArrowIpcDictionaries()
    /// In memory of its own, because the decoder refers to it.
    private let schema = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
    private var columns: ArrowFixColumns?
    /// The header and the body of the message, which the decoder refers to.
    private var header: ArrowMemory?
    private var body: ArrowMemory?

    /// The bytes before a message: the continuation and the size.
    private static let prefix = 8
    private static let continuation: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    /// A header that is longer is damaged; that of a schema has the metadata of all columns.
    private static let longestHeader = 64 << 20
    /// The longest body: some ten million rows.
    private static let longestBody = 1 << 30

    package init() throws(ArrowStreamError) {
      schema.initialize(to: ArrowSchema())
      try Nanoarrow.allocate(ArrowIpcDecoderInit(&decoder))
    }

    deinit {
      if dictionaries.private_data != nil { ArrowIpcDictionariesReset(&dictionaries) }
      ArrowIpcDecoderReset(&decoder)
      if schema.pointee.release != nil { ArrowSchemaRelease(schema) }
      schema.deallocate()
    }

    /// Reads a message from the front of the bytes, if all of it is there.
    package func next(_ bytes: borrowing Span<UInt8>) throws(ArrowStreamError) -> Step {
      let isWhole = bytes.count >= Self.prefix
      for index in 0..<min(bytes.count, 4) where bytes[index] != Self.continuation[index] {
        throw Self.foreign(bytes, isFirst: !isBegun)
      }
      guard isWhole else { return .needs(Self.prefix) }
      let size = (4..<8).reduce(0) { $0 | Int(bytes[$1]) << (8 * ($1 - 4)) }
      if size == 0 { return .end(Self.prefix) }
      guard size <= Self.longestHeader else {
        throw ArrowStreamError("the header of a message claims \(size) bytes")
      }
      guard bytes.count >= Self.prefix + size else { return .needs(Self.prefix + size) }
      let header = ArrowMemory(bytes.extracting(0..<Self.prefix + size))
      self.header = header
      try decodeHeader(header)
      let bodySize = Int(decoder.body_size_bytes)
      guard (0...Self.longestBody).contains(bodySize) else {
        throw ArrowStreamError(
          "a message claims a body of \(bodySize) bytes, expected 1 GiB at most; write smaller "
            + "record batches (max_chunksize of pyarrow)")
      }
      let end = Self.prefix + size + bodySize
      guard bytes.count >= end else { return .needs(end) }
      let body = ArrowMemory(bytes.extracting(Self.prefix + size..<end))
      self.body = body
      return try decode(body, end)
    }

    private func decodeHeader(_ header: ArrowMemory) throws(ArrowStreamError) {
      let view = header.view
      try Nanoarrow.call { ArrowIpcDecoderVerifyHeader(&decoder, view, $0) }
      if isBegun == (decoder.message_type == NANOARROW_IPC_MESSAGE_TYPE_SCHEMA) {
        throw ArrowStreamError(
          isBegun ? "found a second schema, expected a record batch" : "there is no schema")
      }
      if let misfit = CArrowMisfit(header.bytes.baseAddress, decoder.body_size_bytes) {
        throw ArrowStreamError(String(cString: misfit))
      }
      try Nanoarrow.call { ArrowIpcDecoderDecodeHeader(&decoder, view, $0) }
    }

    /// Decodes a message that is all there and ends there.
    private func decode(_ body: ArrowMemory, _ end: Int) throws(ArrowStreamError) -> Step {
      switch decoder.message_type {
      case NANOARROW_IPC_MESSAGE_TYPE_SCHEMA:
        try begin()
        return .passed(end)
      case NANOARROW_IPC_MESSAGE_TYPE_DICTIONARY_BATCH:
        try Nanoarrow.call {
          ArrowIpcDecoderDecodeDictionary(
            &decoder, body.view, NANOARROW_VALIDATION_LEVEL_FULL, &dictionaries, $0)
        }
        return .passed(end)
      case NANOARROW_IPC_MESSAGE_TYPE_RECORD_BATCH:
        batchCount += 1
        return .rows(try rows(body), end)
      default:
        return .passed(end)
      }
    }

    /// Reads the schema.
    private func begin() throws(ArrowStreamError) {
      guard decoder.endianness == NANOARROW_IPC_ENDIANNESS_LITTLE else {
        throw ArrowStreamError("the values are big-endian, expected little-endian; write them so")
      }
      var encodings = ArrowIpcDictionaryEncodings()
      do throws(ArrowStreamError) {
        try Nanoarrow.call {
          ArrowIpcDecoderDecodeSchemaWithDictionaries(&decoder, schema, &encodings, $0)
        }
      } catch {
        throw ArrowStreamError("the schema cannot be read: \(error); cast such columns")
      }
      defer { ArrowIpcDictionaryEncodingsReset(&encodings) }
      let columns = try ArrowFixColumns(schema.pointee)
      try Nanoarrow.call { ArrowIpcDictionariesInit(&dictionaries, &encodings, $0) }
      try Nanoarrow.call {
        ArrowIpcDecoderSetSchemaWithDictionaries(&decoder, schema, &encodings, $0)
      }
      self.columns = columns
    }

    /// Reads a record batch.
    private func rows(_ body: ArrowMemory) throws(ArrowStreamError) -> ArrowFixes {
      guard decoder.codec == NANOARROW_IPC_COMPRESSION_TYPE_NONE else {
        let codec = decoder.codec == NANOARROW_IPC_COMPRESSION_TYPE_ZSTD ? "Zstandard" : "LZ4"
        throw ArrowStreamError(
          "it is compressed with \(codec), which is not read; write the stream without compression, "
            + "and compress all of it with gzip")
      }
      guard let columns else { throw ArrowStreamError("there is no schema") }
      var view: UnsafeMutablePointer<ArrowArrayView>?
      try Nanoarrow.call {
        ArrowIpcDecoderDecodeArrayViewWithDictionaries(
          &decoder, body.view, -1, &dictionaries, &view, $0)
      }
      guard let view else { throw ArrowStreamError("it has no columns") }
      try Nanoarrow.call { ArrowArrayViewValidate(view, NANOARROW_VALIDATION_LEVEL_FULL, $0) }
      return ArrowFixes(view.pointee, columns, number: batchCount, body: body)
    }

    /// The error of bytes that begin no message.
    private static func foreign(
      _ bytes: borrowing Span<UInt8>, isFirst: Bool
    ) -> ArrowStreamError {
      guard isFirst else { return ArrowStreamError("no message begins where one is expected") }
      var start: [UInt8] = []
      for index in 0..<min(bytes.count, 6) { start.append(bytes[index]) }
      if start == Array("ARROW1".utf8) {
        return ArrowStreamError(
          "the input is an Arrow file, expected an Arrow stream; write it with new_stream of pyarrow"
        )
      }
      let isText = start.allSatisfy { (0x09..<0x7F).contains($0) || $0 >= 0xC0 }
      return ArrowStreamError(
        "the input is no Arrow stream" + (isText ? "; --in ndjson or csv reads text" : ""))
    }
  }
#endif
