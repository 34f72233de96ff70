import Geodesy
internal import Text
import Traces
import Tracking

/// What the messages of a FIT file mean.
///
/// The records of an activity are fixes, those of a course are planned. A session ends a track, and a
/// stopped timer a segment.
struct FITContent: Sendable {
  /// Who made the device, and what it is.
  private(set) var producer: String?
  /// Whether any file had a position.
  private(set) var hasPosition = false
  private var fileType: Int?
  /// The type that ``lack`` names: that of an activity, else the last one of the trace.
  private var reportedType: Int?
  private var courseName: String?
  private var isTrackOpen = false
  private var isSegmentOpen = false
  /// The last time of the device, in seconds of FIT, for compressed ones.
  private var lastTime: Int?

  /// Begins a file, perhaps behind another.
  mutating func beginFile() {
    (fileType, courseName, lastTime) = (nil, nil, nil)
    (isTrackOpen, isSegmentOpen) = (false, false)
  }

  /// Reads a data message.
  ///
  /// - Parameter step: The five lowest bits of its time, where its header has them.
  mutating func read(
    _ definition: FITDefinition, _ bytes: Span<UInt8>, at start: Int, step: Int?, offset: Int,
    into batch: inout TraceBatch
  ) {
    let time = time(definition.value(.time, bytes, at: start), step: step)
    switch definition.message {
    case .fileID: readFile(definition, bytes, start)
    case .course: courseName = definition.text(.courseName, bytes, at: start)
    case .session: isTrackOpen = false
    case .record: readRecord(definition, bytes, start, time, offset, &batch)
    case .event where Self.stopsTimer(definition, bytes, start): isSegmentOpen = false
    case .event, nil: batch.mark(.otherRecord)
    }
  }

  /// Why the whole trace has no position.
  var lack: String {
    switch reportedType {
    case 4: "the activity has no position: was it indoors?"
    case 6: "the course has no position"
    case let type?:
      "there is no position in a file of \(Self.fileTypes[type] ?? "type \(type)"), "
        + "expected an activity or a course"
    case nil: "there is no position, expected an activity or a course"
    }
  }

  // MARK: Times

  /// Seconds of FIT: those of the field, or the next ones that end with the bits of the header.
  private mutating func time(_ seconds: Int?, step: Int?) -> Int? {
    if let step, let last = lastTime {
      lastTime = last + (step - last & 0x1F) & 0x1F
      return lastTime
    }
    if let seconds { lastTime = seconds }
    return seconds
  }

  /// FIT counts from 31 December 1989; below 2²⁸ it counts from when the device was switched on.
  private static func timestamp(_ seconds: Int?) -> Timestamp? {
    guard let seconds, seconds >= 1 << 28 else { return nil }
    return Timestamp(nanoseconds: Int64(seconds + 631_065_600) * 1_000_000_000)
  }

  // MARK: Messages

  private static func stopsTimer(
    _ definition: FITDefinition, _ bytes: Span<UInt8>, _ start: Int
  ) -> Bool {
    guard definition.value(.event, bytes, at: start) == 0 else { return false }
    // Stop, stop all, and both with the timer disabled.
    return [1, 4, 8, 9].contains(definition.value(.eventType, bytes, at: start))
  }

  private mutating func readFile(
    _ definition: FITDefinition, _ bytes: Span<UInt8>, _ start: Int
  ) {
    fileType = definition.value(.fileType, bytes, at: start)
    if reportedType != 4 { reportedType = fileType ?? reportedType }
    guard producer == nil else { return }
    let maker = definition.value(.manufacturer, bytes, at: start).map {
      Self.manufacturers[$0] ?? "manufacturer \($0)"
    }
    let product =
      definition.text(.productName, bytes, at: start)
      ?? definition.value(.product, bytes, at: start).map { "product \($0)" }
    let parts = [maker, product].compactMap(\.self)
    producer = parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private mutating func readRecord(
    _ definition: FITDefinition, _ bytes: Span<UInt8>, _ start: Int, _ time: Int?, _ offset: Int,
    _ batch: inout TraceBatch
  ) {
    guard let latitude = definition.value(.latitude, bytes, at: start),
      let longitude = definition.value(.longitude, bytes, at: start)
    else { return batch.mark(.otherRecord) }
    hasPosition = true
    let isCourse = fileType == 6
    begin(isCourse, &batch)
    // Semicircles: 2³¹ are 180 degrees.
    let unit = 180.0 / 2_147_483_648
    let coordinate = Coordinate(
      latitude: Double(latitude) * unit, longitude: Double(longitude) * unit)
    if isCourse { return batch.mark(.routePoint(coordinate)) }
    var fix = Fix(time: Self.timestamp(time), coordinate: coordinate)
    let altitude =
      definition.value(.enhancedAltitude, bytes, at: start)
      ?? definition.value(.altitude, bytes, at: start)
    fix.altitude = altitude.map { Double($0) / 5 - 500 }
    let speed =
      definition.value(.enhancedSpeed, bytes, at: start)
      ?? definition.value(.speed, bytes, at: start)
    fix.speed = speed.map { Double($0) / 1_000 }
    if let accuracy = definition.value(.accuracy, bytes, at: start), accuracy > 0 {
      fix.horizontalAccuracy = Double(accuracy)
    }
    batch.points.append(TracePoint(fix: fix, line: offset))
  }

  private mutating func begin(_ isCourse: Bool, _ batch: inout TraceBatch) {
    if !isTrackOpen {
      batch.mark(isCourse ? .route(name: courseName) : .track(name: nil))
      isSegmentOpen = false
    }
    if !isCourse, !isSegmentOpen { batch.mark(.segment) }
    (isTrackOpen, isSegmentOpen) = (true, true)
  }

  // MARK: Names

  /// Types of files (FIT Profile, type `file`).
  private static let fileTypes = [
    1: "a device", 2: "settings", 3: "sport settings", 5: "workouts", 7: "schedules", 9: "weights",
    10: "totals", 11: "goals", 14: "blood pressures",
    15: "monitoring", 20: "activity summaries", 28: "daily monitoring", 32: "monitoring",
    34: "a segment", 35: "segments",
  ]

  /// Makers of common devices and apps (FIT Profile, type `manufacturer`).
  private static let manufacturers = [
    1: "Garmin", 23: "Suunto", 32: "Wahoo", 70: "Sigma", 123: "Polar", 258: "Lezyne",
    260: "Zwift", 265: "Strava", 267: "Bryton", 289: "Hammerhead", 294: "Coros", 310: "Decathlon",
  ]
}
