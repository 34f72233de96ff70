#if WAYMARK_ARROW
  internal import CNanoarrow
  internal import Text

  /// The columns of a stream of fixes: those of our tables, by their names.
  enum ArrowFixField: String, CaseIterable {
    case device, time, latitude, longitude, accuracy, speed, course, altitude

    var isRequired: Bool { self == .time || self == .latitude || self == .longitude }

    /// The type, as messages name it.
    var type: String {
      switch self {
      case .device: "utf8 or large_utf8, or a dictionary of it"
      case .time: "timestamp with a time zone, such as timestamp[us, tz=UTC]"
      case .latitude, .longitude, .accuracy, .speed, .course, .altitude: "float64"
      }
    }
  }

  /// Where the columns are in a schema, and of what type.
  struct ArrowFixColumns {
    /// How the values of a column are stored.
    enum Storage {
      case number
      case time(unit: Unit)
      /// Texts, whose offsets have 64 bits if they are large.
      case text(isLarge: Bool)
      /// The type of the numbers that stand for texts.
      case dictionary(ArrowType, isLarge: Bool)
    }

    /// A unit of time.
    struct Unit {
      var nanoseconds: Int64
      var symbol: String
    }

    private var places: [ArrowFixField: (index: Int, storage: Storage)] = [:]

    /// The number of a column in the schema, and how it is stored; nil when there is none.
    func place(of field: ArrowFixField) -> (index: Int, storage: Storage)? { places[field] }

    /// Finds the columns; all that is wrong with them is one error.
    init(_ schema: ArrowSchema) throws(ArrowStreamError) {
      var faults: [String] = []
      var found: Set<ArrowFixField> = []
      for index in 0..<Int(schema.n_children) {
        guard let child = schema.children[index] else { continue }
        let name = child.pointee.name.map { String(cString: $0) } ?? ""
        guard let field = ArrowFixField(rawValue: name) else {
          faults.append("column \(Self.quoted(name)) is not known; rename it or leave it out")
          continue
        }
        guard found.insert(field).inserted else {
          faults.append("there are two columns \(name); leave one out")
          continue
        }
        if let storage = Self.storage(of: child, for: field) {
          places[field] = (index, storage)
        } else {
          let type = Self.typeName(of: child)
          faults.append("column \(name) is \(type), expected \(field.type); cast it")
        }
      }
      for field in ArrowFixField.allCases where field.isRequired && !found.contains(field) {
        faults.append("there is no column \(field.rawValue), expected \(field.type)")
      }
      guard !faults.isEmpty else { return }
      let names = ArrowFixField.allCases.map(\.rawValue)
      let known = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
      throw ArrowStreamError(faults.joined(separator: "; ") + " (the known columns are \(known))")
    }

    private static func storage(
      of schema: UnsafePointer<ArrowSchema>, for column: ArrowFixField
    ) -> Storage? {
      guard let view = view(of: schema) else { return nil }
      switch column {
      case .device:
        guard view.type == NANOARROW_TYPE_DICTIONARY else { return text(view.type) }
        guard let values = schema.pointee.dictionary, let type = self.view(of: values)?.type
        else { return nil }
        guard case .text(let isLarge) = text(type) else { return nil }
        return .dictionary(view.storage_type, isLarge: isLarge)
      case .time:
        // Times without a zone may be local ones.
        guard view.type == NANOARROW_TYPE_TIMESTAMP, let zone = view.timezone, zone.pointee != 0
        else { return nil }
        return switch view.time_unit {
        case NANOARROW_TIME_UNIT_SECOND: .time(unit: Unit(nanoseconds: 1_000_000_000, symbol: "s"))
        case NANOARROW_TIME_UNIT_MILLI: .time(unit: Unit(nanoseconds: 1_000_000, symbol: "ms"))
        case NANOARROW_TIME_UNIT_MICRO: .time(unit: Unit(nanoseconds: 1_000, symbol: "µs"))
        default: .time(unit: Unit(nanoseconds: 1, symbol: "ns"))
        }
      case .latitude, .longitude, .accuracy, .speed, .course, .altitude:
        return view.type == NANOARROW_TYPE_DOUBLE ? .number : nil
      }
    }

    private static func text(_ type: ArrowType) -> Storage? {
      switch type {
      case NANOARROW_TYPE_STRING: .text(isLarge: false)
      case NANOARROW_TYPE_LARGE_STRING: .text(isLarge: true)
      default: nil
      }
    }

    private static func view(of schema: UnsafePointer<ArrowSchema>) -> ArrowSchemaView? {
      var view = ArrowSchemaView()
      return ArrowSchemaViewInit(&view, schema, nil) == NANOARROW_OK ? view : nil
    }

    /// The type in the words of nanoarrow, such as `timestamp('us', '')`.
    private static func typeName(of schema: UnsafePointer<ArrowSchema>) -> String {
      let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        let count = ArrowSchemaToString(schema, buffer.baseAddress, Int64(buffer.count), 0)
        let bytes = buffer.prefix(max(0, min(Int(count), buffer.count - 1)))
        return String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
      return text.isEmpty ? "of an unknown type" : text
    }

    private static func quoted(_ text: String) -> String {
      var bytes: [UInt8] = []
      JSONText.append(text, to: &bytes)
      return bytes.span.string
    }
  }
#endif
