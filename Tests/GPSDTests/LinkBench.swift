@testable import GPSD
import Receivers

/// A link, a made-up clock, and what the link did, as words.
struct LinkBench {
  var link: Link
  var now: ContinuousClock.Instant
  let start: ContinuousClock.Instant

  static let version =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
  static let devices = #"{"class":"DEVICES","devices":[]}"# + "\r\n"
  static let watch = #"{"class":"WATCH","enable":true,"json":true}"# + "\r\n"

  init(device: String? = nil, seed: UInt64 = 1, _ change: (inout LinkOptions) -> Void = { _ in }) {
    var options = LinkOptions()
    change(&options)
    link = Link(device: device, options: options, seed: seed)
    // Any instant will do: nothing but differences matters, and no test looks at a clock again.
    start = ContinuousClock.now
    now = start
  }

  /// A link that reports; what it did so far is forgotten.
  static func reporting(
    device: String? = nil, _ change: (inout LinkOptions) -> Void = { _ in }
  ) -> LinkBench {
    var bench = LinkBench(device: device, change)
    _ = bench.connect()
    _ = bench.say(version + devices + watch)
    return bench
  }

  /// A report, unlike the others by its number.
  static func report(_ number: Int) -> String {
    #"{"class":"TPV","device":"/dev/x","mode":3,"lat":\#(number).5,"lon":13.25}"# + "\r\n"
  }

  /// Resolved, connected, not greeted.
  mutating func connect(addresses: Int = 1) -> [String] {
    wake() + handle(.resolved(addresses: addresses)) + handle(.opened)
  }

  mutating func handle(_ input: Link.Input) -> [String] {
    link.handle(input, at: now)
    return outputs()
  }

  mutating func wake() -> [String] { handle(.wake) }

  /// Lets time pass without telling the link; its deadlines on the way are kept.
  mutating func pass(_ duration: Duration) -> [String] {
    let end = now + duration
    var done: [String] = []
    while let deadline = link.deadline(now: now), deadline <= end {
      now = max(now, deadline)
      done += wake()
    }
    now = end
    return done
  }

  mutating func say(_ text: String) -> [String] { say(Array(text.utf8)) }

  mutating func say(_ bytes: [UInt8]) -> [String] {
    link.receive(bytes[...], at: now)
    return outputs()
  }

  /// Seconds from the start to the deadline.
  var deadline: Double? { link.deadline(now: now).map { ($0 - start) / .seconds(1) } }

  mutating func outputs() -> [String] {
    var words: [String] = []
    while let output = link.next() { words.append(Self.words(output)) }
    return words
  }

  static func words(_ output: Link.Output) -> String {
    switch output {
    case .command(.resolve): "resolve"
    case .command(.open(let address)): "open \(address)"
    case .command(.send(let bytes)): "send " + text(bytes[...])
    case .command(.close): "close"
    case .event(let event): words(event)
    }
  }

  static func words(_ event: LinkEvent) -> String {
    switch event {
    case .bytes(let bytes): "bytes " + text(bytes)
    case .answered: "answered"
    case .ended: "ended"
    case .status(.connecting(let attempt)): "connecting \(attempt)"
    case .status(.connected(let version)): "connected \(version.release)"
    case .status(.silent(let duration, _)): "silent \(duration / .seconds(1))"
    case .status(.reporting): "reporting"
    case .status(.notice(let notice)): "notice \(notice)"
    case .status(.lost(let loss, let retry)):
      "lost \(loss)" + (retry == nil ? "" : ", retry")
    }
  }

  /// Line feeds as '|', bytes that are no ASCII as their numbers: they could join what is beside.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    for byte in bytes.last == 10 ? bytes.dropLast() : bytes where byte != 13 {
      text += byte == 10 ? "|" : byte < 0x80 ? String(UnicodeScalar(byte)) : "<\(byte)>"
    }
    return text
  }
}

extension Array where Element == String {
  /// All that was handed out.
  var bytes: String {
    filter { $0.hasPrefix("bytes ") }.map { String($0.dropFirst(6)) }.joined(separator: "|")
  }

  /// All but that.
  var others: [String] { filter { !$0.hasPrefix("bytes ") } }
}
