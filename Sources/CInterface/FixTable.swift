internal import EventLog
internal import Geodesy
internal import Tracking

/// Fixes as columns, with the names that fixes have in our own formats.
struct FixTable {
  var device = TableColumn("device", .word)
  private var time = TableColumn("time", .time)
  private var latitude = TableColumn("latitude", .number)
  private var longitude = TableColumn("longitude", .number)
  private var accuracy = TableColumn("accuracy", .number)
  private var speed = TableColumn("speed", .number)
  private var course = TableColumn("course", .number)
  private var altitude = TableColumn("altitude", .number)

  var count: Int { time.count }

  var all: [TableColumn] {
    [device, time, latitude, longitude, accuracy, speed, course, altitude]
  }

  mutating func append(_ fix: Fix, device number: Int) {
    device.append(integer: Int64(number))
    time.append(fix.time)
    // The receiver itself said that this is no position.
    let position = fix.mode == .none ? nil : fix.coordinate
    latitude.append(position?.latitude)
    longitude.append(position?.longitude)
    accuracy.append(fix.horizontalAccuracy)
    speed.append(fix.speed)
    course.append(fix.course)
    altitude.append(fix.altitude)
  }
}
