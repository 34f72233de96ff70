import CoreLocation

/// Plays a course to a crowd, and says what came of it.
struct Report {
  /// How much memory may grow after a tenth of the fixes, kB.
  ///
  /// The recording runs ahead of a manager by 500 fixes at most, whose locations all managers share:
  /// a thousand inboxes hold a few megabytes. A quarter and 32 MiB are left for chance.
  private var bound: Int { meter.memoryAtTenth / 4 + 32 * 1_024 }

  private let meter: Meter
  private let listeners: [Listener]
  private let time: Duration
  private let memory: Int

  /// Runs and prints; whether everything is as it must be.
  static func measure(_ mode: String, _ plan: Plan) throws -> Bool {
    let path = NSTemporaryDirectory() + "/crowd-\(ProcessInfo.processInfo.processIdentifier).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let course = Course(plan: plan)
    try course.write(to: path)
    let report = try Report(mode, plan, course, path)
    report.tell(mode)
    let faults = report.faults
    for fault in faults { print("WRONG: \(fault)") }
    return faults.isEmpty
  }

  private init(_ mode: String, _ plan: Plan, _ course: Course, _ path: String) throws {
    meter = Meter(plan)
    listeners = (0..<plan.managers).map { [meter] _ in Listener(meter) }
    time =
      try mode == "shared"
      ? SharedCrowd(meter: meter, course: course).run(listeners, path)
      : IsolatedCrowd(meter: meter, course: course).run(listeners, path)
    memory = Meter.peakMemory
  }

  private var plan: Plan { meter.plan }

  private func tell(_ mode: String) {
    let seconds = time / .seconds(1)
    let told = listeners.reduce(0) { $0 + $1.tally.fixes }
    print(
      "\(mode): \(plan.managers) managers, \(Plan.regions) regions, \(plan.fixes) fixes, "
        + "seed \(plan.seed)")
    print("  \(meter.visitors) passers-by")
    print("  \(String(format: "%.1f", seconds)) s, \(Int(Double(plan.fixes) / seconds)) fixes/s")
    print("  \(told) locations told to listeners, \(Int(Double(told) / seconds)) a second")
    print("  \(meter.callbacks) calls of delegates")
    print(
      "  peak memory \(meter.memoryAtTenth / 1_024) MiB after a tenth, \(memory / 1_024) MiB at "
        + "the end")
  }

  private var faults: [String] {
    var faults: [String] = []
    let tallies = listeners.map(\.tally)
    let behind = tallies.count { $0.fixes != plan.fixes }
    if behind > 0 {
      let least = tallies.map(\.fixes).min() ?? 0
      faults.append("\(behind) managers were not told \(plan.fixes) fixes; one was told \(least)")
    }
    let confused = tallies.count { $0.wrong > 0 }
    if confused > 0 { faults.append("\(confused) managers were told fixes out of order") }
    let kinds = Set(tallies)
    if kinds.count > 1 { faults.append("there are \(kinds.count) opinions on the regions") }
    if plan.fixes >= 1_000, tallies.contains(where: { $0.crossings == 0 }) {
      faults.append("somebody was told of no crossing")
    }
    let growth = memory - meter.memoryAtTenth
    if growth > bound {
      faults.append(
        "memory grew by \(growth / 1_024) MiB after a tenth of the fixes; at most "
          + "\(bound / 1_024) MiB are right")
    }
    return faults
  }
}
