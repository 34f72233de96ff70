@_implementationOnly import CMinizip
internal import Glibc
internal import System

/// The file of an archive as minizip reads it.
///
/// It can be closed between reads: the next read opens it again.
final class ZipFile {
  let size: Int
  private let path: String
  private let identity: ByteSource.Identity
  /// Below 0 while the file is closed.
  private var descriptor: Int32
  private var position = 0
  /// A part of the file: minizip reads its tables byte by byte, and looks for its directory backwards.
  private var window: [UInt8] = []
  private var windowStart = 0
  /// How often a part of the file was read.
  private(set) var loads = 0
  /// Whether something was read beyond the end, which minizip takes for zeros unless it is an error.
  private var isCut = false
  /// Why the file cannot be read on.
  private(set) var failure: TraceError?

  /// Windows begin at multiples of it, and overlap by more than minizip reads at once, so that reading
  /// backwards loads each of them once.
  static let windowSize = 16 << 10
  private static let overlap = 2 << 10

  /// Opens the file.
  ///
  /// - Parameter identity: Of the file that must have this path; nil for any.
  init(path: String, identity: ByteSource.Identity? = nil) throws(TraceError) {
    self.path = path
    (descriptor, size, self.identity) = try ByteSource.openRegular(path, identity)
  }

  deinit { close() }

  /// The file, to compare with one of the same path.
  var opened: ByteSource.Identity { identity }

  /// The first bytes, fewer when the file has no more.
  func head(_ count: Int) -> [UInt8] {
    position = 0
    return loadWindow() ? Array(window.prefix(count)) : []
  }

  /// Closes the descriptor and frees the window until the next read.
  func rest() {
    close()
    window = []
  }

  private func close() {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
  }

  // MARK: For minizip

  /// The functions for minizip, which reads through `file`.
  ///
  /// The file must outlive what minizip opens with them.
  static func functions(_ file: ZipFile) -> zlib_filefunc64_def {
    var functions = zlib_filefunc64_def()
    // Unretained: the owner of minizip's handle holds the file as well (`ZipHandle`).
    functions.opaque = Unmanaged.passUnretained(file).toOpaque()
    functions.zopen64_file = { file, _, _ in file }
    functions.zread_file = { file, _, buffer, count in
      ZipFile.at(file)?.read(into: buffer, Int(clamping: count)) ?? 0
    }
    functions.ztell64_file = { file, _ in UInt64(ZipFile.at(file)?.position ?? 0) }
    functions.zseek64_file = { file, _, offset, origin in
      ZipFile.at(file)?.seek(Int(clamping: offset), origin) == true ? 0 : -1
    }
    functions.zclose_file = { _, _ in 0 }
    functions.zerror_file = { file, _ in ZipFile.at(file)?.hasFailed == false ? 0 : -1 }
    return functions
  }

  /// The file that ``functions(_:)`` gave to minizip.
  private static func at(_ pointer: UnsafeMutableRawPointer?) -> ZipFile? {
    pointer.map { Unmanaged<ZipFile>.fromOpaque($0).takeUnretainedValue() }
  }

  private var hasFailed: Bool { failure != nil || isCut }

  private func seek(_ offset: Int, _ origin: Int32) -> Bool {
    let start =
      switch origin {
      case ZLIB_FILEFUNC_SEEK_SET: 0
      case ZLIB_FILEFUNC_SEEK_CUR: position
      default: size
      }
    let (target, overflows) = start.addingReportingOverflow(offset)
    guard !overflows, target >= 0, target <= size else { return false }
    position = target
    return true
  }

  /// Reads at the position; gives fewer bytes at the end of the file and after a failure.
  private func read(into buffer: UnsafeMutableRawPointer?, _ count: Int) -> UInt {
    guard let buffer else { return 0 }
    // minizip's buffer has `count` bytes, and no more are copied.
    let target = UnsafeMutableRawBufferPointer(start: buffer, count: count)
    var done = 0
    while done < count {
      let start = position - windowStart
      if !window.indices.contains(start), !loadWindow() { break }
      let from = position - windowStart
      let length = min(count - done, window.count - from)
      window.withUnsafeBytes { bytes in
        target[done..<done + length].copyBytes(from: bytes[from..<from + length])
      }
      done += length
      position += length
    }
    if done < count { isCut = true }
    return UInt(done)
  }

  /// Reads the window of the position; false at the end of the file and after a failure.
  private func loadWindow() -> Bool {
    guard failure == nil else { return false }
    do throws(TraceError) {
      if descriptor < 0 { descriptor = try ByteSource.openRegular(path, identity).descriptor }
      var bytes = [UInt8](repeating: 0, count: Self.windowSize + Self.overlap)
      let (descriptor, start) = (descriptor, position - position % Self.windowSize)
      var count = 0
      repeat {
        count = pread(descriptor, &bytes, bytes.count, off_t(start))
      } while count < 0 && errno == EINTR
      guard count >= 0 else { throw ByteSource.failure(path, errno) }
      bytes.removeLast(bytes.count - count)
      (window, windowStart, loads) = (bytes, start, loads + 1)
      return position - start < count
    } catch {
      failure = error
      return false
    }
  }
}
