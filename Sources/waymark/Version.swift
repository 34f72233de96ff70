import CVersion
import Geocoding

/// What `--version` prints: the release, and the commit when the build knew it.
enum Version {
  static var text: String {
    let commit = String(cString: waymark_commit())
    return "waymark \(NominatimGeocoder.version)" + (commit.isEmpty ? "" : " (\(commit))")
  }
}
