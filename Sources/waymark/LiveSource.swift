import ArgumentParser
import GPSD
import Receivers
import Settings
import Text
import Watching

/// The sources of a live command, and their timeouts.
struct LiveSource: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      Where gpsd is: gpsd://HOST[:PORT][/DEVICE]; several are several devices. Without it, the sources of \
      the config, or gpsd://localhost:2947.
      """, valueName: "gpsd://…"),
    transform: GPSDArgument.parseBesideConfig)
  var addresses: [GPSDAddress] = []

  @Flag(name: .customLong("ais"), help: "Each ship that gpsd reports by AIS is a device too.")
  var hasShips = false

  @Flag(
    name: .customLong("allow-simulated"),
    help: "Use positions that gpsd calls simulated, which are refused otherwise.")
  var allowsSimulated = false

  @Flag(name: .customLong("no-reconnect"), help: "End when the connection fails or is lost.")
  var isOnce = false

  @Option(
    help: ArgumentHelp(
      """
      Seconds without a report after which the client checks that gpsd is alive. Without an answer \
      in half that time, five seconds at most, it reconnects.
      """, valueName: "seconds"),
    transform: { text in
      guard let seconds = Double(text), 0.1...86_400 ~= seconds else {
        throw ValidationError("found '\(text)', expected seconds, 0.1 to 86400")
      }
      return Duration.seconds(seconds)
    })
  var silence = LinkOptions().silence

  func validate() throws {
    for (index, address) in addresses.enumerated() where addresses[..<index].contains(address) {
      throw ValidationError("\(address) is named twice; name each source once")
    }
  }

  /// The sources on the command line, else those of the config, else gpsd on this machine.
  ///
  /// - Parameter device: The name of the one device on the command line.
  func sources(_ settings: Configuration, device: String?) throws -> [WatchedSource] {
    var sources = addresses.map { Configuration.Source(address: $0) }
    if sources.isEmpty { sources = settings.sources }
    let inlets = inlets(settings)
    if sources.isEmpty, !inlets.isEmpty {
      guard device == nil else {
        throw ValidationError(
          "--device names one device, but the sources of the config have one for each phone")
      }
      return []
    }
    if sources.isEmpty { sources = [Configuration.Source(address: .local)] }
    if sources.count == 1 {
      let given = device ?? sources[0].device ?? settings.device
      return try watched(sources, [given ?? sources[0].address.host])
    }
    if let device = device ?? settings.device {
      throw ValidationError(
        "'\(device)' names one device, but there are \(sources.count) sources; name the device of each "
          + "under sources in a config")
    }
    let names = GPSDAddress.deviceNames(sources.map { ($0.address, $0.device) })
    var taken: Set<ExactText> = []
    for name in names where !taken.insert(ExactText(name)).inserted {
      throw ValidationError(
        "two sources have the device '\(name)'; name the device of each under sources in a config")
    }
    return try watched(sources, names)
  }

  private func watched(
    _ sources: [Configuration.Source], _ names: [String]
  ) throws -> [WatchedSource] {
    let start = UInt64.random(in: .min ... .max)
    let watched = zip(sources, names).map {
      WatchedSource(
        address: $0.address, device: $1, hasShips: hasShips || $0.ships != nil,
        allowsSimulated: allowsSimulated || $0.allowsSimulated, start: start)
    }
    if watched.contains(where: \.hasShips), let name = names.first(where: ShipReport.isShip) {
      throw ValidationError(
        "'\(name)' is the device of a ship that reports by AIS; give the source another device")
    }
    return watched
  }

  /// The most devices that appear while they are watched.
  func mostDevices(_ settings: Configuration) -> Int {
    var most = inlets(settings).reduce(0) { $0 + $1.most }
    if addresses.isEmpty, !settings.sources.isEmpty {
      most += settings.sources.reduce(0) { sum, source in
        sum + (source.ships ?? (hasShips ? Configuration.Source.mostShips : 0))
      }
    } else if hasShips {
      most += max(addresses.count, 1) * Configuration.Source.mostShips
    }
    return most
  }

  /// The sources whose devices appear while they are watched; none beside addresses on the command line.
  func inlets(_ settings: Configuration) -> [Configuration.Inlet] {
    addresses.isEmpty ? settings.inlets : []
  }

  var options: LinkOptions {
    var options = LinkOptions()
    options.reconnects = !isOnce
    options.silence = silence
    options.answerTimeout = min(options.answerTimeout, silence / 2)
    return options
  }
}
