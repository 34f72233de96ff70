internal import GRDB
internal import System

/// Why a file of tiles cannot be used.
package struct TileError: Error, Sendable, Hashable, CustomStringConvertible {
  package let path: String
  package let reason: String

  package var description: String { "\(path): cannot read map tiles: \(reason)" }

  /// A file that is readable, but has no tiles for a page.
  struct Unsuitable: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// Runs `body` and turns its error into one that names the file.
  static func attempt<Value>(_ path: String, _ body: () throws -> Value) throws(TileError) -> Value
  {
    do {
      return try body()
    } catch let error as Unsuitable {
      throw TileError(path: path, reason: error.reason)
    } catch let error as SystemError {
      throw TileError(path: path, reason: error.description)
    } catch let error as DatabaseError {
      throw TileError(path: path, reason: Self.reason(error))
    } catch {
      throw TileError(path: path, reason: "\(error)")
    }
  }

  private static func reason(_ error: DatabaseError) -> String {
    switch error.resultCode {
    case .SQLITE_NOTADB: "it is not an MBTiles file"
    case .SQLITE_CORRUPT: "it is damaged"
    default: error.message ?? "\(error.resultCode)"
    }
  }
}
