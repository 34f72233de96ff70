import Foundation
import Glibc

/// A receiver of NMEA 0183 that a test plays, whose datagrams gpsd reads.
final class Receiver {
  /// What a gpsd calls it.
  var device: String { "udp://127.0.0.1:\(port)" }
  private let port: UInt16
  private let descriptor: Int32

  /// Holds a port, so that no other program takes it before gpsd does.
  ///
  /// gpsd binds it as well (SO_REUSEADDR), and the socket that was bound last gets the datagrams.
  init() throws { (descriptor, port) = try RealGPSD.bind(SOCK_DGRAM, isShared: true) }

  deinit { close(descriptor) }

  /// Sends one datagram.
  func say(_ text: String) {
    let bytes = Array(text.utf8)
    var address = RealGPSD.loopback(port)
    withUnsafeBytes(of: &address) {
      guard let start = $0.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return }
      _ = sendto(descriptor, bytes, bytes.count, 0, start, socklen_t($0.count))
    }
  }
}

/// What a receiver says of one second of a drive east past the point 54.5, 8.01.
struct Epoch {
  enum Position {
    case none, twoD, threeD
    /// The sentences that have a date are missing.
    case withoutTime
  }

  /// Seconds after 2025-03-10T08:00:00Z.
  var second: Int
  var position = Position.threeD

  /// The fence of the drive; it is entered at about 70 s and left at about 130 s.
  static let fence = "gate=54.5,8.01,200"

  init(_ second: Int, _ position: Position = .threeD) {
    self.second = second
    self.position = position
  }

  /// As gpsd and the event log write it.
  var time: String {
    String(
      format: "2025-03-10T%02d:%02d:%02d.000Z", 8 + second / 3_600, second / 60 % 60, second % 60)
  }

  var text: String { sentences.joined() }

  var sentences: [String] {
    let clock = time.dropFirst(11).dropLast().replacing(":", with: "")
    // 0.0001 degrees are 6.5 m here.
    let place = String(format: "5430.00000,N,008%08.5f,E", Double(second) * 0.006)
    let speed = String(format: "%.2f", 6.46 / 0.514444)
    switch position {
    case .none:
      return [
        "GPGGA,\(clock),,,,,0,00,,,M,,M,,", "GPGSA,A,1,,,,,,,,,,,,,,,",
        "GPRMC,\(clock),V,,,,,,,100325,,,N",
      ].map(Self.sentence)
    case .twoD:
      return [
        "GPGGA,\(clock),\(place),1,03,1.9,,M,,M,,", "GPGSA,A,2,01,02,03,,,,,,,,,,2.1,1.9,1.0",
        "GPRMC,\(clock),A,\(place),\(speed),90.0,100325,,,A",
      ].map(Self.sentence)
    case .threeD, .withoutTime:
      let both = [
        "GPGGA,\(clock),\(place),1,08,0.9,34.0,M,45.0,M,,",
        "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.5,0.9,1.2",
      ]
      let rmc = ["GPRMC,\(clock),A,\(place),\(speed),90.0,100325,,,A"]
      return (both + (position == .threeD ? rmc : [])).map(Self.sentence)
    }
  }

  /// A sentence with its checksum and its end.
  static func sentence(_ text: String) -> String {
    "$" + text + String(format: "*%02X\r\n", text.utf8.reduce(0, ^))
  }
}
