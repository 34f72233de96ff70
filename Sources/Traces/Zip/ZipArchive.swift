@_implementationOnly import CMinizip
internal import System

/// The directory of a ZIP archive, such as a KMZ file.
package struct ZipArchive: Sendable {
  /// The files in it, in the order of its directory, without hidden ones.
  package private(set) var entries: [ZipEntry] = []
  /// Why some files in it, or all, cannot be read.
  package private(set) var problems: [String] = []

  private let path: String
  private var encrypted = Names()
  private var packedOtherwise = Names()
  private var expanding = Names()
  /// Bytes of all files as they are packed, and of the readable ones unpacked.
  ///
  /// Files of a bomb share their bytes.
  private var (packed, unpacked) = (0, 0)

  /// The most entries; more are not read.
  package static let mostEntries = 100_000
  /// The longest name, as the format has 16 bits for it.
  private static let longestName = 1 << 16

  /// Whether a file begins as an archive does; of a pipe nothing is read.
  package static func isArchive(_ path: String) -> Bool {
    guard let file = try? ZipFile(path: path) else { return false }
    let head = file.head(4)
    return head == [0x50, 0x4B, 0x03, 0x04] || head == [0x50, 0x4B, 0x05, 0x06]
  }

  /// Reads the directory.
  ///
  /// - Throws: ``TraceError`` when the system cannot read the file. Whatever is wrong with the archive is
  ///   in ``problems``.
  package init(path: String) throws(TraceError) {
    self.path = path
    let file = try ZipFile(path: path)
    var isWhole = false
    if let handle = ZipHandle(file) { isWhole = readDirectory(handle) }
    if let failure = file.failure { throw failure }
    if !isWhole {
      problems.append(
        Self.isEmpty(file)
          ? "there are no files in the archive"
          : "the archive is damaged, or its end is missing; `zip -FF` may repair it")
    }
    if packed > file.size || unpacked > Inflater.mostBytes(of: file.size) {
      entries = []
      problems = [
        "the archive would unpack to more than \(Inflater.mostTimes) times its size, the limit; if "
          + "that is intended, unpack it first"
      ]
      return
    }
    problems += [
      encrypted.problem("encrypted", "; unpack the archive with its password"),
      packedOtherwise.problem("packed in a way that is not read", "; unpack the archive"),
      expanding.problem(
        "packed to less than 1/\(Inflater.mostTimes) of the size, the limit",
        "; if that is intended, unpack the archive"),
    ].compactMap { $0 }
  }

  /// Whether the file is the end of a directory without entries alone, which minizip does not find at 0.
  private static func isEmpty(_ file: ZipFile) -> Bool {
    let end = file.head(22)
    // The numbers of the disk and of entries, and the size and the place of the directory.
    return end.count == 22 && end.starts(with: [0x50, 0x4B, 0x05, 0x06])
      && end[4..<20].allSatisfy { $0 == 0 }
  }

  /// False when the directory is damaged.
  private mutating func readDirectory(_ handle: borrowing ZipHandle) -> Bool {
    var all = unz_global_info64()
    guard unzGetGlobalInfo64(handle.pointer, &all) == UNZ_OK else { return false }
    guard all.number_entry > 0 else { return true }
    guard unzGoToFirstFile(handle.pointer) == UNZ_OK else { return false }
    var name = [CChar](repeating: 0, count: Self.longestName)
    for count in 1... {
      var info = unz_file_info64()
      var place = unz64_file_pos()
      guard
        unzGetCurrentFileInfo64(
          handle.pointer, &info, &name, UInt(name.count), nil, 0, nil, 0) == UNZ_OK,
        unzGetFilePos64(handle.pointer, &place) == UNZ_OK
      else { return false }
      let bytes = name.prefix(Int(info.size_filename)).prefix { $0 != 0 }
      add(
        String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self), info, place,
        handle.file.opened)
      switch unzGoToNextFile(handle.pointer) {
      case UNZ_OK: break
      case UNZ_END_OF_LIST_OF_FILE: return true
      default: return false
      }
      if count == Self.mostEntries {
        problems.append(
          "only the first \(count) entries are read, the limit; unpack the archive")
        return true
      }
    }
    return true
  }

  private mutating func add(
    _ name: String, _ info: unz_file_info64, _ place: unz64_file_pos,
    _ identity: ByteSource.Identity
  ) {
    let size = Int(clamping: info.uncompressed_size)
    let packedSize = Int(clamping: info.compressed_size)
    packed = packed.addingClamped(packedSize)
    guard !name.hasSuffix("/"), !Self.isHidden(name) else { return }
    if info.flag & 1 != 0 {
      encrypted.add(name)
    } else if info.compression_method != 0, info.compression_method != UInt(Z_DEFLATED) {
      packedOtherwise.add(name)
    } else if size > Inflater.mostBytes(of: packedSize) {
      expanding.add(name)
    } else {
      unpacked = unpacked.addingClamped(size)
      entries.append(
        ZipEntry(
          path: "\(path)/\(name)", packedSize: packedSize, size: size, archive: path,
          identity: identity, place: place.pos_in_zip_directory, number: place.num_of_file))
    }
  }

  /// Whether a name is of a hidden file or in a hidden folder, or is what macOS adds to archives.
  ///
  /// `..` hides nothing, and does no harm: nothing is written under the name.
  private static func isHidden(_ name: String) -> Bool {
    name.split(separator: "/").contains {
      $0 == "__MACOSX" || ($0.hasPrefix(".") && $0 != "." && $0 != "..")
    }
  }

  /// Entries that have the same problem.
  private struct Names {
    private var count = 0
    private var first: [String] = []

    mutating func add(_ name: String) {
      count += 1
      if first.count < 3 { first.append(name) }
    }

    /// Nil when there are none.
    func problem(_ what: String, _ advice: String) -> String? {
      guard count > 0 else { return nil }
      let names = first.joined(separator: ", ") + (count > first.count ? ", …" : "")
      let files = count == 1 ? "a file in it is" : "\(count) files in it are"
      return "\(files) \(what): \(names)\(advice)"
    }
  }
}

extension ZipArchive {
  /// What a document of an office program is, and what to do with it; nil for other archives.
  ///
  /// Its parts are XML or pictures, never tracks.
  ///
  /// - Throws: ``TraceError`` when the system cannot read the file.
  package var office: String? {
    get throws(TraceError) {
      let type = try openDocumentType()
      let isOpenXML = entry("[Content_Types].xml") != nil
      guard isOpenXML || type.hasPrefix("application/vnd.oasis.") else { return nil }
      let isSheet = isOpenXML ? entry("xl/workbook.xml") != nil : type.contains("spreadsheet")
      return (isSheet ? "a spreadsheet" : "an office document")
        + " cannot be read; export its positions as CSV"
    }
  }

  private func entry(_ name: String) -> ZipEntry? {
    entries.first { $0.path == "\(path)/\(name)" }
  }

  /// The media type that an OpenDocument file has in an entry of its own; empty when there is none.
  private func openDocumentType() throws(TraceError) -> String {
    guard let entry = entry("mimetype") else { return "" }
    var source = ByteSource(entry)
    var bytes = [UInt8](repeating: 0, count: 100)
    guard case .bytes(let count) = try source.read(into: &bytes, at: 0) else { return "" }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}

extension Int {
  /// The sum, or the greatest number when it is too large.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
