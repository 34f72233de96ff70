internal import Glibc

/// All files in a folder and in the folders in it, by name, without hidden ones.
///
/// Links are followed. A folder that is met again, as by a link to a folder above it, is not read
/// twice.
package struct FolderTree: Sendable {
  /// The paths of regular files.
  package private(set) var files: [String] = []
  /// Paths of anything else: pipes, devices, and links that lead nowhere.
  package private(set) var others: [String] = []
  private var folders: Set<Identity> = []

  private struct Identity: Hashable {
    var device: dev_t
    var inode: ino_t
  }

  /// Why a folder cannot be read.
  package struct Failure: Error, Hashable, Sendable {
    package let path: String
    package let cause: WholeFile.Failure
  }

  package init(_ folder: String) throws(Failure) {
    try add(folder, Self.status(of: folder))
  }

  private static func status(of path: String) -> stat {
    var status = stat()
    return stat(path, &status) == 0 ? status : stat()
  }

  private mutating func add(_ folder: String, _ status: stat) throws(Failure) {
    let identity = Identity(device: status.st_dev, inode: status.st_ino)
    guard folders.insert(identity).inserted else { return }
    let names: [String]
    do throws(WholeFile.Failure) {
      names = try Folder.names(in: folder)
    } catch {
      throw Failure(path: folder, cause: error)
    }
    for name in names where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      let status = Self.status(of: path)
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try add(path, status)
      case S_IFREG: files.append(path)
      default: others.append(path)
      }
    }
  }
}
