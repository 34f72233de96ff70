import ArgumentParser
import MapTiles
import PlaceNaming
import Session
import Settings
import System

extension FileUse {
  /// Refuses a command that would write a file which another of its options names.
  static func check(_ uses: [FileUse?]) throws {
    guard let clash = clash(in: uses.compactMap { $0 }) else { return }
    throw ValidationError(
      "\(clash.first.option) and \(clash.second.option) both use '\(clash.path)'; name another file"
    )
  }

  /// The files that a command reads, with those in folders; `-` is standard input.
  static func inputs(_ paths: [String]) -> [FileUse] {
    paths.flatMap { path in
      TrackInputs.files(of: path == "-" ? "/dev/stdin" : path).map {
        .reading("the input '\(path)'", $0)
      }
    }
  }

  /// A file that a command writes; nil for none, and for `-`, which is standard output.
  static func output(_ option: String, _ path: String?) -> FileUse? {
    guard let path, path != "-" else { return nil }
    return .writing(option, path)
  }

  /// Refuses standard output for what is read again or replaced as a whole, such as a recording.
  ///
  /// - Parameters:
  ///   - content: What the file has, in a word or two.
  ///   - kind: What it is, if it is no file.
  static func checkFile(
    _ option: String, _ path: String?, for content: String, in kind: String = "file",
    suchAs example: String
  ) throws {
    guard path == "-" else { return }
    throw ValidationError(
      "\(option) is standard output (-), to which no \(content) goes; name a \(kind) such as "
        + example)
  }

  /// Refuses standard output for a store, which is a database.
  static func checkStore(_ path: String?) throws {
    try checkFile("--store", path, for: "store", suchAs: "events.gpkg")
  }

  /// Refuses standard output for a recording, which the next run appends to.
  static func checkRecording(_ option: String, _ path: String?) throws {
    try checkFile(option, path, for: "recording", suchAs: "trip.jsonl")
  }

  /// Refuses standard output for a state, which the next run reads.
  static func checkState(_ path: String?) throws {
    try checkFile("--state", path, for: "state", suchAs: "van.state")
  }

  /// The config file of a command, and the files that it reads, as far as the config is known.
  static func config(_ path: String?, _ configuration: Configuration) -> [FileUse] {
    let geocoder = configuration[GeocoderSection.self]
    let tables = [geocoder.gazetteer, geocoder.table].compactMap { $0 }
    return (path.map { [.reading("--config", $0)] } ?? [])
      + configuration.included.map { .reading("an include of the config", $0) }
      + tiles(of: configuration)
      + brokers(of: configuration)
      + tables.map { .reading("the geocoder of the config", $0) }
  }

  /// The files with the tokens of the config's sources, which are made when they are missing.
  static func tokens(of configuration: Configuration) -> [FileUse] {
    configuration.inlets.compactMap { inlet in
      switch inlet.kind {
      case .http(_, let file):
        file.map { .writing("the token of the config", $0, suffixes: WholeFile.suffixes) }
      case .mqtt: nil
      }
    }
  }

  /// The files that the sources of brokers read.
  private static func brokers(of configuration: Configuration) -> [FileUse] {
    configuration.brokers.flatMap { broker in
      (broker.secretFiles + [broker.authorityFile, broker.certificateFile].compactMap(\.self))
        .map { .reading("a source of the config", $0) }
    }
  }

  private static func tiles(of configuration: Configuration) -> [FileUse] {
    guard case .file(let path)? = configuration[TileSection.self]?.source else { return [] }
    return [.reading("the tiles of the config", path)]
  }
}
