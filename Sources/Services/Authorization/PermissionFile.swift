internal import FoundationEssentials
internal import Glibc
package import System

/// The file with the user's decision about one program, as text for people to read and edit.
///
/// A JSON object: `program`, its name; `status`, one of `notDetermined`, `restricted`, `denied`,
/// `always` and `whenInUse`; `accuracy`, `full` or `reduced`; and, if true, `wasAskedForAlways` and
/// `isProvisional` (``PermissionRecord``). The file is its owner's alone (mode 0600, in a folder 0700
/// where that is made here). One that others can read or write is rejected, and so is one in a folder
/// that others can change (``FolderTrust``).
package struct PermissionFile: Sendable, Hashable {
  package let path: String
  package let program: String

  /// The file at `path` for a program; if that is a folder, the file in it named after the program.
  package init(path: String, program: String = ProgramName.current) {
    self.program = program
    let isFolder = path.hasSuffix("/") || Folder.exists(path)
    let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
    self.path = isFolder ? "\(folder)/\(ProgramName.fileName(program)).permission" : path
  }

  /// Reads the decision; nil when there is no file yet.
  package func read() throws(PermissionFileError) -> PermissionRecord? {
    let bytes: [UInt8]
    try checkFolder()
    do {
      guard let mode = try WholeFile.mode(of: path) else { return nil }
      guard mode & 0o077 == 0 else { throw PermissionFileError.open(path: path, mode: mode) }
      bytes = try WholeFile.read(path)
    } catch let error as PermissionFileError {
      throw error
    } catch {
      throw .refused(path: path, (error as? WholeFile.Failure)?.reason ?? "\(error)")
    }
    let content = try content(bytes)
    guard content.program == program else {
      throw .ofAnother(path: path, program: content.program)
    }
    return content.record
  }

  /// Refuses a folder in which others could replace the file; one that is not there yet is made
  /// later.
  private func checkFolder() throws(PermissionFileError) {
    let folder = Folder.parent(of: path)
    guard Folder.exists(folder) else { return }
    do throws(FolderTrust.Violation) {
      try FolderTrust.check(folder)
    } catch {
      throw .untrusted(path: path, error)
    }
  }

  private func content(_ bytes: [UInt8]) throws(PermissionFileError) -> Content {
    do {
      return try JSONDecoder().decode(Content.self, from: Data(bytes))
    } catch {
      let context: DecodingError.Context? =
        switch error as? DecodingError {
        case .dataCorrupted(let context), .typeMismatch(_, let context),
          .valueNotFound(_, let context):
          context
        case .keyNotFound(let key, _):
          DecodingError.Context(codingPath: [key], debugDescription: "it is missing")
        case nil: nil
        @unknown default: nil
        }
      throw .broken(path: path, key: context?.codingPath.last?.stringValue)
    }
  }

  /// Replaces the file in one step.
  package func write(_ record: PermissionRecord) throws(PermissionFileError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
      try Folder.create(Folder.parent(of: path), mode: 0o700)
      try checkFolder()
      let text = try encoder.encode(Content(program: program, record: record))
      try WholeFile.replace(path, with: Array(text) + [UInt8(ascii: "\n")])
    } catch let error as PermissionFileError {
      throw error
    } catch let error as Folder.CreationFailure {
      throw .refused(path: path, error.cause.reason)
    } catch {
      throw .refused(path: path, (error as? WholeFile.Failure)?.reason ?? "\(error)")
    }
  }

  /// The content of the file.
  private struct Content: Codable {
    private enum Status: String, Codable, CaseIterable {
      case notDetermined, restricted, denied, always, whenInUse

      var value: Authorization.Status {
        switch self {
        case .notDetermined: .notDetermined
        case .restricted: .restricted
        case .denied: .denied
        case .always: .always
        case .whenInUse: .whenInUse
        }
      }
    }
    private enum Accuracy: String, Codable {
      case full, reduced
    }

    let program: String
    private let status: Status
    private let accuracy: Accuracy?
    private let wasAskedForAlways: Bool?
    private let isProvisional: Bool?

    init(program: String, record: PermissionRecord) {
      self.program = program
      status = Status.allCases.first { $0.value == record.status } ?? .denied
      accuracy = record.accuracy == .full ? .full : .reduced
      wasAskedForAlways = record.wasAskedForAlways ? true : nil
      isProvisional = record.isProvisional ? true : nil
    }

    var record: PermissionRecord {
      PermissionRecord(
        status.value, accuracy == .reduced ? .reduced : .full,
        wasAskedForAlways: wasAskedForAlways ?? false, isProvisional: isProvisional ?? false)
    }
  }
}

/// Why a permission cannot be read or written; until that is fixed, location access is denied.
package enum PermissionFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Others can read or write it.
  case open(path: String, mode: UInt32)
  /// Others can replace it.
  case untrusted(path: String, FolderTrust.Violation)
  case ofAnother(path: String, program: String)
  case broken(path: String, key: String?)
  case refused(path: String, String)

  /// What is wrong and what to do, in one sentence.
  package var description: String {
    switch self {
    case .open(let path, let mode):
      "\(path): not used, and location access is denied: other users can read or write it (mode "
        + "\(String(mode, radix: 8))); run 'chmod 600 \(path)'"
    case .untrusted(let path, let violation):
      "\(path): not used, and location access is denied: \(violation)"
    case .ofAnother(let path, let program):
      "\(path): not used, and location access is denied: it is the permission of '\(program)'; use "
        + "another file"
    case .broken(let path, let key):
      "\(path): not used, and location access is denied: it is not a permission file"
        + (key.map { " ('\($0)' is missing or invalid)" } ?? "")
        + "; fix it, or remove it to be prompted again"
    case .refused(let path, let reason): "\(path): cannot save the permission there: \(reason)"
    }
  }
}
