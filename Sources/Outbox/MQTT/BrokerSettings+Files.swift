internal import Settings
internal import System

extension BrokerSettings {
  /// Reads the password, and checks that the files of certificates can be read.
  ///
  /// - Returns: The password; nil without one.
  func readFiles(_ environment: [String: String]) throws(ReceiverError) -> String? {
    for path in [authorityFile, certificateFile, keyFile] {
      guard let path else { continue }
      do throws(WholeFile.Failure) {
        _ = try WholeFile.read(path)
      } catch {
        throw .file(path: path, problem: "it cannot be read (\(error.reason))")
      }
    }
    guard let passwordFile else { return nil }
    return try ReceiverError.secret(passwordFile, in: environment)
  }
}
