@_implementationOnly import CMinizip

/// Reads an entry of an archive from its start; nothing is written to a disk.
struct ZipEntryReader: ~Copyable {
  enum State {
    case bytes(Int)
    case end
    case damaged(String)
  }

  private let entry: ZipEntry
  /// Nil before the first read and after ``rest()`` near the start.
  private var handle: ZipHandle?
  private var offset = 0
  private var restarts = 0
  private var isOver = false
  private var damage: String?

  /// The end of the bytes that are unpacked again when an entry rests before it.
  ///
  /// So one that waits for its turn takes no memory.
  private static let nearStart = 64 << 10
  /// The most often that happens.
  private static let mostRestarts = 4

  init(_ entry: ZipEntry) {
    self.entry = entry
  }

  /// Closes the archive until the next read.
  mutating func rest() {
    if offset <= Self.nearStart, restarts < Self.mostRestarts {
      handle = nil
      restarts += 1
    } else {
      handle?.file.rest()
    }
  }

  /// Unpacks into `buffer` from `start` on.
  mutating func read(into buffer: inout [UInt8], at start: Int) throws(TraceError) -> State {
    if let damage { return .damaged(damage) }
    if isOver { return .end }
    guard start < buffer.count else { return .bytes(0) }
    if handle == nil, try !open() { return fail("the archive is damaged here") }
    let room = buffer.count - start
    let count = buffer.withUnsafeMutableBytes { bytes in
      unpack(UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + room]))
    }
    if let failure = handle?.file.failure { throw failure }
    if count > 0 { return .bytes(count) }
    return damage.map(State.damaged) ?? .end
  }

  private mutating func fail(_ reason: String) -> State {
    damage = reason
    return .damaged(reason)
  }

  /// Opens the entry and moves to where reading stopped; false when it is damaged.
  private mutating func open() throws(TraceError) -> Bool {
    let file = try ZipFile(path: entry.archive, identity: entry.identity)
    guard let opened = ZipHandle(file) else { return false }
    var place = unz64_file_pos(pos_in_zip_directory: entry.place, num_of_file: entry.number)
    guard unzGoToFilePos64(opened.pointer, &place) == UNZ_OK,
      unzOpenCurrentFile(opened.pointer) == UNZ_OK
    else {
      if let failure = file.failure { throw failure }
      return false
    }
    handle = consume opened
    let target = offset
    offset = 0
    var skipped = [UInt8](repeating: 0, count: min(target, Self.nearStart))
    while offset < target {
      let count = skipped.withUnsafeMutableBytes { bytes in
        unpack(UnsafeMutableRawBufferPointer(rebasing: bytes[..<min(bytes.count, target - offset)]))
      }
      if let failure = handle?.file.failure { throw failure }
      if count == 0 { return false }
    }
    return true
  }

  /// The number of bytes unpacked; 0 at the end and before damage.
  private mutating func unpack(_ target: UnsafeMutableRawBufferPointer) -> Int {
    guard let pointer = handle?.pointer, let file = handle?.file else { return 0 }
    // `target` has at least as many bytes as minizip is allowed to write.
    let result = unzReadCurrentFile(pointer, target.baseAddress, UInt32(clamping: target.count))
    // After an error as well: what was unpacked before it is good.
    let count = Int(clamping: unztell64(pointer)) - offset
    offset += count
    if file.failure != nil { return 0 }
    if result < 0 {
      damage = "its data in the archive is damaged"
    } else if result == 0 {
      isOver = true
      // minizip checks the sum of an entry that was read to the size in the directory.
      if unzCloseCurrentFile(pointer) != UNZ_OK || offset != entry.size {
        damage = "its data in the archive is damaged: the checksum or the size is another"
      }
      handle = nil
    }
    return count
  }
}
