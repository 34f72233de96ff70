import Glibc
import TestSupport

/// What a disk may hold after the power was cut: what was synchronised, and of the rest any part.
///
/// A model of POSIX, not of one file system: bytes of a file are safe once it was synchronised, a
/// name once its folder was. What was not may be there or not, each sector of 512 bytes by itself,
/// in any order; where a later sector is there and an earlier one not, there are zeros.
struct Disk {
  private struct File {
    var safe: [UInt8] = []
    var waiting: [Change] = []
  }
  private enum Change {
    case write(at: Int, [UInt8])
    case truncate(Int)
  }
  private enum NameChange {
    case make(String, Int)
    case rename(String, String)
    case remove(String)

    /// The folders that must be synchronised.
    var path: String {
      switch self {
      case .make(let path, _), .rename(_, let path), .remove(let path): path
      }
    }
  }

  private var files: [File] = []
  /// The files that inodes are at present.
  private var inodes: [UInt64: Int] = [:]
  /// Names as they are in memory, and as they are on the disk.
  private var names: [String: Int] = [:]
  private var safeNames: [String: Int] = [:]
  private var waitingNames: [NameChange] = []
  private var folders: [UInt64: String] = [:]
  private let root: String

  /// A sector, which a disk writes as a whole.
  private static let sector = 512

  /// A disk with the files of a stage on it, all of them safe.
  init(_ stage: Stage) throws {
    root = stage.folder.path
    for name in try stage.folder.names() {
      guard let bytes = stage.bytes(name) else { continue }
      var status = stat()
      if stat(stage.folder.file(name), &status) == 0 { inodes[UInt64(status.st_ino)] = files.count }
      names["\(root)/\(name)"] = files.count
      files.append(File(safe: bytes))
    }
    safeNames = names
  }

  /// Does what a program did, which is not safe yet.
  mutating func take(_ call: Call) {
    switch call.kind {
    case .open: open(call)
    case .openToRead:
      if let file = names[call.path] {
        inodes[call.file] = file
      } else {
        folders[call.file] = call.path.hasSuffix("/") ? String(call.path.dropLast()) : call.path
      }
    case .write: change(call.file, .write(at: call.first, call.bytes))
    case .truncate: change(call.file, .truncate(call.first))
    case .synchronise: synchronise(call.file)
    case .rename where names[call.path] == names[call.otherPath]:
      // POSIX: nothing happens when both names are those of one file.
      break
    case .rename:
      names[call.otherPath] = names.removeValue(forKey: call.path)
      waitingNames.append(.rename(call.path, call.otherPath))
    case .unlink:
      names[call.path] = nil
      waitingNames.append(.remove(call.path))
    case .link:
      guard let file = names[call.path] else { break }
      names[call.otherPath] = file
      waitingNames.append(.make(call.otherPath, file))
    case .close, .changeMode, .makeFolder, .read, .refused: break
    }
  }

  private mutating func open(_ call: Call) {
    if let file = names[call.path] {
      inodes[call.file] = file
      if call.second != 0 { files[file].waiting.append(.truncate(0)) }
    } else {
      names[call.path] = files.count
      inodes[call.file] = files.count
      waitingNames.append(.make(call.path, files.count))
      files.append(File())
    }
  }

  private mutating func change(_ inode: UInt64, _ change: Change) {
    if let file = inodes[inode] { files[file].waiting.append(change) }
  }

