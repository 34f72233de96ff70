import Foundation
import Tracking
import WaymarkFoundation
import WaymarkSettings

// settings CONFIG FILE: how many events of each device there are, and the date of the last.
let arguments = CommandLine.arguments
let settings = try SettingsFile(arguments[1])
let track = try TrackReader(contentsOf: URL(fileURLWithPath: arguments[2]), device: settings.device)
var (fleet, events) = (Fleet(rules: settings.rules), [Event]())
for point in track.points {
  fleet.ingest(point.fix, of: fleet.index(of: point.device), into: &events)
}
try track.finish()
let last = try events.last.map { try JSONEncoder().encode($0) }
print(fleet.devices, events.count, events.last.map { Date($0.time).timeIntervalSince1970 } ?? 0)
print(last.map { String(decoding: $0, as: UTF8.self).contains("latitude") } ?? false)
print(Parcel(number: 1).number)
