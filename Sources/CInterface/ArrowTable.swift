internal import CWaymark
internal import EventLog
internal import Glibc

/// Columns in the layout of the Arrow C data interface: a struct, whose release functions free all.
struct ArrowTable {
  private let columns: [TableColumn]
  private let rowCount: Int

  init(_ columns: [TableColumn]) {
    self.columns = columns
    rowCount = columns.first?.count ?? 0
  }

  /// Writes the table to memory of the caller.
  func give(_ schema: UnsafeMutablePointer<ArrowSchema>, _ array: UnsafeMutablePointer<ArrowArray>)
  {
    schema.pointee = ArrowParts.schema("+s", "", isNullable: false, columns.map(\.arrowSchema))
    // The rows of a struct have no bitmap.
    array.pointee = ArrowParts.array(rowCount, [nil], columns.map(\.arrowArray))
  }
}

extension TableColumn {
  /// The column's type, in the words of the interface: times are in UTC, texts have 64-bit offsets.
  fileprivate var arrowSchema: ArrowSchema {
    var schema = ArrowParts.schema(format, name)
    if kind == .word { schema.dictionary = ArrowParts.place(ArrowParts.schema("U", "")) }
    return schema
  }

  private var format: String {
    switch kind {
    case .text: "U"
    case .time: "tsn:UTC"
    case .number: "g"
    case .count: "l"
    case .flag: "b"
    case .word: "i"
    }
  }

  fileprivate var arrowArray: ArrowArray {
    let unknown = unknownCount
    let bitmap = unknown == 0 ? nil : Given.allocate(Self.bits(isKnown.lazy.map { $0 }))
    var array =
      switch kind {
      case .text: ArrowParts.array(count, [bitmap] + Self.texts(bytes, ends))
      case .number: ArrowParts.array(count, [bitmap, Given.allocate(numbers)])
      case .time, .count: ArrowParts.array(count, [bitmap, Given.allocate(integers)])
      case .flag:
        ArrowParts.array(count, [bitmap, Given.allocate(Self.bits(integers.lazy.map { $0 != 0 }))])
      case .word:
        ArrowParts.array(
          count, [bitmap, Given.allocate(integers.map { Int32(truncatingIfNeeded: $0) })])
      }
    array.null_count = Int64(unknown)
    if kind == .word { array.dictionary = ArrowParts.place(Self.dictionary(words)) }
    return array
  }

  private static func dictionary(_ words: [String]) -> ArrowArray {
    var column = TableColumn("", .text)
    for word in words { column.append(word) }
    return column.arrowArray
  }

  private static func texts(_ bytes: [UInt8], _ ends: [Int]) -> [UnsafeMutableRawPointer?] {
    [Given.allocate([0] + ends.map { Int64($0) }), Given.allocate(bytes)]
  }

  /// One bit for each value, the first one as the lowest.
  private static func bits(_ flags: some Collection<Bool>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (flags.count + 7) / 8)
    for (index, flag) in flags.enumerated() where flag { bytes[index / 8] |= 1 << (index % 8) }
    return bytes
  }
}

/// The structs of the interface.
///
/// Each owns its memory and finds all of it in its own members, so a consumer may move it.
enum ArrowParts {
  static func schema(
    _ format: String, _ name: String, isNullable: Bool = true, _ children: [ArrowSchema] = []
  ) -> ArrowSchema {
    ArrowSchema(
      format: Given.text(format), name: Given.text(name), metadata: nil,
      flags: isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0, n_children: Int64(children.count),
      children: places(children), dictionary: nil, release: releaseSchema, private_data: nil)
  }

  static func array(
    _ length: Int, _ buffers: [UnsafeMutableRawPointer?], _ children: [ArrowArray] = []
  ) -> ArrowArray {
    let list = Given.allocate(buffers.map { UnsafeRawPointer($0) })
    return ArrowArray(
      length: Int64(length), null_count: 0, offset: 0, n_buffers: Int64(buffers.count),
      n_children: Int64(children.count),
      buffers: list.assumingMemoryBound(to: UnsafeRawPointer?.self),
      children: places(children), dictionary: nil, release: releaseArray, private_data: nil)
  }

  /// A struct in memory of its own.
  static func place<Part: BitwiseCopyable>(_ part: Part) -> UnsafeMutablePointer<Part> {
    Given.allocate([part]).assumingMemoryBound(to: Part.self)
  }

  private static func places<Part: BitwiseCopyable>(
    _ parts: [Part]
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Part>?>? {
    guard !parts.isEmpty else { return nil }
    let places = parts.map { Optional(place($0)) }
    return Given.allocate(places).assumingMemoryBound(to: UnsafeMutablePointer<Part>?.self)
  }

  private static let releaseSchema: @convention(c) (UnsafeMutablePointer<ArrowSchema>?) -> Void = {
    guard let schema = $0 else { return }
    for index in 0..<Int(schema.pointee.n_children) {
      // A consumer that moved a child has marked it as released.
      guard let child = schema.pointee.children[index] else { continue }
      child.pointee.release?(child)
      free(child)
    }
    if let dictionary = schema.pointee.dictionary {
      dictionary.pointee.release?(dictionary)
      free(dictionary)
    }
    free(schema.pointee.children)
    free(UnsafeMutableRawPointer(mutating: schema.pointee.format))
    free(UnsafeMutableRawPointer(mutating: schema.pointee.name))
    schema.pointee.release = nil
  }

  private static let releaseArray: @convention(c) (UnsafeMutablePointer<ArrowArray>?) -> Void = {
    guard let array = $0 else { return }
    for index in 0..<Int(array.pointee.n_children) {
      guard let child = array.pointee.children[index] else { continue }
      child.pointee.release?(child)
      free(child)
    }
    if let dictionary = array.pointee.dictionary {
      dictionary.pointee.release?(dictionary)
      free(dictionary)
    }
    for index in 0..<Int(array.pointee.n_buffers) {
      free(UnsafeMutableRawPointer(mutating: array.pointee.buffers[index]))
    }
    free(array.pointee.buffers)
    free(array.pointee.children)
    array.pointee.release = nil
  }
}
