import Foundation
import Glibc

/// A folder of its own for a test, gone with this object.
public final class ScratchFolder {
  /// Where it is.
  public let path: String

  /// Makes an empty one, in the folder given or where temporary files are; nobody else may write to it,
  /// whatever the umask is.
  public init(in folder: String? = nil) throws {
    let parent = folder.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    path = parent.appendingPathComponent("waymark-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of something in it.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, by default for its owner alone; see ``writeExecutable(_:to:mode:)`` for programs.
  public func write(_ name: String, _ text: String, mode: Int = 0o600) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name))
  }

  /// Writes a file of any bytes, for its owner alone.
  public func write(_ name: String, bytes: [UInt8]) throws {
    let folder = URL(fileURLWithPath: file(name)).deletingLastPathComponent()
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file(name))
  }

  /// Gives a file another name in the place of what has it.
  public func rename(_ name: String, to other: String) throws {
    guard Glibc.rename(file(name), file(other)) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  /// Makes a symbolic link.
  public func symbolicLink(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: file(name), withDestinationPath: target)
  }

  /// Copies a file of another folder, or makes a folder as there.
  public func copy(_ name: String, from other: ScratchFolder) throws {
    var status = stat()
    guard lstat(other.file(name), &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      try FileManager.default.createDirectory(
        atPath: file(name), withIntermediateDirectories: true,
        attributes: [.posixPermissions: Int(status.st_mode & 0o777)])
    } else if status.st_mode & 0o111 != 0, link(other.file(name), file(name)) == 0 {
      // A copy could not be started at once (``writeExecutable(_:to:mode:)``).
    } else {
      try FileManager.default.copyItem(atPath: other.file(name), toPath: file(name))
    }
  }

  /// The text of a file.
  public func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: file(name))), as: UTF8.self)
  }

  /// Who may do what with something in it, as chmod(1) writes it.
  public func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? Int
  }

  /// The names of everything in it, and in its folders.
  public func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
  }
}
