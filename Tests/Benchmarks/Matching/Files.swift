import Geodesy
import Glibc

/// The numbers in a file of doubles, at most so many of them.
func numbers(in path: String, most: Int = .max) throws(FileFailure) -> [Double] {
  guard let file = fopen(path, "rb") else { throw FileFailure(path: path) }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  let count = min(ftell(file) / 8, most)
  rewind(file)
  let numbers = [Double](unsafeUninitializedCapacity: count) { buffer, filled in
    filled = fread(buffer.baseAddress, 8, count, file)
  }
  guard numbers.count == count else { throw FileFailure(path: path) }
  return numbers
}

/// A file cannot be read.
struct FileFailure: Error {
  let path: String
}

/// The places in a file of fixes: latitude, longitude.
func places(in path: String, most: Int = .max) throws(FileFailure) -> [Coordinate] {
  let numbers = try numbers(in: path, most: most == .max ? .max : most * 2)
  return stride(from: 0, to: numbers.count, by: 2).map {
    Coordinate(latitude: numbers[$0], longitude: numbers[$0 + 1])
  }
}
