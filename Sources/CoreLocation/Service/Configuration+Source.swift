internal import GPSD
internal import Receivers
internal import Services

extension LocationService.Configuration {
  /// The times of the fixes of a recording.
  public enum RecordingTime: Sendable, Hashable {
    /// Those of the recording.
    case recorded
    /// As if it was recorded now: the first fix has the time at which it is played, and the others keep
    /// their distance from it.
    case now
  }

  /// The source of fixes.
  public enum Source: Sendable, Hashable {
    /// A receiver behind gpsd, or all of them.
    ///
    /// `host` is a name or a numeric address without brackets. `device` is the path of a receiver as
    /// gpsd reports it, such as `/dev/ttyUSB0`; nil for all.
    case gpsd(host: String = "localhost", port: UInt16 = 2947, device: String? = nil)
    /// A recording of any format that `waymark replay` reads: a file, or the files in a folder or an
    /// archive.
    ///
    /// `speed` is a multiple of real time above 0: 1 is the recorded pace, `infinity` as fast as
    /// possible. `device` is the one that is played; nil for the first.
    case recording(
      path: String, speed: Double = 1, device: String? = nil, time: RecordingTime = .recorded)
    /// No source.
    case none

    init(_ description: SourceDescription) {
      self =
        switch description {
        case .gpsd(let address):
          .gpsd(host: address.host, port: address.port, device: address.device)
        case .trace(let path, let speed, let device, let isNow):
          .recording(
            path: path, speed: speed ?? .infinity, device: device, time: isNow ? .now : .recorded)
        case .none: .none
        }
    }
  }
}

extension SourceDescription {
  /// - Throws: ``SourceError`` for an invalid source; whether it exists is not checked.
  init(_ source: LocationService.Configuration.Source) throws(SourceError) {
    switch source {
    case .gpsd(let host, let port, let device):
      let address = GPSDAddress(host: host, port: port, device: device)
      do throws(GPSDAddressError) {
        self = .gpsd(try GPSDAddress(parsing: address.description))
      } catch {
        throw .address(error)
      }
    case .recording(let path, let speed, let device, let time):
      if path.isEmpty { throw .empty }
      if path == "-" { throw .standardInput }
      guard speed > 0 else { throw .speed(found: speed) }
      self = .trace(
        path: path, speed: speed.isFinite ? speed : nil, device: device, isNow: time == .now)
    case .none: self = .none
    }
  }
}
