public import Foundation

/// What belongs to the package, as a test finds it.
public enum Built {
  /// A program of the package, which lies beside the test bundle.
  public static func program(_ name: String) throws -> String {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let file = folder.appendingPathComponent(name).path
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue {
        return file
      }
    }
    throw Missing(name: name)
  }

  /// A file of the package.
  public static func package(_ path: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent(path)
  }

  /// A program that is not there.
  struct Missing: Error, CustomStringConvertible {
    let name: String
    var description: String { "\(name) is not built" }
  }
}

extension Built {
  /// The Python with the packages of PyPI that `make peers` installs.
  package static func peerPython() throws -> URL {
    let python = package(".build/peers/bin/python")
    guard FileManager.default.isExecutableFile(atPath: python.path) else {
      throw NeverHappened(description: "\(python.path) is missing: run make peers")
    }
    return python
  }
}
