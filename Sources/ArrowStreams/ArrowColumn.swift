#if WAYMARK_ARROW
  internal import CNanoarrow

  /// Memory of a message's body, aligned as its values need it.
  final class ArrowMemory {
    let bytes: UnsafeMutableRawBufferPointer

    init(_ source: borrowing Span<UInt8>) {
      bytes = .allocate(byteCount: source.count, alignment: 64)
      source.withUnsafeBytes { bytes.copyMemory(from: $0) }
    }

    /// The bytes as nanoarrow takes them, while the memory is there.
    var view: ArrowBufferView {
      ArrowBufferView(
        data: ArrowBufferViewData(data: bytes.baseAddress), size_bytes: Int64(bytes.count))
    }

    deinit { bytes.deallocate() }
  }

  /// A column of a record batch: pointers into the body of its message.
  struct ArrowColumn {
    /// The name in a row of a column of names.
    enum Name {
      case name(UnsafeBufferPointer<UInt8>)
      case unknown
      /// A number that the dictionary does not have.
      case noWord(Int64)
    }

    /// Texts one after the other, and where each ends.
    private struct Texts {
      private let offsets: UnsafeRawPointer?
      private let bytes: UnsafeRawBufferPointer
      private let isLarge: Bool
      private let count: Int

      init(_ view: ArrowArrayView, isLarge: Bool) {
        let (offsets, bytes) = (view.buffer_views.1, view.buffer_views.2)
        self.offsets = offsets.data.data
        self.bytes = UnsafeRawBufferPointer(
          start: bytes.data.data, count: bytes.data.data == nil ? 0 : Int(bytes.size_bytes))
        self.isLarge = isLarge
        count = Int(view.length)
      }

      /// A text; nil when there is none of the number, or it is not within the bytes.
      subscript(index: Int) -> UnsafeBufferPointer<UInt8>? {
        guard let offsets, (0..<count).contains(index) else { return nil }
        let (start, end) = (offset(index, offsets), offset(index + 1, offsets))
        guard start >= 0, start <= end, end <= bytes.count else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<end]).assumingMemoryBound(
          to: UInt8.self)
      }

      private func offset(_ index: Int, _ offsets: UnsafeRawPointer) -> Int {
        isLarge
          ? Int(offsets.loadUnaligned(fromByteOffset: index * 8, as: Int64.self))
          : Int(offsets.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
      }
    }

    private let storage: ArrowFixColumns.Storage
    /// A bit for each row; nil when all are known.
    private let validity: UnsafeRawPointer?
    private let values: UnsafeRawPointer?
    /// The texts of the column, or of its dictionary.
    private let texts: Texts?

    /// A column whose buffers are as long as its rows need.
    init(_ view: ArrowArrayView, _ storage: ArrowFixColumns.Storage) {
      self.storage = storage
      validity = view.buffer_views.0.size_bytes > 0 ? view.buffer_views.0.data.data : nil
      values = view.buffer_views.1.data.data
      texts =
        switch storage {
        case .text(let isLarge): Texts(view, isLarge: isLarge)
        case .dictionary(_, let isLarge):
          view.dictionary.map { Texts($0.pointee, isLarge: isLarge) }
        case .number, .time: nil
        }
    }

    /// The number in a row; nil when it is null or NaN.
    func number(_ row: Int) -> Double? {
      guard let number = value(row, as: Double.self), !number.isNaN else { return nil }
      return number
    }

    /// The time in a row, in its own unit and in nanoseconds; nil when it is null.
    func time(_ row: Int) -> (count: String, nanoseconds: Int64?)? {
      guard case .time(let unit) = storage, let value = value(row, as: Int64.self) else {
        return nil
      }
      let product = value.multipliedReportingOverflow(by: unit.nanoseconds)
      return ("\(value) \(unit.symbol)", product.overflow ? nil : product.partialValue)
    }

    /// The name in a row.
    func name(_ row: Int) -> Name {
      guard let texts, isKnown(row) else { return .unknown }
      guard case .dictionary(let type, _) = storage else {
        return texts[row].map { .name($0) } ?? .unknown
      }
      guard let word = word(row, type) else { return .unknown }
      return Int(exactly: word).flatMap { texts[$0] }.map { .name($0) } ?? .noWord(word)
    }

    private func word(_ row: Int, _ type: ArrowType) -> Int64? {
      switch type {
      case NANOARROW_TYPE_INT8: value(row, as: Int8.self).map { Int64($0) }
      case NANOARROW_TYPE_UINT8: value(row, as: UInt8.self).map { Int64($0) }
      case NANOARROW_TYPE_INT16: value(row, as: Int16.self).map { Int64($0) }
      case NANOARROW_TYPE_UINT16: value(row, as: UInt16.self).map { Int64($0) }
      case NANOARROW_TYPE_INT32: value(row, as: Int32.self).map { Int64($0) }
      case NANOARROW_TYPE_UINT32: value(row, as: UInt32.self).map { Int64($0) }
      default: value(row, as: Int64.self)
      }
    }

    private func isKnown(_ row: Int) -> Bool {
      guard let validity else { return true }
      return validity.load(fromByteOffset: row >> 3, as: UInt8.self) >> (row & 7) & 1 == 1
    }

    private func value<Value: BitwiseCopyable>(_ row: Int, as type: Value.Type) -> Value? {
      guard isKnown(row) else { return nil }
      return values?.loadUnaligned(fromByteOffset: row * MemoryLayout<Value>.stride, as: type)
    }
  }
#endif