  private mutating func synchronise(_ inode: UInt64) {
    if let folder = folders[inode] {
      let path = folder.hasSuffix("/.") ? String(folder.dropLast(2)) : folder
      let (mine, others) = (
        waitingNames.filter { Self.folder(of: $0.path) == path },
        waitingNames.filter { Self.folder(of: $0.path) != path }
      )
      for change in mine { Self.apply(change, to: &safeNames) }
      waitingNames = others
    } else if let file = inodes[inode] {
      for change in files[file].waiting { Self.apply(change, to: &files[file].safe) }
      files[file].waiting = []
    }
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  private static func apply(_ change: NameChange, to names: inout [String: Int]) {
    switch change {
    case .make(let path, let file): names[path] = file
    case .rename(let path, let other):
      if let file = names.removeValue(forKey: path) { names[other] = file }
    case .remove(let path): names[path] = nil
    }
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .truncate(let count):
      bytes = Array(bytes.prefix(count)) + Array(repeating: 0, count: max(0, count - bytes.count))
    case .write(let place, let written):
      let missing = place + written.count - bytes.count
      if missing > 0 { bytes += Array(repeating: 0, count: missing) }
      bytes.replaceSubrange(place..<(place + written.count), with: written)
    }
  }
}

extension Disk {
  /// How much of what is not safe a cut leaves.
  enum Cut: CaseIterable {
    /// Nothing of it.
    case nothing
    /// All that was written to files, but no name that is not safe; and the other way round.
    case bytesOnly, namesOnly
    /// The beginning of it, as a journal of a file system would.
    case beginning
    /// Any sectors, and names in their order.
    case sectors
    /// Any sectors, any names.
    case anything

    /// Whether what is left is left to chance.
    var isRandom: Bool {
      switch self {
      case .nothing, .bytesOnly, .namesOnly: false
      case .beginning, .sectors, .anything: true
      }
    }
  }

  /// Makes the files of a stage, which has those from before, as the cut leaves them.
  func leave(
    _ cut: Cut, in stage: Stage, using generator: inout SeededGenerator
  ) throws {
    var names = safeNames
    for change in kept(waitingNames, cut, &generator) { Self.apply(change, to: &names) }
    for (path, file) in names.sorted(by: { $0.key < $1.key }) {
      let name = String(path.dropFirst(root.count + 1))
      let bytes = bytes(files[file], cut, &generator)
      if bytes != stage.bytes(name) { try stage.folder.write(name, bytes: bytes) }
    }
    for name in try stage.folder.names() where names["\(root)/\(name)"] == nil {
      if stage.bytes(name) != nil { unlink(stage.folder.file(name)) }
    }
  }

  private func kept(
    _ changes: [NameChange], _ cut: Cut, _ generator: inout SeededGenerator
  ) -> [NameChange] {
    switch cut {
    case .nothing, .bytesOnly: []
    case .namesOnly: changes
    case .beginning, .sectors:
      Array(changes.prefix(Int.random(in: 0...changes.count, using: &generator)))
    case .anything: changes.filter { _ in Bool.random(using: &generator) }
    }
  }

  private func bytes(
    _ file: File, _ cut: Cut, _ generator: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = file.safe
    switch cut {
    case .nothing, .namesOnly: break
    case .bytesOnly: for change in file.waiting { Self.apply(change, to: &bytes) }
    case .beginning:
      let count = Int.random(in: 0...file.waiting.count, using: &generator)
      for change in file.waiting.prefix(count) { Self.apply(change, to: &bytes) }
    case .sectors, .anything:
      for change in file.waiting {
        guard case .write(let place, let written) = change else {
          if Bool.random(using: &generator) { Self.apply(change, to: &bytes) }
          continue
        }
        for piece in Self.sectors(place, written.count) where Bool.random(using: &generator) {
          let part = Array(written[(piece.lowerBound - place)..<(piece.upperBound - place)])
          Self.apply(.write(at: piece.lowerBound, part), to: &bytes)
        }
      }
    }
    return bytes
  }

  /// The sectors of a file that a write touches, each as far as it does.
  private static func sectors(_ place: Int, _ count: Int) -> [Range<Int>] {
    var (start, all) = (place, [Range<Int>]())
    while start < place + count {
      let end = min(place + count, (start / sector + 1) * sector)
      all.append(start..<end)
      start = end
    }
    return all
  }
}
