@testable import GPSD
@testable import Receivers
import Testing

@Suite("The address of a gpsd")
struct GPSDAddressTests {
  @Test(
    "is read into host, port and receiver",
    arguments: [
      ("gpsd://localhost", "localhost", 2947, nil),
      ("gpsd://localhost/", "localhost", 2947, nil),
      ("gpsd://localhost:2948", "localhost", 2948, nil),
      ("gpsd://10.0.0.1:1", "10.0.0.1", 1, nil),
      ("gpsd://10.0.0.1:65535", "10.0.0.1", 65_535, nil),
      ("gpsd://[::1]:2947/dev/ttyUSB0", "::1", 2947, "/dev/ttyUSB0"),
      ("gpsd://[::1]", "::1", 2947, nil),
      ("gpsd://[fe80::1%eth0]", "fe80::1%eth0", 2947, nil),
      ("gpsd://[fe80::1%br-lan]", "fe80::1%br-lan", 2947, nil),
      (
        "gpsd://boat.local/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com-if00", "boat.local",
        2947,
        "/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com-if00"
      ),
      ("gpsd://host/udp://127.0.0.1:5000", "host", 2947, "udp://127.0.0.1:5000"),
      ("gpsd://host//x://y", "host", 2947, "/x://y"),
      // The mark joins the slash before it.
      ("gpsd://host/\u{301}x", "host", 2947, "/\u{301}x"),
      ("gpsd://bo\u{308}t:1", "bo\u{308}t", 1, nil),
    ] as [(String, String, UInt16, String?)])
  func parts(text: String, host: String, port: UInt16, device: String?) throws {
    let address = try GPSDAddress(parsing: text)
    #expect(address == GPSDAddress(host: host, port: port, device: device))
    #expect(try GPSDAddress(parsing: address.description) == address)
  }

  @Test(
    "is rejected when a part is invalid",
    arguments: [
      "gpsd://", "gpsd://:2947", "gpsd://host:", "gpsd://host:0", "gpsd://host:65536",
      "gpsd://host:+5", "gpsd://host:2947x", "gpsd://a b", "gpsd://::1", "gpsd://[::1",
      "gpsd://[::1]x", "gpsd://[::1]:", "gpsd://[localhost]", "gpsd:/host", "http://host", "",
      "gpsd://host/dev/tty\n", "gpsd://host:1:2", "gpsd://host:1\u{301}", "gpsd://\u{6DD}:1",
    ])
  func faults(text: String) {
    let error = #expect(throws: GPSDAddressError.self) { try GPSDAddress(parsing: text) }
    #expect(error?.description.hasPrefix("found '\(text)', expected gpsd://HOST") == true)
  }

  @Test("without its scheme is suggested with it")
  func advice() {
    #expect(
      GPSDAddressError(found: "boat:2947").description
        == "found 'boat:2947', expected gpsd://HOST[:PORT][/DEVICE] such as gpsd://localhost:2947; "
        + "did you mean 'gpsd://boat:2947'?")
    #expect(GPSDAddressError(found: "http://boat").advice == nil)
  }

  @Test(
    "is suggested for a receiver, and not for a config",
    arguments: [
      ("/dev/ttyUSB0", "did you mean 'gpsd://localhost/dev/ttyUSB0'?"), ("boat.yaml", nil),
      ("/etc/waymark/boat.yml", nil),
    ] as [(String, String?)])
  func otherAdvice(found: String, advice: String?) {
    #expect(GPSDAddressError(found: found).advice == advice)
  }

  @Test("is written in full")
  func description() {
    #expect(GPSDAddress.local.description == "gpsd://localhost:2947")
    #expect(
      GPSDAddress(host: "::1", port: 1, device: "/dev/x").description == "gpsd://[::1]:1/dev/x")
  }
}
