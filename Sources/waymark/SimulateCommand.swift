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
      `waymark score` can measure how accurate a config is. The same options give the same files.

        waymark simulate --out world
        waymark simulate --out hard --seed 11 --devices 12 --days 3 --noise hard
        waymark simulate --out vans --profile delivery --interval 30 --format csv

      In DIR: fixes/DEVICE.FORMAT in order of arrival, config/DEVICE.yaml and fences/DEVICE.json, \
      truth/visits.jsonl, truth/fences.jsonl, truth/track/DEVICE.csv and devices.json. What is \
      simulated, and why, is in Docs/Simulation.md.
      """)

  @Option(
    help: ArgumentHelp("Folder to write to; created if missing.", valueName: "dir"),
    completion: .directory)
  var out: String

  @Option(help: "The same seed gives the same world.")
  var seed: UInt64 = 7

  @Option(help: "Days of each device, 1 to 100.")
  var days = 1

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

  @Option(help: "How the fixes are written: gpx, csv or ndjson.")
  var format: SimulationFormat = .gpx

  func validate() throws {
    guard 1...100 ~= days else {
      throw ValidationError("found --days \(days), expected 1 to 100")
    }
    guard 1...9999 ~= devices else {
      throw ValidationError("found --devices \(devices), expected 1 to 9999")
    }
  }

  func run() throws {
    do {
      try write()
    } catch {
      throw ExitStatus.of(error)
    }
  }

  private var settings: SimulationSettings {
    var settings = SimulationSettings()
    settings.seed = seed
    settings.days = days
    settings.devices = devices
    settings.profiles = profile.profiles
    settings.samplings = interval.samplings
    settings.noise = noise
    return settings
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
    try folder.write("devices.json", SimulatedDevice.deviceList(summaries))
    meter.finish()
    let counts = [
      SessionTotals.count(devices, "device"), SessionTotals.count(devices * days, "day"),
      SessionTotals.count(fixCount, "fix", "fixes"),
    ]
    Terminal.say("waymark: \(counts.joined(separator: ", ")) in \(out)")
  }
}

extension NoiseLevel: ExpressibleByArgument {}
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
