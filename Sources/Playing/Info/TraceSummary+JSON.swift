internal import Geodesy
internal import Session
internal import Text
internal import Traces
internal import Tracking

extension TraceSummary {
  /// The summary as one line of JSON; absent values are left out.
  package var json: String {
    var json = JSONBuilder()
    json.object { json in
      json.text("path", path)
      if let format { json.text("format", format) }
      if let producer { json.text("producer", producer) }
      putCounts(in: &json)
      json.array("devices", sortedDevices) { $0.element($1) }
      put("start", statistics.first, startPlace, in: &json)
      put("end", statistics.last, endPlace, in: &json)
      if let span { putSteps(span, in: &json) }
      if let box = statistics.box {
        json.object("box") { json in
          json.number("south", box.south, decimals: 7)
          json.number("west", box.west, decimals: 7)
          json.number("north", box.north, decimals: 7)
          json.number("east", box.east, decimals: 7)
        }
      }
      json.array("notes", notes) { $0.element($1) }
    }
    return json.bytes.span.string
  }

  private func putCounts(in json: inout JSONBuilder) {
    json.number("points", statistics.points)
    json.number("used", counts.accepted)
    json.number("waiting", counts.waiting)
    json.object("dropped") { json in
      for (defect, count) in drops { json.number(defect.rawValue, count) }
    }
    json.number("reordered", counts.reordered)
    json.number("positionJumps", counts.believedTeleports)
    json.number("clockJumps", counts.believedClockJumps)
    json.number("cleaned", counts.cleaned)
    json.number("errors", issues)
    json.number("tracks", others.tracks)
    json.number("segments", others.segments)
    json.number("routePoints", others.routePoints)
    json.number("waypoints", others.waypoints)
    json.number("otherRecords", others.records)
    json.number("repeatedReports", others.repeatedReports)
    json.number("reportedVisits", others.reportedVisits)
    json.number("otherReceivers", others.otherReceivers)
    json.number("simulatedFixes", others.simulatedFixes)
    json.object("solutions") { json in
      for (kind, count) in solutions { json.number(kind.word, count) }
    }
    json.number("withAccuracy", statistics.withAccuracy)
    json.number("withSpeed", statistics.withSpeed)
    json.number("withAltitude", statistics.withAltitude)
  }

  private func put(
    _ key: String, _ position: TraceStatistics.TimedPosition?, _ place: String?,
    in json: inout JSONBuilder
  ) {
    guard let position else { return }
    json.object(key) { json in
      json.time("time", position.time)
      json.number("latitude", position.coordinate.latitude, decimals: 7)
      json.number("longitude", position.coordinate.longitude, decimals: 7)
      if let place { json.text("place", place) }
    }
  }

  private func putSteps(_ span: Double, in json: inout JSONBuilder) {
    json.number("span", span, decimals: 2)
    json.number("moving", steps.movingTime, decimals: 2)
    json.number("length", steps.length, decimals: 2)
    if let interval = statistics.medianInterval { json.number("interval", interval) }
    json.number("gaps", steps.gaps)
    json.number("longestGap", steps.longestGap, decimals: 2)
  }
}
