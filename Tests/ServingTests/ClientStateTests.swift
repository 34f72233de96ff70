import Session
import Testing
import Tracking

@testable import Serving

/// A client without a network.
private struct Visitor {
  var registry = DeviceRegistry(devices: [
    ServedDevice(name: "van", activated: noon), ServedDevice(name: "car", activated: nil),
  ])
  private var state = ClientState()

  var format: ReportFormat? { state.policy.format(from: registry) }
  var isOversized: Bool { state.isOversized }

  /// The answers to some requests, as lines.
  mutating func ask(_ text: String) -> [String] {
    state.take(text.utf8)
    var buffer: [UInt8] = []
    while state.answer(from: registry, to: &buffer) {}
    return String(decoding: buffer, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }
}

private let van =
  #"{"class":"DEVICE","path":"replay://van","driver":"NMEA0183","#
  + #""activated":"2025-03-10T14:02:07.000Z","flags":1,"native":0,"bps":9600,"parity":"N","#
  + #""stopbits":1,"cycle":1.00}"#
private let car =
  #"{"class":"DEVICE","path":"replay://car","driver":"NMEA0183","#
  + #""activated":"1970-01-01T00:00:00.000Z","flags":1,"native":0,"bps":9600,"parity":"N","#
  + #""stopbits":1,"cycle":1.00}"#
private let devices = #"{"class":"DEVICES","devices":["# + van + "," + car + "]}"

@Suite("A client")
struct ClientStateTests {
  @Test("that watches gets the devices and its policy")
  func watch() {
    var visitor = Visitor()
    #expect(visitor.format == nil)
    #expect(
      visitor.ask(#"?WATCH={"enable":true,"json":true};"#) == [
        devices,
        #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,"#
          + #""timing":false,"split24":false,"pps":false}"#,
      ])
    #expect(visitor.format == ReportFormat(json: true, nmea: false, device: nil))
  }

