import ArgumentParser
import Session
import Simulation
import System

struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Simulate days of devices with known truth.",
    discussion: """
      Writes the fixes of simulated phones on simulated days, with fences and the exact truth, so \
      `waymark score` can measure how accurate a config is. The same options give the same files. A \
      folder that has a world already is refused, with exit code 64.

        waymark simulate --out world
        waymark simulate --out hard --seed 11 --devices 12 --days 3 --noise hard
        waymark simulate --out vans --profile delivery --interval 30 --format csv
        waymark simulate --out boats --device boat --days 3
        waymark simulate --out bare --without accuracy --without speed,course

      In DIR: README.md, fixes/DEVICE.FORMAT in order of arrival, config/DEVICE.yaml and fences/DEVICE.json, \
      truth/visits.jsonl, truth/fences.jsonl, truth/track/DEVICE.csv and devices.json. What is \
      simulated, and why, is in Docs/Simulation.md.
      """)

  @Option(
    help: ArgumentHelp("Folder to write to; created if missing.", valueName: "dir"),
    completion: .directory)
  var out: String

  @Option(help: "The same seed gives the same world.")
  var seed: UInt64 = 7

  @Option(
    help: """
      What the devices are: phone (reports by its interval); duty-cycled (a phone that reports only \
      while it moves); collar (a fix every few hours); boat (at anchor); network (positions of wifi \
      and cells); stale (a phone that wakes with old positions).
      """)
  var device: DeviceKind = .phone

  @Option(help: "Days of each device, 1 to 100. (default: 1, of a collar 14)")
  var days: Int?

  @Option(help: "How many devices, 1 to 9999.")
  var devices = 6

  @Option(
    help: """
      Whose days: walker, bus, car, bike, subway, ferry, delivery, tourist, homebody, or mixed \
      for all in turn.
      """)
  var profile: ProfileChoice = .mixed

  @Option(help: "Seconds between fixes: 1, 5, 10, 30, 60, adaptive, or mixed for all in turn.")
  var interval: SamplingChoice = .mixed

  @Option(help: "How large the errors of the phones are: normal, hard or none.")
  var noise: NoiseLevel = .normal

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      """
      Leave this out of the fixes; may be given often, or as a list: accuracy, speed, course, \
      altitude.
      """, valueName: "field"),
    transform: OmittedFields.parse)
  var without: [Set<FixField>] = []

  @Option(help: "How the fixes are written: gpx, csv or ndjson.")
  var format: SimulationFormat = .gpx

  func validate() throws {
    if let days {
      guard 1...100 ~= days else {
        throw ValidationError("found --days \(days), expected 1 to 100")
      }
    }
    try checkDevice()
    guard 1...9999 ~= devices else {
      throw ValidationError("found --devices \(devices), expected 1 to 9999")
    }
  }

  func run() throws {
    do {
      try refuseOlderWorld()
      try write()
    } catch {
      throw ExitStatus.of(error)
    }
  }

  /// Refuses a folder with a world, which may have other devices: `score` would take both for one.
  private func refuseOlderWorld() throws {
    // Of a world that was interrupted too: these are made first.
    let folders = ["fixes", "truth"].map { "\(out)/\($0)" }
    guard let folder = folders.first(where: Folder.exists) else { return }
    throw ValidationError(
      "'\(folder)' exists; a world is written once: name another folder, or remove this one")
  }

  /// Options that say nothing about the device.
  private func checkDevice() throws {
    let name = device.rawValue
    if profile != .mixed, !device.isCarried {
      throw ValidationError(
        "found --profile \(profile.rawValue) with --device \(name), expected none: "
          + "profiles are days of people")
    }
    if interval != .mixed, !device.hasInterval {
      throw ValidationError(
        "found --interval \(interval.rawValue) with --device \(name), expected none: "
          + "such a device has its own rhythm")
    }
    if interval == .adaptive, device == .boat {
      throw ValidationError(
        "found --interval adaptive with --device boat, expected 1, 5, 10, 30, 60 or mixed")
    }
  }

  private var settings: SimulationSettings {
    var settings = SimulationSettings()
    settings.seed = seed
    settings.kind = device
    settings.days = days ?? device.usualDays
    settings.devices = devices
    settings.profiles = profile.profiles
    settings.samplings = interval == .mixed ? device.samplings : interval.samplings
    settings.noise = noise
    settings.omitted = without.reduce(into: []) { $0.formUnion($1) }
    return settings
  }

  /// The command line that gives the same world.
  private func command(_ settings: SimulationSettings) -> String {
    var words = ["waymark simulate --out DIR --seed \(seed) --device \(device.rawValue)"]
    words.append("--days \(settings.days) --devices \(devices)")
    if device.isCarried { words.append("--profile \(profile.rawValue)") }
    if device.hasInterval { words.append("--interval \(interval.rawValue)") }
    words.append("--noise \(noise.rawValue)")
    let fields = FixField.allCases.filter(settings.omitted.contains).map(\.rawValue)
    if !fields.isEmpty { words.append("--without \(fields.joined(separator: ","))") }
    words.append("--format \(format.rawValue)")
    return words.joined(separator: " ")
  }

  private func write() throws(OutputError) {
    let settings = settings
    let folder = try Folder(made: out)
    let (fixes, fences) = (try folder.folder("fixes"), try folder.folder("fences"))
    let (configs, truth) = (try folder.folder("config"), try folder.folder("truth"))
    let tracks = try truth.folder("track")
    let (visits, crossings) = (
      try truth.file("visits.jsonl"), try truth.file("fences.jsonl")
    )
    var summaries: [[UInt8]] = []
    var fixCount = 0
    let meter = ProgressMeter()
    defer { meter.finish() }
    for index in 0..<devices {
      meter.show { ProgressMeter.line(index, of: devices, "devices", elapsed: $0) }
      let device = SimulatedDevice(index, of: settings)
      try fixes.write("\(device.name).\(format.rawValue)", device.fixesFile(format))
      try configs.write("\(device.name).yaml", device.configurationFile)
      try fences.write("\(device.name).json", device.fencesFile)
      try tracks.write("\(device.name).csv", device.trackFile)
      try visits.append(device.visitLines)
      try crossings.append(device.crossingLines)
      summaries.append(device.summary)
      fixCount += device.fixes.count
    }
    try visits.close()
    try crossings.close()
    try folder.write("README.md", settings.readme(command: command(settings)))
    try folder.write("devices.json", SimulatedDevice.deviceList(summaries))
    meter.finish()
    let counts = [
      SessionTotals.count(devices, "device"), SessionTotals.count(devices * settings.days, "day"),
      SessionTotals.count(fixCount, "fix", "fixes"),
    ]
    Terminal.report("waymark: \(counts.joined(separator: ", ")) in \(out)")
  }
}

extension NoiseLevel: ExpressibleByArgument {}
extension DeviceKind: ExpressibleByArgument {}
extension SimulationFormat: ExpressibleByArgument {}

/// The value of `--profile`.
enum ProfileChoice: String, ExpressibleByArgument, CaseIterable {
  case walker, bus, car, bike, subway, ferry, delivery, tourist, homebody, mixed

  var profiles: [LifeProfile] {
    LifeProfile(rawValue: rawValue).map { [$0] } ?? LifeProfile.mixed
  }
}

/// The value of `--interval`.
enum SamplingChoice: String, ExpressibleByArgument, CaseIterable {
  case one = "1"
  case five = "5"
  case ten = "10"
  case thirty = "30"
  case sixty = "60"
  case adaptive, mixed

  var samplings: [SamplingRule] {
    switch self {
    case .adaptive: [.adaptive]
    case .mixed: SamplingRule.mixed
    default: [.interval(Int(rawValue) ?? 10)]
    }
  }
}
