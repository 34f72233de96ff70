internal import System
internal import Traces

/// What a user names by one path: a file, or the files in a folder or in an archive.
///
/// A folder includes the folders in it, and an archive in a folder is read as a folder.
package struct TrackInputs {
  /// A file, or an entry of an archive.
  struct Input: Sendable {
    var path: String
    /// Nil for a file.
    var entry: ZipEntry?
  }

  /// What a path is.
  enum Kind { case file, folder, archive }

  let path: String
  let kind: Kind
  private(set) var inputs: [Input] = []
  /// What is wrong with archives, and their paths.
  private(set) var problems: [(path: String, reason: String)] = []
  /// Pipes, devices, and links that lead nowhere, which are not opened.
  private(set) var others: [String] = []
  /// Archives in a folder that are documents of office programs, and what they are.
  private(set) var documents: [(path: String, reason: String)] = []

  init(_ path: String) throws(TraceError) {
    self.path = path
    if path != "-", Folder.exists(path) {
      kind = .folder
      try addFolder()
    } else if path != "-", ZipArchive.isArchive(path) {
      kind = .archive
      try addArchive(path)
    } else {
      kind = .file
      inputs = [Input(path: path)]
    }
  }

  /// The paths of the files that a path stands for.
  package static func files(of path: String) -> [String] {
    guard Folder.exists(path), let tree = try? FolderTree(path) else { return [path] }
    return tree.files
  }

  private mutating func addFolder() throws(TraceError) {
    let tree: FolderTree
    do throws(FolderTree.Failure) {
      tree = try FolderTree(path)
    } catch {
      throw .unreadable(path: error.path, reason: error.cause.reason)
    }
    others = tree.others
    for file in tree.files {
      if ZipArchive.isArchive(file) {
        try addArchive(file)
      } else {
        inputs.append(Input(path: file))
      }
    }
  }

  private mutating func addArchive(_ path: String) throws(TraceError) {
    let archive = try ZipArchive(path: path)
    if let reason = try archive.office {
      guard kind == .folder else { throw .unrecognised(path: path, reason: reason) }
      return documents.append((path, reason))
    }
    inputs += archive.entries.map { Input(path: $0.path, entry: $0) }
    problems += archive.problems.map { (path, $0) }
  }
}
