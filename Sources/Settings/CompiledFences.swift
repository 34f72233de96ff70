internal import System
package import Tracking

/// Files of compiled fences, which a process uses where they lie.
package enum CompiledFences {
  /// By what the name of such a file ends.
  package static let suffix = ".wmf"

  /// Opens a file.
  ///
  /// - Throws: ``FenceSourceError``.
  package static func open(_ path: String) throws(FenceSourceError) -> FenceSet {
    let file: MappedFile
    do throws(WholeFile.Failure) {
      file = try MappedFile(path)
    } catch {
      throw .system(path: path, reason: error.reason)
    }
    do throws(FenceFileError) {
      return try FenceSet(compiled: file.bytes, owner: file)
    } catch {
      throw .compiled(path: path, error)
    }
  }

  /// Writes a file beside it and puts that in its place, so that processes that use the old one go on
  /// with it.
  ///
  /// - Throws: ``FenceSourceError/system(path:reason:)``.
  package static func write(_ fences: FenceSet, to path: String) throws(FenceSourceError) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(fences.byteCount)
    fences.writeCompiled { bytes.append(contentsOf: $0) }
    do throws(WholeFile.Failure) {
      try WholeFile.replace(path, with: bytes, mode: 0o644)
    } catch {
      throw .system(path: path, reason: error.reason)
    }
  }
}
