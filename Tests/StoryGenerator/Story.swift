import Geodesy
import Simulation
import Tracking

/// A track as a recorder writes it: fixes in segments.
struct RecordedTrack {
  var name: String
  var segments: [[Fix]]
}

/// The true path of one device, and its recording.
struct Recording {
  var device: String
  var path: TruePath
  var tracks: [RecordedTrack]

  /// A recording in one track of one segment.
  init(device: String, path: TruePath, fixes: [Fix]) {
    self.init(
      device: device, path: path, tracks: [RecordedTrack(name: device, segments: [fixes])])
  }

  init(device: String, path: TruePath, tracks: [RecordedTrack]) {
    self.device = device
    self.path = path
    self.tracks = tracks
  }

  /// The true crossings between the first fix and the last.
  func truth(of fences: [StoryFence]) -> [(device: String, crossing: TrueCrossing)] {
    let times = tracks.flatMap(\.segments).joined().compactMap(\.time)
      .filter { 0...path.duration ~= $0.seconds(since: path.start) }
    guard let first = times.min(), let last = times.max() else { return [] }
    return path.crossings(of: fences.map(\.reference))
      .filter { first <= $0.time && $0.time <= last }
      .map { (device, $0) }
  }
}

/// One folder of traces/.
struct Story {
  /// How far the event that plain geometry finds may be from the truth.
  enum Agreement {
    /// Every true crossing has one event so many seconds from it, and there are no other events.
    case within(seconds: Double)
    /// Plain geometry flaps: the story shows that.
    case none
  }

  var name: String
  /// First line of the README.
  var title: String
  /// What the story shows, in Markdown.
  var about: String
  var seed: UInt64
  var fences: [StoryFence]
  var recordings: [Recording]
  var agreement = Agreement.within(seconds: 6)
  /// The recorded file: its name and contents.
  var track: (name: String, text: String)
  /// The config before the list of fences.
  var preamble: String
  /// Lines of the list of fences, when the list is not just ``fences``.
  var entries: String?
  /// Other files of the folder.
  var extras: [(name: String, text: String)] = []

  /// The true crossings, in order of time.
  var truth: [(device: String, crossing: TrueCrossing)] {
    recordings.flatMap { $0.truth(of: fences) }.sorted { a, b in
      (a.crossing.time, a.device) < (b.crossing.time, b.device)
    }
  }

  /// Every file of the folder; a file whose name ends in `.gz` is compressed when written.
  var files: [(name: String, text: String)] {
    [
      track,
      ("waymark.yaml", preamble + "fences:\n" + (entries ?? fences.compactMap(\.entry).joined())),
      ("truth.csv", CSVText.truth(truth)),
      ("README.md", readme),
    ] + extras
  }

  private var readme: String {
    """
    # \(title)

    \(about)

    Simulated: the people do not exist. Written by `swift run make-stories traces` with seed \
    \(seed); `truth.csv` lists the true crossings, `\(track.name)` contains the receiver's \
    fixes. Licence: CC0 1.0.

    """
  }
}
