extension Truth {
  /// Reads the truth of the devices of a split.
  /// - Parameter read: Returns the contents of a file by its path in the folder.
  package init<Failure: Error>(
    _ split: DatasetSplit, read: (String) throws(Failure) -> [UInt8],
    fail: (RecordError) -> Failure
  ) throws(Failure) {
    func checked<Result>(_ body: () throws(RecordError) -> Result) throws(Failure) -> Result {
      do { return try body() } catch { throw fail(error) }
    }
    let list = try read("devices.json")
    let records = try checked { () throws(RecordError) in
      try JSONRecord.array(of: list, file: "devices.json")
    }
    for record in records {
      // In a list without the first fix, the fixes are in CSV.
      let fixes = record.has("first_fix") ? nil : record.textIfAny("device")
      let csv = try fixes.map { name throws(Failure) in try read("fixes/\(name).csv") }
      let device = try checked { () throws(RecordError) in try ScoredDevice(record, fixes: csv) }
      if split.contains(device) { devices.append(device) }
    }
    let visitFile = try read("truth/visits.jsonl")
    let crossingFile = try read("truth/fences.jsonl")
    try checked { () throws(RecordError) in
      try self.readVisits(visitFile)
      try self.readCrossings(crossingFile)
    }
    for device in devices {
      let fencePath = "fences/\(device.name).json"
      let trackPath = "truth/track/\(device.name).csv"
      let (fenceFile, trackFile) = (try read(fencePath), try read(trackPath))
      try checked { () throws(RecordError) in
        self.fences[device.exactName] = try JSONRecord.array(of: fenceFile, file: fencePath)
          .map { record throws(RecordError) in try Fence(record) }
        self.tracks[device.exactName] = try Self.track(trackFile, file: trackPath)
      }
    }
  }

  private mutating func readVisits(_ bytes: [UInt8]) throws(RecordError) {
    for record in try JSONRecord.lines(of: bytes, file: "truth/visits.jsonl") {
      visits[try record.device, default: []].append(try Visit(record))
    }
  }

  private mutating func readCrossings(_ bytes: [UInt8]) throws(RecordError) {
    for record in try JSONRecord.lines(of: bytes, file: "truth/fences.jsonl") {
      let key = Key(device: try record.device, fence: try record.text("fence"))
      crossings[key, default: []].append(try Crossing(record))
    }
  }

  /// Reads `time,latitude,longitude` below a header.
  private static func track(_ bytes: [UInt8], file: String) throws(RecordError) -> [TrackPoint] {
    var points: [TrackPoint] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
      let cells = String(decoding: line, as: UTF8.self).split(
        separator: ",", omittingEmptySubsequences: false)
      guard cells.count == 3, let time = Seconds.parse(String(cells[0])),
        let latitude = Double(cells[1]), let longitude = Double(cells[2]),
        latitude.isFinite, longitude.isFinite
      else {
        throw RecordError(
          file: file, line: index + 1, message: "expected a time, a latitude and a longitude")
      }
      points.append(
        TrackPoint(
          time: time, position: SphericalPosition(latitude: latitude, longitude: longitude)))
    }
    guard !points.isEmpty else {
      throw RecordError(file: file, line: 2, message: "expected at least one true position")
    }
    return points
  }
}

extension ScoredDevice {
  fileprivate init(_ record: JSONRecord, fixes: [UInt8]?) throws(RecordError) {
    name = try record.text("device")
    split = try record.text("split")
    regime = try record.text("regime")
    profile = try record.text("profile")
    interval = try record.number("interval")
    days = try record.number("days")
    start = try record.time("start")
    end = try record.time("end")
    if let first = try record.timeIfAny("first_fix") {
      firstFix = first
    } else {
      firstFix = fixes.flatMap(Self.firstTime) ?? start
    }
  }

  /// The time in the second column below the header.
  private static func firstTime(in csv: [UInt8]) -> Double? {
    let lines = csv.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count > 1 else { return nil }
    let cells = String(decoding: lines[1], as: UTF8.self).split(separator: ",", maxSplits: 2)
    return cells.count > 1 ? Seconds.parse(String(cells[1])) : nil
  }
}

extension Truth.Visit {
  fileprivate init(_ record: JSONRecord) throws(RecordError) {
    arrival = try record.time("arrival")
    departure = try record.time("departure")
    position = try SphericalPosition(record)
    isRequired = record.flag("required")
    isClippedAtStart = record.flag("clipped_start")
    isClippedAtEnd = record.flag("clipped_end")
  }
}

extension Truth.Crossing {
  fileprivate init(_ record: JSONRecord) throws(RecordError) {
    kind = try record.text("type")
    first = try record.time("time_first")
    last = try record.time("time_last")
    isRequired = record.flag("required")
    fixBefore = try record.timeIfAny("fix_before")
    fixAfter = try record.timeIfAny("fix_after")
    beginsInside = record.flag("initial")
  }
}

extension Truth.Fence {
  fileprivate init(_ record: JSONRecord) throws(RecordError) {
    id = try record.text("id")
    position = try SphericalPosition(record)
    radius = try record.number("radius")
    why = record.textIfAny("why") ?? "unknown"
  }
}
