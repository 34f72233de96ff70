internal import Glibc

/// A file mapped into memory: its pages are read when they are used, and shared by all processes.
///
/// Truncating the file meanwhile ends the process (SIGBUS, see ``TruncationReport``), so writers replace
/// such files as a whole.
package final class MappedFile: @unchecked Sendable {
  // Unchecked: the memory is read only, and unmapped with the last reference.
  package let bytes: UnsafeRawBufferPointer
  /// Its number in the report.
  private let number: Int?

  package init(_ path: String) throws(WholeFile.Failure) {
    // An embedded NUL would cut the path short in C and open another file.
    guard !path.utf8.contains(0) else { throw WholeFile.Failure(code: ENOENT) }
    // Without O_NONBLOCK, open(2) waits for the writer of a named pipe.
    let descriptor = retried { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else { throw WholeFile.Failure(code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw WholeFile.Failure(code: errno) }
    // Folders and pipes cannot be mapped.
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    let size = Int(status.st_size)
    guard size > 0 else {
      (bytes, number) = (UnsafeRawBufferPointer(start: nil, count: 0), nil)
      return
    }
    guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
    else { throw WholeFile.Failure(code: errno) }
    bytes = UnsafeRawBufferPointer(start: start, count: size)
    number = TruncationReport.add(path, bytes)
  }

  deinit {
    if let number { TruncationReport.remove(number) }
    if let start = bytes.baseAddress {
      munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }
  }
}
