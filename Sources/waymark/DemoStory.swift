import CDemo
import Formats
import Settings
import System
import Traces
import Tracking

/// The story that is in the program: a track and its config, those of `traces/out-and-back`.
enum DemoStory {
  private static let files = [
    (name: "track.gpx", bytes: bytes(waymark_demo_track())),
    (name: "waymark.yaml", bytes: bytes(waymark_demo_config())),
  ]

  /// The fixes of the track.
  static var fixes: [Fix] {
    let track = files[0].bytes
    var decoder = TraceFormat.gpx.decoder(ReadingOptions(), isConverted: false)
    var (batch, used) = (TraceBatch(), 0)
    repeat {
      used += decoder.decode(track.span.extracting(used...), isFinal: true, into: &batch)
    } while used < track.count && !decoder.isFinished
    return batch.points.map(\.fix)
  }

  static func configuration() throws(ConfigurationError) -> Configuration {
    try Configuration(files[1].bytes, named: files[1].name)
  }

  /// Writes the files to a folder, over none that is there, and returns their paths.
  static func save(to folder: String) throws(OutputError) -> [String] {
    _ = try Folder(made: folder)
    return try files.map { file throws(OutputError) in
      let path = "\(folder)/\(file.name)"
      let output = try OutputFile(creating: path)
      try output.append(file.bytes)
      try output.close()
      return path
    }
  }

  private static func bytes(_ file: waymark_demo_file) -> [UInt8] {
    Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
  }
}
