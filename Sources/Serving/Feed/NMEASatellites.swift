internal import Text

/// The sky as NMEA 0183: GSA, the satellites used and the dilution, and GSV, those in view.
enum NMEASatellites {
  /// Satellites in a GSA, and in a GSV.
  private static let (mostUsed, mostInView) = (12, 4)

  /// Appends GSA when there is a dilution or the satellites are known, and GSV when they are.
  static func append(_ values: SentenceValues, to buffer: inout [UInt8]) {
    var systems: [(talker: String, satellites: [Satellite])] = []
    for satellite in values.satellites {
      if let place = systems.firstIndex(where: { $0.talker == satellite.talker }) {
        systems[place].satellites.append(satellite)
      } else {
        systems.append((satellite.talker, [satellite]))
      }
    }
    appendUsed(values, systems.map { $0.satellites.filter(\.isUsed) }, to: &buffer)
    for system in systems { appendInView(system.talker, system.satellites, to: &buffer) }
  }

  /// One GSA for each system of which satellites are used; the talker is GN if there are several.
  private static func appendUsed(
    _ values: SentenceValues, _ systems: [[Satellite]], to buffer: inout [UInt8]
  ) {
    var used = systems.filter { !$0.isEmpty }
    let isKnown = values.hdop != nil || values.vdop != nil || values.pdop != nil
    guard isKnown || !values.satellites.isEmpty else { return }
    if used.isEmpty { used = [[]] }
    for satellites in used {
      let talker = used.count > 1 ? "GN" : satellites.first?.talker ?? "GP"
      NMEASentences.sentence(to: &buffer) { buffer in
        buffer.append(contentsOf: "\(talker)GSA,A,".utf8)
        DecimalText.append(values.dimensions, to: &buffer)
        for place in 0..<mostUsed {
          buffer.append(UInt8(ascii: ","))
          guard place < satellites.count else { continue }
          append(Double(satellites[place].number), width: 2, to: &buffer)
        }
        for dilution in [values.pdop, values.hdop, values.vdop] {
          NMEASentences.append(dilution, 2, below: 100, to: &buffer)
        }
      }
    }
  }

  private static func appendInView(
    _ talker: String, _ satellites: [Satellite], to buffer: inout [UInt8]
  ) {
    let count = (satellites.count - 1) / mostInView + 1
    for number in 0..<count {
      let first = number * mostInView
      NMEASentences.sentence(to: &buffer) { buffer in
        buffer.append(contentsOf: "\(talker)GSV,\(count),\(number + 1),".utf8)
        append(Double(satellites.count), width: 2, to: &buffer)
        for satellite in satellites[first..<min(first + mostInView, satellites.count)] {
          buffer.append(UInt8(ascii: ","))
          append(Double(satellite.number), width: 2, to: &buffer)
          for (value, width) in [
            (satellite.elevation, 2), (satellite.azimuth, 3), (satellite.signal, 2),
          ] {
            buffer.append(UInt8(ascii: ","))
            if let value { append(value, width: width, to: &buffer) }
          }
        }
      }
    }
  }

  /// Appends a whole number of at most three digits; nothing for one that is longer or below 0.
  private static func append(_ value: Double, width: Int, to buffer: inout [UInt8]) {
    let whole = value.rounded()
    guard whole >= 0, whole < 1_000 else { return }
    DecimalText.append(digits: UInt64(whole), atLeast: width, to: &buffer)
  }
}