  @Test("keeps what a later WATCH does not name")
  func merge() {
    var visitor = Visitor()
    _ = visitor.ask(#"?WATCH={"enable":true,"json":true,"pps":true,"device":"replay://car"};"#)
    #expect(
      visitor.ask(#"?WATCH={"nmea":true};"#).last
        == #"{"class":"WATCH","enable":true,"json":true,"nmea":true,"raw":0,"scaled":false,"#
        + #""timing":false,"split24":false,"pps":true,"device":"replay://car"}"#)
    #expect(visitor.format == ReportFormat(json: true, nmea: true, pps: true, device: 1))
    _ = visitor.ask(#"?WATCH={"enable":false};"#)
    #expect(visitor.format == nil)
    _ = visitor.ask("?WATCH;")
    #expect(visitor.format == nil)
    _ = visitor.ask("?WATCH={};")
    #expect(visitor.format == ReportFormat(json: true, nmea: true, pps: true, device: 1))
  }

  @Test("gets the sentences for raw bytes, and nothing when it enables no format")
  func raw() {
    var visitor = Visitor()
    _ = visitor.ask("?WATCH={};")
    #expect(visitor.format == nil)
    for level in [1, 2] {
      _ = visitor.ask(#"?WATCH={"raw":\#(level)};"#)
      #expect(visitor.format == ReportFormat(json: false, nmea: true, device: nil))
    }
  }

  @Test("that requests an unknown device gets an error, and watches as before")
  func unknownDevice() {
    var visitor = Visitor()
    let error = #"{"class":"ERROR","message":"No such device as /dev/\"x"}"#
    #expect(visitor.ask(#"?WATCH={"json":true,"device":"/dev/\"x"};"#) == [error])
    #expect(visitor.format == nil)
    #expect(visitor.ask(#"?DEVICE={"path":"/dev/\"x"};"#) == [error])
  }

  @Test("means the very device, else one whose path Unicode calls equal")
  func forms() {
    let (composed, decomposed) = ("/dev/caf\u{E9}", "/dev/cafe\u{301}")
    func devices(_ paths: [String]) -> [ServedDevice] {
      paths.map { ServedDevice(recorded: $0, activated: nil) }
    }
    let both = DeviceRegistry(devices: devices([composed, decomposed]))
    #expect([composed, decomposed].map(both.index(of:)) == [0, 1])
    let one = DeviceRegistry(devices: devices(["/dev/a", decomposed]))
    #expect([composed, decomposed].map(one.index(of:)) == [1, 1])
    var visitor = Visitor()
    visitor.registry = both
    let answer = visitor.ask(#"?DEVICE={"path":"\#(decomposed)"};"#)
    #expect(answer.count == 1 && answer[0].utf8.contains(decomposed.utf8))
  }

  @Test("can query devices and version")
  func questions() {
    var visitor = Visitor()
    #expect(visitor.ask("?DEVICES;") == [devices])
    #expect(visitor.ask("?DEVICE;") == [van, car])
    #expect(visitor.ask(#"?DEVICE={"path":"replay://car","bps":4800};"#) == [car])
    #expect(
      visitor.ask("?VERSION;") == [
        #"{"class":"VERSION","release":"3.22","rev":"waymark","proto_major":3,"proto_minor":14}"#
      ])
  }

  @Test("polls the latest fix of each device")
  func poll() {
    var visitor = Visitor()
    #expect(
      visitor.ask("?POLL;") == [#"{"class":"POLL","active":0,"tpv":[],"gst":[],"sky":[]}"#])
    visitor.registry.note(ServedFix(fix: makeFix(5, 5), device: 0))
    visitor.registry.note(ServedFix(fix: makeFix(1, 2, time: nil) { $0.hdop = 1 }, device: 1))
    visitor.registry.note(ServedFix(fix: makeFix(3, 4), device: 0))
    #expect(
      visitor.ask("?POLL;") == [
        #"{"class":"POLL","time":"2025-03-10T14:02:07.000Z","active":2,"tpv":["#
          + #"{"class":"TPV","device":"replay://van","mode":2,"time":"2025-03-10T14:02:07.000Z","#
          + #""lat":3.000000000,"lon":4.000000000},"#
          + #"{"class":"TPV","device":"replay://car","mode":2,"lat":1.000000000,"#
          + #""lon":2.000000000}],"gst":[],"sky":["#
          + #"{"class":"SKY","device":"replay://van","time":"2025-03-10T14:02:07.000Z"},"#
          + #"{"class":"SKY","device":"replay://car","hdop":1.0}]}"#
      ])
  }

  @Test("that sends junk gets an error, and one that never ends a request is disconnected")
  func junk() {
    var visitor = Visitor()
    #expect(
      visitor.ask("GET /\r\n?POLL;").first
        == #"{"class":"ERROR","message":"Unrecognized request 'GET /'"}"#)
    #expect(!visitor.isOversized)
    let answer = visitor.ask("?VERSION;" + String(repeating: "x", count: 1 << 20))
    #expect(answer.count == 2)
    #expect(
      answer.last
        == #"{"class":"ERROR","message":"a request of more than 4096 bytes; expected ';' at its end"}"#
    )
    #expect(visitor.isOversized)
    #expect(visitor.ask(";?VERSION;") == [])
  }

  @Test("gets no line too long for libgps, with any number of devices")
  func many() {
    var visitor = Visitor()
    for number in 0..<500 {
      visitor.registry.add(ServedDevice(name: "device-\(number)", activated: noon))
      visitor.registry.note(
        ServedFix(fix: makeFix { $0.satellites = 140 }, device: number + 2))
    }
    for line in visitor.ask("?DEVICES;?POLL;") {
      #expect(line.utf8.count < 20_480)
      #expect(line.hasSuffix("}]}"))
    }
    #expect(visitor.ask("?DEVICE;").count == 502)
  }
}

@Suite("The path of a device")
struct ServedDeviceTests {
  @Test(
    "is made from its name",
    arguments: [
      ("van", "replay://van"), ("my day (2).x", "replay://my-day--2-.x"),
      ("Straße", "replay://Straße"), ("a/b\"c\n", "replay://a-b-c-"), ("", "replay://"),
    ])
  func plain(name: String, path: String) {
    #expect(ServedDevice(name: name, activated: nil).path == path)
  }

  @Test("is short enough for libgps, and unique")
  func short() {
    let long = String(repeating: "ü", count: 200)
    let first = ServedDevice(name: long, activated: nil)
    let second = ServedDevice(name: long, activated: nil, taken: [first])
    let third = ServedDevice(name: long, activated: nil, taken: [first, second])
    #expect(first.path.utf8.count == 127)
    #expect(Set([first, second, third].map(\.path)).count == 3)
    #expect(third.path.hasSuffix("ü-3"))
    #expect(third.path.utf8.count <= 127)
  }
}

@Suite("The address to listen on")
struct ListenAddressTests {
  @Test(
    "is parsed",
    arguments: [
      ("127.0.0.1:2950", "127.0.0.1", 2950), ("0.0.0.0", "0.0.0.0", 2947), (":0", nil, 0),
      ("localhost:7", nil, 7), ("[::1]:7", "::1", 7), ("[::]", "::", 2947),
      ("host:65535", "host", 65_535),
      // The last letter of the host joins the next character.
      ("h\u{6DD}:7", "h\u{6DD}", 7),
    ] as [(String, String?, Int)])
  func right(text: String, host: String?, port: Int) {
    #expect(ListenAddress(text) == ListenAddress(host: host, port: port))
  }

  @Test(
    "is rejected when it is wrong",
    arguments: [
      "", "host:", "host:x", "host:-1", "host:+1", "host:65536", "::1", "[::1", "[::1]7", "[x]:1",
      "gpsd://host:1", "a b:1", "host:1:2",
      "host:-0", "a\u{7F}:1", "a[b:1",
    ])
  func wrong(text: String) {
    #expect(ListenAddress(text) == nil)
  }
}
