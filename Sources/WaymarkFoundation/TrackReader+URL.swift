public import Foundation
public import WaymarkKit

extension TrackReader {
  /// Opens a file, a folder or a ZIP archive by its URL.
  ///
  /// - Parameters:
  ///   - url: A URL of the scheme `file`.
  ///   - device: The name for fixes whose file names no device; nil for the name of the track or file.
  ///   - options: What you know of the files, such as the columns of a CSV file and its time zone.
  /// - Throws: a `TrackProblem`, for a URL of another scheme with the code `unreadable`.
  public convenience init(
    contentsOf url: URL, device: String? = nil, options: TrackOptions = TrackOptions()
  ) throws(TrackProblem) {
    guard url.isFileURL else {
      throw TrackProblem(
        code: .unreadable, path: url.absoluteString,
        message:
          "found the scheme '\(url.scheme ?? "")', expected a URL of a file; download it first",
        endsReading: true)
    }
    try self.init(url.path(percentEncoded: false), device: device, options: options)
  }
}
