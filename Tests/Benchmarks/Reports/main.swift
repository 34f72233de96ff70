import GPSD
import Glibc
import Receivers

// How long each reader of gpsd's lines takes for a TPV and for a SKY of 12 satellites.

func readReports() throws {
  let position =
    #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2025-03-10T14:02:07.250Z","#
    + #""leapseconds":18,"ept":0.005,"lat":52.516275123,"lon":13.377704456,"altHAE":78.2000,"#
    + #""altMSL":34.5000,"alt":34.5000,"epx":3.123,"epy":4.234,"epv":9.900,"track":271.5000,"#
    + #""magtrack":268.1000,"magvar":3.4,"speed":13.250,"climb":-0.100,"eps":30.10,"epc":69.00,"#
    + #""geoidSep":43.700,"eph":7.500,"sep":19.000}"#
  let satellites = (1...12).map {
    #"{"PRN":\#($0),"el":40.0,"az":100.0,"ss":35.0,"used":true,"gnssid":0,"svid":\#($0)}"#
  }
  let sky =
    #"{"class":"SKY","device":"/dev/ttyACM0","xdop":0.53,"ydop":0.64,"vdop":1.11,"tdop":0.73,"#
    + #""hdop":0.83,"gdop":1.55,"pdop":1.38,"satellites":["# + satellites.joined(separator: ",")
    + "]}"
  var readers: [(String, any GPSDLineReader)] = [("Swift", SwiftGPSDReader())]
  switch LibgpsReader.open() {
  case .success(let reader): readers.append(("libgps", reader))
  case .failure(let error): print("libgps: \(error)")
  }
  for (name, reader) in readers {
    let (tpv, skyTime) = (try nanoseconds(reader, position), try nanoseconds(reader, sky))
    print("\(name): \(tpv) ns a TPV of \(position.utf8.count) bytes, \(skyTime) ns a SKY of 12")
  }
}

/// The best of five runs, so that what else the machine does counts least.
private func nanoseconds(_ start: any GPSDLineReader, _ text: String) throws -> Int64 {
  var reader = start
  let line = Array(text.utf8)
  let rounds = 200_000
  var best = Int64.max
  for _ in 0..<5 {
    let clock = ContinuousClock()
    let time = try clock.measure {
      for _ in 0..<rounds { _ = try reader.read(line.span) }
    }
    best = min(best, Int64(time / .nanoseconds(1)) / Int64(rounds))
  }
  return best
}

try readReports()
