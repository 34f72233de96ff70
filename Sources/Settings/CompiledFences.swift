internal import System
package import Tracking

/// Files of compiled fences, which programs map into memory.
package enum CompiledFences {
  /// The extension of such a file.
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

  /// Replaces a file atomically; processes that map the old file keep it.
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
