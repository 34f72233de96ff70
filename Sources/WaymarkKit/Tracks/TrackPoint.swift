public import Tracking

/// A fix of a track file, with its device and its place in the file.
public struct TrackPoint: Sendable, Hashable {
  /// The fix as in the file, in this project's units; the engine validates it.
  public var fix: Fix
  /// The name of the device: the one in the file, or a name for the file, see ``TrackReader``.
  public var device: String
  /// The path of the file.
  public var path: String
  /// The line on which it begins, from 1; in a binary file (FIT) the offset of its first byte, from 0.
  public var line: Int

  /// Makes a point.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - device: The name of its device.
  ///   - path: The file.
  ///   - line: The line, from 1.
  public init(fix: Fix, device: String, path: String, line: Int) {
    (self.fix, self.device, self.path, self.line) = (fix, device, path, line)
  }
}
