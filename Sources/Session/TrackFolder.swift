internal import System
package import Traces

/// Folders of tracks among the paths that a user names.
package enum TrackFolder {
  /// The paths, with the tracks of each folder in its place: those of the folder itself and of folders
  /// in it, by name.
  ///
  /// Hidden files are left out.
  ///
  /// - Parameter skip: Called with a message for every other file that is no track.
  /// - Throws: ``TraceError`` when a folder cannot be read or has no track.
  package static func expanded(
    _ paths: [String], skip: (String) -> Void
  ) throws(TraceError) -> [String] {
    var tracks: [String] = []
    for path in paths {
      guard Folder.exists(path) else {
        tracks.append(path)
        continue
      }
      let before = tracks.count
      try add(path, to: &tracks, skip)
      if tracks.count == before {
        throw .unrecognised(path: path, reason: "no track in this folder")
      }
    }
    return tracks
  }

  private static func add(
    _ folder: String, to tracks: inout [String], _ skip: (String) -> Void
  ) throws(TraceError) {
    let names: [String]
    do throws(WholeFile.Failure) {
      names = try Folder.names(in: folder)
    } catch {
      throw .unreadable(path: folder, reason: error.reason)
    }
    for name in names where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      if Folder.exists(path) {
        try add(path, to: &tracks, skip)
      } else if try isTrack(path) {
        tracks.append(path)
      } else {
        skip("\(path): skipped, it is not a track")
      }
    }
  }

  private static func isTrack(_ path: String) throws(TraceError) -> Bool {
    do throws(TraceError) {
      _ = try TraceFeed(path: path)
      return true
    } catch .unrecognised {
      return false
    }
  }
}
