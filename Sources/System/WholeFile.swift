internal import Glibc

/// Files that are read and replaced as a whole, private to their owner.
package enum WholeFile {
  /// A failed system call, or a file that is refused.
  package struct Failure: Error, Hashable {
    package let code: Int32
    /// Whether the new file is in place all the same, and only a power cut could undo that.
    package let isInPlace: Bool

    package init(code: Int32, isInPlace: Bool = false) {
      self.code = code
      self.isInPlace = isInPlace
    }

    /// More bytes than the limit.
    package static let tooLarge = Failure(code: EOVERFLOW)
    /// A folder, a pipe or a device instead of a regular file.
    package static let notRegular = Failure(code: ENODEV)
    /// A named pipe that no program has open for writing; the system has no error number for it.
    package static let noWriter = Failure(code: -1)

    /// In words, such as `no space left on device`.
    package var reason: String {
      switch code {
      case Self.tooLarge.code: "it is larger than what is read at most"
      case Self.notRegular.code: "it is not a regular file"
      case Self.noWriter.code: "it is a named pipe that no program writes to"
      case ELOOP: "it is a symbolic link, which is not followed"
      default: SystemError(code: code).description
      }
    }
  }

  /// Larger files are refused, bytes: ten million circles in CSV are smaller, and devices such as
  /// `/dev/zero` have no end.
  package static let largestSize = 1 << 30

  /// Opens a private file: links are not followed, pipes are refused, and permissions of other users
  /// are removed.
  ///
  /// - Parameter flags: As for open(2).
  package static func openPrivate(_ path: String, _ flags: Int32) throws(Failure) -> Int32 {
    let (descriptor, mode) = try openRegular(path, flags)
    makePrivate(descriptor, mode)
    return descriptor
  }

  /// Opens a file as ``openPrivate(_:_:)`` does, and leaves its permissions as they are.
  static func openRegular(
    _ path: String, _ flags: Int32
  ) throws(Failure) -> (descriptor: Int32, mode: mode_t) {
    let flags = flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let descriptor = retried { open(path, flags, 0o600) }
    guard descriptor >= 0 else { throw Failure(code: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notRegular
    }
    return (descriptor, status.st_mode)
  }

  /// Removes the permissions of other users from an open file that has this mode.
  static func makePrivate(_ descriptor: Int32, _ mode: mode_t) {
    if mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
  }

  /// The mode of a file, as chmod(1) has it; nil when there is no such file.
  package static func mode(of path: String) throws(Failure) -> UInt32? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw Failure(code: errno)
    }
    return status.st_mode & 0o7777
  }

  /// Closes a file that may be locked.
  ///
  /// A child process holds the descriptor, and the lock with it, until it executes its program.
  package static func unlockAndClose(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// The bytes of a file, or of a pipe up to its end.
  ///
  /// - Throws: The system's error; ``Failure/tooLarge`` for more than `limit` bytes, of which no more
  ///   are read; ``Failure/noWriter`` for a named pipe that would make the program wait for another.
  package static func read(_ path: String, limit: Int = largestSize) throws(Failure) -> [UInt8] {
    // An embedded NUL would cut the path short in C and open another file.
    guard !path.utf8.contains(0) else { throw Failure(code: ENOENT) }
    // Without O_NONBLOCK, open(2) waits until a program opens the other end of a named pipe.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = retried { open(path, flags) }
    guard descriptor >= 0 else { throw Failure(code: errno) }
    return try readAll(of: descriptor, limit: limit)
  }

  /// The bytes of a private file, see ``openPrivate(_:_:)``.
  package static func readPrivate(_ path: String) throws(Failure) -> [UInt8] {
    try readAll(of: try openPrivate(path, O_RDONLY), limit: largestSize)
  }

  /// Whether a file is there that does not begin with a title, or with a part of it; it only looks.
  ///
  /// An empty file, or one that begins with a zero byte as after a power cut, holds nothing of anybody's.
  package static func isForeign(_ path: String, title: String) -> Bool {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let descriptor = retried { open(path, flags) }
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: title.utf8.count)
    var count = 0
    repeat {
      count = Glibc.read(descriptor, &start, start.count)
    } while count < 0 && errno == EINTR
    guard count > 0, start[0] != 0 else { return false }
    return !title.utf8.starts(with: start.prefix(count))
  }

  /// Reads to the end, and closes.
  private static func readAll(of descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
    defer { close(descriptor) }
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count == 0 {
        if all.isEmpty, hasNoWriter(descriptor) { throw .noWriter }
        return all
      }
      if count < 0 {
        if errno == EINTR { continue }
        guard errno == EAGAIN else { throw Failure(code: errno) }
        waitForBytes(descriptor)
        continue
      }
      guard count <= limit - all.count else { throw .tooLarge }
      all += piece[..<count]
    }
  }

  /// What follows the path of a file in the names of those that ``replace(_:with:mode:)`` writes.
  package static let suffixes = [".new"]

  /// Whether a pipe at its end had no writer since it was opened.
  ///
  /// poll(2) reports a hang-up only when a writer was there: one that wrote nothing left an empty
  /// file. Nor does an unnamed pipe, as of `<(…)` in a shell, wait for a writer.
  package static func hasNoWriter(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return false }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) == 0
  }

  /// Whether a path leads to a pipe, a device or a socket, so to no file or folder; nothing is opened.
  package static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// Waits for the writer of a pipe.
  package static func waitForBytes(_ descriptor: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&request, 1, -1)
  }

  /// Replaces a file in one step: writes a draft beside it and renames it.
  ///
  /// By default only the owner can read it. An old draft is removed first, because it may be another
  /// user's or readable by all. A link at `path` is replaced, not followed.
  ///
  /// - Parameter isKept: Whether it must survive a power cut.
  /// - Throws: The system's error; ``Failure/notRegular`` when a pipe, a socket or a device is at `path`
  ///   or where a link there leads: `/dev/null` must not become a file.
  package static func replace(
    _ path: String, with bytes: [UInt8], mode: UInt32 = 0o600, isKept: Bool = true
  ) throws(Failure) {
    try replace(path, mode: mode, isKept: isKept) { (descriptor) throws(Failure) in
      try writeAll(bytes[...], to: descriptor)
    }
  }

  /// The same, with content that `write` writes to the draft's descriptor.
  package static func replace(
    _ path: String, mode: UInt32 = 0o600, isKept: Bool = true,
    _ write: (Int32) throws(Failure) -> Void
  ) throws(Failure) {
    if isSpecial(path) { throw .notRegular }
    let draft = "\(path).new"
    guard unlink(draft) == 0 || errno == ENOENT else { throw Failure(code: errno) }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = retried { open(draft, flags, mode) }
    guard descriptor >= 0 else { throw Failure(code: errno) }
    do throws(Failure) {
      defer { close(descriptor) }
      try write(descriptor)
      guard !isKept || retried({ fsync(descriptor) }) == 0 else { throw Failure(code: errno) }
      guard rename(draft, path) == 0 else { throw Failure(code: errno) }
    } catch {
      unlink(draft)
      throw error
    }
    if isKept { try synchroniseFolder(of: path) }
  }

  /// Gives a file a second name, in one step; what has that name is replaced.
  ///
  /// The second name survives a power cut. On a file system without links it is a copy.
  package static func link(_ path: String, to name: String) throws(Failure) {
    if isSpecial(name) { throw .notRegular }
    let draft = name + suffixes[0]
    guard unlink(draft) == 0 || errno == ENOENT else { throw Failure(code: errno) }
    guard Glibc.link(path, draft) == 0 else {
      // No links (FAT), or no more of them.
      guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw Failure(code: errno) }
      return try copy(path, to: name)
    }
    // Nothing happens when both names are those of one file already, and the draft stays.
    guard rename(draft, name) == 0, unlink(draft) == 0 || errno == ENOENT else {
      let failure = Failure(code: errno)
      unlink(draft)
      throw failure
    }
    try synchroniseFolder(of: name)
  }

  private static func copy(_ path: String, to name: String) throws(Failure) {
    let source = try openPrivate(path, O_RDONLY)
    defer { close(source) }
    try replace(name) { (descriptor) throws(Failure) in
      var piece = [UInt8](repeating: 0, count: 256 << 10)
      while true {
        let count = Glibc.read(source, &piece, piece.count)
        if count == 0 { return }
        if count > 0 {
          try writeAll(piece[..<count], to: descriptor)
        } else if errno != EINTR {
          throw Failure(code: errno)
        }
      }
    }
  }

  /// Writes all of `bytes`.
  package static func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(Failure) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw Failure(code: errno)
      }
    }
  }

  /// A renamed file survives a power cut once its folder is synchronised.
  ///
  /// An unreadable folder, or a file system without support (EINVAL), is no error.
  private static func synchroniseFolder(of path: String) throws(Failure) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = retried { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard retried({ fsync(descriptor) }) == 0 || errno == EINVAL else {
      throw Failure(code: errno, isInPlace: true)
    }
  }
}
