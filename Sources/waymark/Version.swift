import CVersion
import System

/// What `--version` prints: the release, and the commit when the build knew it.
enum Version {
  static var text: String {
    let commit = String(cString: waymark_commit())
    return "waymark \(Release.version)" + (commit.isEmpty ? "" : " (\(commit))")
  }
}
