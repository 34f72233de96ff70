import Foundation
import Geodesy
import Testing
import Estimation

@Suite("Fixes")
struct FixTests {
  private let bare = Fix(
    time: Timestamp(nanoseconds: 5), coordinate: Coordinate(latitude: 1, longitude: 2))

  private var full: Fix {
    var fix = bare
    fix.mode = .differential
    fix.satellites = 12
    (fix.horizontalAccuracy, fix.altitude, fix.verticalAccuracy) = (3, -4, 5)
    fix.ellipsoidalAltitude = 43.5
    (fix.speed, fix.speedAccuracy, fix.course, fix.courseAccuracy) = (6, 7, 8, 9)
    (fix.hdop, fix.vdop, fix.pdop) = (0.5, 1.5, 2.5)
    return fix
  }

  @Test("what the source did not say is nil")
  func absent() {
    #expect(bare.horizontalAccuracy == nil && bare.altitude == nil && bare.verticalAccuracy == nil)
    #expect(bare.ellipsoidalAltitude == nil)
    #expect(bare.speed == nil && bare.speedAccuracy == nil)
    #expect(bare.course == nil && bare.courseAccuracy == nil)
    #expect(bare.hdop == nil && bare.vdop == nil && bare.pdop == nil && bare.satellites == nil)
  }

  @Test("a fix equals itself and its copy, whatever is unknown, and hashes alike")
  func equality() {
    #expect(bare == bare)
    #expect(Set([bare, bare, full, full]).count == 2)
    var other = full
    other.course = nil
    #expect(other != full)
  }

  @Test("written and read again it is the same", arguments: [false, true])
  func coding(isFull: Bool) throws {
    let fix = isFull ? full : bare
    let read = try JSONDecoder().decode(Fix.self, from: JSONEncoder().encode(fix))
    #expect(read == fix)
  }

  @Test("a fix stays small and plain")
  func size() {
    #expect(MemoryLayout<Fix>.size <= 112)
  }

  @Test("an ellipsoidal altitude keeps its millimetres, and what cannot be one says nothing")
  func ellipsoidalAltitude() throws {
    var fix = bare
    for altitude in [-430.125, 0, 147.33, 8_848.86, 15_999.999] {
      fix.ellipsoidalAltitude = altitude
      #expect(abs(try #require(fix.ellipsoidalAltitude) - altitude) <= 0.000_5)
    }
    for altitude in [Double.nan, .infinity, -.infinity, 1e300] {
      fix.ellipsoidalAltitude = altitude
      #expect(fix.ellipsoidalAltitude == nil)
    }
  }

  @Test("a number of satellites that is out of range is held at its ends")
  func satellites() {
    var fix = bare
    fix.satellites = 1 << 40
    #expect(fix.satellites == Int(Int16.max))
    fix.satellites = -5
    #expect(fix.satellites == nil)
  }
}
