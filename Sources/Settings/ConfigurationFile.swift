internal import Glibc
internal import System

/// Reading whole files of bounded size.
enum ConfigurationFile {
  /// Why a file could not be read.
  enum Failure: Error, Hashable {
    case notFound
    /// The system refused, for the reason given.
    case refused(String)
    case tooLarge
  }

  /// Larger files are rejected, to bound memory; the fences of a whole country fit.
  static let largestSize = 64 << 20

  /// The bytes of the file at `path`.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    do throws(WholeFile.Failure) {
      return try WholeFile.read(path, limit: largestSize)
    } catch {
      throw failure(error)
    }
  }

  /// The bytes of the file at `path`, which holds what is expected.
  static func contents(of path: String, expected: String) throws(ConfigurationError) -> [UInt8] {
    do {
      return try read(path)
    } catch {
      throw problem(error, path, expected)
    }
  }

  private static func problem(
    _ failure: Failure, _ path: String, _ expected: String
  ) -> ConfigurationError {
    let place = ConfigurationPlace(file: path)
    switch failure {
    case .notFound:
      return ConfigurationError(
        [ConfigurationProblem(place, found: "no such file", expected: expected)], kind: .notFound)
    case .refused(let reason):
      return ConfigurationError(
        [
          ConfigurationProblem(
            place, found: "it unreadable (\(reason))", expected: "a readable file")
        ],
        kind: .unreadable)
    case .tooLarge:
      return ConfigurationError([
        ConfigurationProblem(place, found: "more than 64 MiB", expected: "a smaller file")
      ])
    }
  }

  /// Resolves the path `name` in the file at `base`, relative to that file's folder.
  static func resolve(_ name: String, besides base: String) -> String {
    guard !name.hasPrefix("/"), let slash = base.lastIndex(of: "/") else { return name }
    return base[...slash] + name
  }

  private static func failure(_ error: WholeFile.Failure) -> Failure {
    switch error.code {
    case ENOENT, ENOTDIR: .notFound
    case WholeFile.Failure.tooLarge.code: .tooLarge
    default: .refused(error.reason)
    }
  }
}
