import EventLog
import GPSD
import Glibc
import Outbox
import Receivers
import Session
import Settings
import Storing
import System
import Text
import Tracking

/// The checks of `doctor`, each with one finding.
struct Examination {
  /// The path of the config that was named or found; nil without one.
  let path: String?
  /// The config, or why it cannot be used.
  let configuration: Result<Configuration, ConfigurationError>
  /// The source on the command line.
  let source: GPSDAddress?
  /// How long to wait for gpsd and a position.
  let patience: Duration

  private static let standardPaths = ["waymark.yaml", "/etc/waymark/waymark.yaml"]
  /// Below this many bytes the disk is nearly full: a year of events takes less.
  private static let littleSpace = 100 << 20

  init(config: String?, source: GPSDAddress?, patience: Duration) {
    self.source = source
    self.patience = patience
    let path = config ?? Self.standardPaths.first { access($0, F_OK) == 0 }
    self.path = path
    do throws(ConfigurationError) {
      configuration = .success(
        try path.map { path throws(ConfigurationError) in
          try Configuration(
            path: path, sections: SessionOptions.sections, placesFences: true)
        } ?? Configuration())
    } catch {
      configuration = .failure(error)
    }
  }

  /// The findings in the order of the lines.
  var findings: [Finding] {
    [version, config] + gpsd + brokers + [clock, permissions, store] + disk
  }

  private var settings: Configuration { (try? configuration.get()) ?? Configuration() }

  private var version: Finding { .fine("version", Version.text) }

  private var config: Finding {
    guard let path else {
      return .warning("config", "there is none", "run 'waymark init' for one")
    }
    switch configuration {
    case .failure(let error):
      let first = error.description.split(separator: "\n").first.map(String.init) ?? ""
      return .failure("config", first, "run 'waymark check \(path)' after the correction")
    case .success(let settings):
      let count = settings.diagnostics.count
      let found = "\(path): \(SessionTotals.count(fenceCount(settings), "fence"))"
      return count == 0
        ? .fine("config", found)
        : .warning(
          "config", "\(found), \(SessionTotals.count(count, "warning"))",
          "run 'waymark check \(path)' for them")
    }
  }

  private func fenceCount(_ settings: Configuration) -> Int {
    settings.compiled.reduce(settings.fences.count + settings.anchors.count) { $0 + $1.count }
  }

  private var gpsd: [Finding] {
    let sources = source.map { [$0] } ?? settings.sources.map(\.address)
    // A watch of phones alone needs no gpsd.
    if sources.isEmpty, !settings.inlets.isEmpty { return [] }
    if sources.isEmpty { return [finding(.local, isNamed: false)] }
    return sources.map { finding($0, isNamed: true) }
  }

  private var brokers: [Finding] {
    guard source == nil else { return [] }
    return settings.brokers.map { broker in
      guard let problem = MQTTInlet.probe(broker) else {
        return .fine("broker", "\(broker.address) accepts the connection")
      }
      return .failure(
        "broker", "\(broker.address): \(problem)", "check the source in the config; 'watch' retries"
      )
    }
  }

  private func finding(_ address: GPSDAddress, isNamed: Bool) -> Finding {
    switch GPSDProbe.of(address, within: patience) {
    case .unavailable(let loss):
      let found = "\(address) is unavailable: \(loss)"
      let advice = "run 'systemctl status gpsd', or name another gpsd://HOST"
      // Recordings play without a gpsd.
      return !isNamed
        ? .warning("gpsd", found, advice + "; only live events need it")
        : .failure("gpsd", found, advice)
    case .silent(let version):
      return .failure(
        "gpsd", "\(address): gpsd \(version.release), and no receiver reports",
        "connect one, and name it under DEVICES in /etc/default/gpsd")
    case .noFix(let version):
      return .warning(
        "gpsd", "\(address): gpsd \(version.release), a receiver without a position",
        "wait some minutes with a view of the sky")
    case .simulated(let version):
      return .warning(
        "gpsd", "\(address): gpsd \(version.release), a receiver whose positions are simulated",
        "use --allow-simulated, or allow-simulated: true of the source in the config")
    case .fix(let version):
      return .fine("gpsd", "\(address): gpsd \(version.release), a receiver with a position")
    }
  }

  private var clock: Finding {
    SystemClock.isSynchronised
      ? .fine("clock", "a time service keeps it")
      : .warning(
        "clock", "no time service has set it",
        "run 'timedatectl set-ntp true'; events use the receiver's time, messages this one")
  }

  private var permissions: Finding {
    let warnings =
      settings.brokers.flatMap(\.warnings) + settings[DeliverSection.self].flatMap(\.warnings)
    if let secret = warnings.first {
      return Finding(subject: "permissions", status: .warning, found: secret, advice: nil)
    }
    for folder in folders where access(folder, W_OK) != 0 {
      return .failure(
        "permissions", "\(folder): \(SystemError.last)",
        "make the folder, or let user \(geteuid()) write to it")
    }
    if let state = stateFolder {
      do throws(FolderTrust.Violation) {
        try FolderTrust.check(state)
      } catch {
        return .failure("permissions", "\(error)", "the state is safe only there")
      }
    }
    return .fine("permissions", "user \(geteuid()) may write to \(folders.joined(separator: ", "))")
  }

  private var store: Finding {
    guard let path = settings[StoreSection.self]?.path else {
      return .fine("store", "the config names none")
    }
    guard access(path, F_OK) == 0 else {
      let folder = Folder.parent(of: path)
      return access("\(folder)/.", F_OK) == 0
        ? .fine("store", "\(path): the first run makes it")
        : .failure(
          "store", "\(path): its folder cannot be used: \(SystemError.last)",
          "make the folder \(folder), or name another store in the config")
    }
    do {
      let found = try StoreInspection(path)
      return .fine(
        "store", "\(path): \(SessionTotals.count(found.events, "event")), version \(found.version)")
    } catch {
      return .failure("store", "\(error)", "events are not kept until then")
    }
  }

  /// The fullest disk; none when no folder can be examined, which the permissions report.
  private var disk: [Finding] {
    let spaces = folders.compactMap { folder in
      (try? FreeSpace.bytes(at: folder)).map { (folder: folder, bytes: $0) }
    }
    guard let least = spaces.min(by: { $0.bytes < $1.bytes }) else { return [] }
    let found = "\(least.folder): \(least.bytes >> 20) MiB are free"
    return least.bytes < Self.littleSpace
      ? [.failure("disk", found, "make room, or events are lost")] : [.fine("disk", found)]
  }

  /// The folder of a service's state (systemd.exec(5), StateDirectory).
  private var stateFolder: String? { WatchCommand.serviceState.map(Folder.parent(of:)) }

  /// The folders that a run writes to: those of the store and the state, or else the present one.
  private var folders: [String] {
    let used = [settings[StoreSection.self].map { Folder.parent(of: $0.path) }, stateFolder]
    let known = used.compactMap { $0 }
    return known.isEmpty ? ["."] : known
  }
}
