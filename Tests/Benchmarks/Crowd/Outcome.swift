import CoreLocation

/// The result of playing a course to a crowd.
struct Outcome {
  /// How much memory may grow after a tenth of the fixes, kB.
  ///
  /// The recording runs ahead of a manager by 500 fixes at most, whose locations all managers share:
  /// a thousand queues hold a few megabytes. A quarter and 32 MiB are the margin.
  private var bound: Int { meter.memoryAtTenth / 4 + 32 * 1_024 }

  private let meter: Meter
  private let listeners: [Listener]
  private let time: Duration
  private let memory: Int

  /// Runs and prints; false when something is wrong.
  static func measure(_ mode: String, _ plan: Plan) throws -> Bool {
    let path = NSTemporaryDirectory() + "/crowd-\(ProcessInfo.processInfo.processIdentifier).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let course = Course(plan: plan)
    try course.write(to: path)
    let outcome = try Outcome(mode, plan, course, path)
    outcome.summarise(mode)
    let errors = outcome.errors(mode)
    for error in errors { print("WRONG: \(error)") }
    return errors.isEmpty
  }

  private init(_ mode: String, _ plan: Plan, _ course: Course, _ path: String) throws {
    meter = Meter(plan)
    listeners = (0..<plan.managers).map { [meter] _ in Listener(meter) }
    time =
      switch mode {
      case "shared": try SharedCrowd(meter: meter, course: course).run(listeners, path)
      case "isolated": try IsolatedCrowd(meter: meter, course: course).run(listeners, path)
      default: try Calls(plan: plan).run(listeners)
      }
    memory = Meter.peakMemory
  }

  private var plan: Plan { meter.plan }

  private func summarise(_ mode: String) {
    let seconds = time / .seconds(1)
    let delivered = listeners.reduce(0) { $0 + $1.tally.fixes }
    print(
      "\(mode): \(plan.managers) managers, \(Plan.regions) regions, \(plan.fixes) fixes, "
        + "seed \(plan.seed)")
    print("  \(meter.visitors) passers-by")
    print("  \(String(format: "%.1f", seconds)) s, \(Int(Double(plan.fixes) / seconds)) fixes/s")
    print("  \(delivered) locations delivered, \(Int(Double(delivered) / seconds)) a second")
    print("  \(meter.callbacks) delegate calls")
    print(
      "  peak memory \(meter.memoryAtTenth / 1_024) MiB after a tenth, \(memory / 1_024) MiB at "
        + "the end")
  }

  private func errors(_ mode: String) -> [String] {
    var errors: [String] = []
    let tallies = listeners.map(\.tally)
    let behind = tallies.count { $0.fixes != plan.fixes }
    if behind > 0 {
      let least = tallies.map(\.fixes).min() ?? 0
      errors.append("\(behind) managers did not receive \(plan.fixes) fixes; one received \(least)")
    }
    let confused = tallies.count { $0.wrong > 0 }
    if confused > 0 { errors.append("\(confused) managers received fixes out of order") }
    let kinds = Set(tallies)
    if kinds.count > 1 { errors.append("managers disagree on the regions in \(kinds.count) ways") }
    if mode != "calls", plan.fixes >= 1_000, tallies.contains(where: { $0.crossings == 0 }) {
      errors.append("a manager received no crossing")
    }
    let growth = memory - meter.memoryAtTenth
    if growth > bound {
      errors.append(
        "memory grew by \(growth / 1_024) MiB after a tenth of the fixes; at most "
          + "\(bound / 1_024) MiB are allowed")
    }
    return errors
  }
}
