@testable import Receivers
import Testing
@testable import Text
import Tracking

/// Reads a line as text.
private func read(_ line: String) throws -> GPSDReport {
  var reader = SwiftGPSDReader()
  return try reader.read(Array(line.utf8).span)
}

private func position(_ line: String) throws -> GPSDPosition {
  guard case .position(let position) = try read(line) else {
    throw JSONError(offset: 0, message: "no position: \(line)")
  }
  return position
}

private func sky(_ line: String) throws -> GPSDSky {
  guard case .sky(let sky) = try read(line) else {
    throw JSONError(offset: 0, message: "no sky: \(line)")
  }
  return sky
}

@Suite struct GPSDReaderTests {
  @Test("a TPV is read field by field")
  func wholePosition() throws {
    let position = try position(
      #"{"class":"TPV","device":"/dev/ttyACM0","status":2,"mode":3,"#
        + #""time":"2025-03-10T14:02:07.250Z","leapseconds":18,"ept":0.005,"lat":52.516275123,"#
        + #""lon":13.377704456,"altHAE":78.2,"altMSL":34.5,"alt":34.5,"epx":3.1,"epy":4.2,"#
        + #""epv":9.9,"track":271.5,"magtrack":268.1,"magvar":3.4,"speed":13.25,"climb":-0.1,"#
        + #""epd":2.5,"eps":30.1,"epc":69,"geoidSep":43.7,"eph":7.5,"sep":19.0}"#)
    #expect(position.device == GPSDDeviceKey(path: "/dev/ttyACM0"))
    #expect(position.mode == 3 && position.status == 2)
    #expect(position.time?.nanoseconds == 1_741_615_327_250_000_000)
    #expect(position.latitude == 52.516275123 && position.longitude == 13.377704456)
    #expect(position.ellipsoidalAltitude == 78.2 && position.altitude == 34.5)
    #expect(position.speed == 13.25 && position.course == 271.5)
    #expect(position.horizontalError == 7.5 && position.verticalError == 9.9)
    #expect(position.longitudeError == 3.1 && position.latitudeError == 4.2)
    #expect(position.courseError == 2.5)
  }

  @Test("values that a TPV lacks are unknown")
  func barePosition() throws {
    let position = try position(#"{"class":"TPV"}"#)
    #expect(position.device == .unnamed && position.mode == 0 && position.status == 0)
    #expect(position.time == nil && position.latitude.isNaN && position.longitude.isNaN)
    #expect(position.altitude.isNaN && position.ellipsoidalAltitude.isNaN)
    #expect(position.speed.isNaN && position.course.isNaN && position.courseError.isNaN)
    #expect(position.horizontalError.isNaN && position.verticalError.isNaN)
    #expect(position.longitudeError.isNaN && position.latitudeError.isNaN)
  }

  @Test("the altitude of old gpsd counts when there is no other")
  func altitude() throws {
    #expect(try position(#"{"class":"TPV","alt":5}"#).altitude == 5)
    #expect(try position(#"{"class":"TPV","altMSL":6,"alt":5}"#).altitude == 6)
    #expect(try position(#"{"class":"TPV","alt":5,"altMSL":null}"#).altitude == 5)
  }

  @Test("satellites are counted in their list, else taken from the counts")
  func satellites() throws {
    let full = try sky(
      #"{"class":"SKY","device":"/dev/ttyACM0","xdop":0.5,"ydop":0.6,"vdop":1.1,"tdop":0.7,"#
        + #""hdop":0.8,"gdop":1.5,"pdop":1.36,"nSat":9,"uSat":9,"satellites":["#
        + #"{"PRN":5,"el":40,"az":100,"ss":35,"used":true,"gnssid":0,"svid":5},"#
        + #"{"PRN":7,"used":false},{"PRN":9,"used":true},{"PRN":11}]}"#)
    #expect(full.device == GPSDDeviceKey(path: "/dev/ttyACM0"))
    #expect(full.hdop == 0.8 && full.vdop == 1.1 && full.pdop == 1.36)
    #expect(full.satellitesUsed == 2 && full.satellitesVisible == 4)
    let counts = try sky(#"{"class":"SKY","nSat":9,"uSat":7,"satellites":null}"#)
    #expect(counts.satellitesUsed == 7 && counts.satellitesVisible == 9 && counts.hdop.isNaN)
    let none = try sky(#"{"class":"SKY","satellites":[]}"#)
    #expect(none.satellitesUsed == 0 && none.satellitesVisible == 0)
    let dilution = try sky(#"{"class":"SKY","hdop":1}"#)
    #expect(dilution.satellitesUsed == nil && dilution.satellitesVisible == nil)
  }

  @Test(
    "the other classes",
    arguments: [
      (
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
        GPSDReport.version(GPSDVersion(release: "3.22", major: 3, minor: 14))
      ),
      (#"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"a"},{}]}"#, .devices(count: 2)),
      (#"{"class":"DEVICES","devices":[]}"#, .devices(count: 0)),
      (
        #"{"class":"DEVICE","path":"/dev/a","activated":"2025-03-10T14:02:07.000Z","bps":9600}"#,
        .device(GPSDDeviceKey(path: "/dev/a"), isActive: true)
      ),
      (
        #"{"class":"DEVICE","path":"/dev/a","activated":0}"#,
        .device(GPSDDeviceKey(path: "/dev/a"), isActive: false)
      ),
      (#"{"class":"DEVICE","path":"x"}"#, .device(GPSDDeviceKey(path: "x"), isActive: false)),
      (#"{"class":"WATCH","enable":true,"json":true}"#, .watch(isEnabled: true)),
      (#"{"class":"WATCH","enable":false}"#, .watch(isEnabled: false)),
      (#"{"class":"ERROR","message":"Bad \"x\""}"#, .error(#"Bad "x""#)),
      (
        #"{"class":"WAYMARK","recording":1,"device":"van"}"#,
        .recording(RecordedSource(device: "van"))
      ),
      (#"{"class":"WAYMARK","recording":1}"#, .recording(RecordedSource())),
      (#"{"class":"WAYMARK","device":"van"}"#, .source(device: "van", deadline: nil)),
      (
        #"{"class":"WAYMARK","device":"van","deadline":"1741593600000000001"}"#,
        .source(device: "van", deadline: Timestamp(nanoseconds: 1_741_593_600_000_000_001))
      ),
      (
        #"{"class":"WAYMARK","device":"van","deadline":"soon"}"#,
        .source(device: "van", deadline: nil)
      ),
      (#"{"class":"AIS","mode":"x","lat":[{"lon":1}]}"#, .ais),
      (#"{"class":"A CLASS TO COME","mode":{}}"#, .other),
    ])
  func classes(line: String, report: GPSDReport) throws {
    #expect(try read(line) == report)
  }

  @Test(
    "the order of keys, blanks, escapes and unknown values change nothing",
    arguments: [
      #"{"mode":3,"lat":1.5,"class":"TPV","lon":2}"#,
      #" { "class" : "TPV" , "mode" : 3, "lat" : 1.5 , "lon" : 2.0 } "# + "\r",
      #"{"class":"TPV","x":{"lat":[9,{}]},"y":[[]],"z":"lat","mode":3,"lat":"1.5","lon":2e0}"#,
      #"{"class":"TPV","mode":1,"lat":9,"mode":3,"lat":1.5,"lon":2}"#,
      #"{"cl\u0061ss":"T\u0050V","m\u006fde":3,"lat":1.5,"lon":2,"device":null}"#,
      #"{"class":"TPV","mode":3,"lat":1.5,"lon":2,"class":"SKY"}"#,
    ])
  func tolerance(line: String) throws {
    let position = try position(line)
    #expect(position.mode == 3 && position.latitude == 1.5 && position.longitude == 2)
    #expect(position.device == .unnamed)
  }

  @Test(
    "invalid lines are reported with what was expected",
    arguments: [
      ("", "the text ends, expected a value"),
      ("[1]", "found an array, expected a JSON object"),
      ("{}", "found an object without class, expected a report of gpsd"),
      (#"{"class":null}"#, "found an object without class, expected a report of gpsd"),
      (#"{"class":3}"#, "class is a number, expected a text"),
      (
        #"{"class":"TPV","mode":3"#,
        "the text ends, expected ',' or '}' after a member of an object"
      ),
      (#"{"class":"TPV"}{"class":"TPV"}"#, #"found "{", expected the end of the text"#),
      (
        #"{"class":"TPV","lat":nan}"#,
        "expected true, false, null, a number or text in quotes"
      ),
      (#"{"class":"TPV","lat":"nan"}"#, #"lat is "nan", expected a number"#),
      (#"{"class":"TPV","lat":1e999}"#, #"lat is "1e999", expected a number"#),
      (#"{"class":"TPV","lat":[1]}"#, "lat is an array, expected a number"),
      (#"{"class":"TPV","mode":2.5}"#, "mode is 2.5, expected a whole number"),
      (
        #"{"class":"TPV","time":"soon"}"#,
        #"time is "soon", expected a time as 2025-03-10T14:02:07.000Z"#
      ),
      (#"{"class":"SKY","satellites":{}}"#, "satellites is an object, expected an array"),
      (
        #"{"class":"SKY","satellites":[3]}"#,
        "satellites is an array with a number, expected an array of objects"
      ),
      (#"{"class":"SKY","satellites":[{"used":1}]}"#, "used is a number, expected true or false"),
      (#"{"class":"WATCH","enable":"yes"}"#, "enable is a text, expected true or false"),
    ])
  func wrong(line: String, message: String) {
    let error = #expect(throws: JSONError.self) { try read(line) }
    #expect(error?.message == message)
  }

  @Test("a message names the receiver by its path")
  func path() {
    let lines = [
      #"{"class":"TPV","device":"/dev/ttyACM0","mode":1}"#: "/dev/ttyACM0",
      #"{"class":"DEVICE","path":"gpsd:\/\/host"}"#: "gpsd://host",
      #"{"class":"TPV","x":{"device":"y"}}"#: nil, #"{"class":"TPV","x":"#: nil, "": nil,
    ]
    for (line, path) in lines {
      #expect(SwiftGPSDReader.devicePath(in: Array(line.utf8).span) == path)
    }
  }
}
