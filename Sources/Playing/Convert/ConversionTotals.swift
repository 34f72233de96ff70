internal import Session
package import Text
internal import Tracking

/// What a conversion read and wrote.
package struct ConversionTotals: Sendable {
  package internal(set) var read = 0
  package internal(set) var written = 0
  /// Stays that an input reports.
  package internal(set) var writtenVisits = 0
  package internal(set) var devices: Set<ExactText> = []
  package internal(set) var withoutPosition = 0
  /// Fixes whose coordinates are not on Earth, and the first of them.
  package private(set) var invalid = 0
  private var firstInvalid: SessionTotals.Origin?
  private var invalidHint: String?
  package internal(set) var outside = 0
  /// Fixes that another input had as well.
  package internal(set) var duplicates = 0
  /// Fixes that the engine did not use, when its estimates are written.
  package internal(set) var unused = 0
  /// The number of problems in the inputs.
  package private(set) var issues = 0
  private var others = TraceFeed.Others()
  private var notes: [String] = []

  /// Counts a fix whose coordinates are not on Earth.
  mutating func countInvalid(_ fix: Fix, at line: Int, of feed: TraceFeed) {
    invalid += 1
    guard firstInvalid == nil else { return }
    let place = feed.place(ofLine: line)
    firstInvalid = SessionTotals.Origin(
      path: place.path, line: place.line, isBinary: feed.isBinary)
    invalidHint = fix.coordinateHint
  }

  /// Counts an input of which no fix is on Earth as a problem.
  mutating func countUnusable() { issues += 1 }

  /// Adds the contents of an input besides its fixes.
  mutating func add(_ feed: TraceFeed) {
    issues += feed.issueCount
    others += feed.others
    notes += feed.notes.map { "\(feed.path): \($0)" }
  }

  /// The summary, a line each: what was written, and what was not and why.
  package var summary: [String] {
    let devices = SessionTotals.count(devices.count, "device")
    var remarks = Remarks()
    remarks.add(withoutPosition, "fix", "fixes", "without a position, not written")
    if let firstInvalid {
      let hint = invalidHint.map { "; \($0)" } ?? ""
      remarks.add(
        invalid, "fix", "fixes",
        "not written: \(Defect.invalid.explanation) (first at \(firstInvalid))\(hint)")
    }
    remarks.add(outside, "fix", "fixes", "outside --from and --until, not written")
    remarks.add(duplicates: duplicates)
    remarks.add(unused, "fix", "fixes", "that the engine did not use, not written")
    remarks.add(
      read - withoutPosition - invalid - outside - duplicates - unused - written, "fix", "fixes",
      "left out, close to the simplified line")
    remarks.add(writtenVisits, "reported visit", "reported visits", "written")
    var others = others
    others.reportedVisits -= writtenVisits
    remarks.add(others, issues: issues, use: "written", left: "not written")
    let result = "\(devices), \(SessionTotals.count(read, "fix", "fixes")), \(written) written"
    return [result] + remarks.lines + notes
  }
}
