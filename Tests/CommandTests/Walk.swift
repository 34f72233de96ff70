/// A walk along the equator, a fix a minute, through a circle of 150 m at 0, 0.
///
/// A degree of longitude is 111,319.49 m there, so the edge is at 0.0013475 degrees: 0.6525 of the
/// way from the second fix to the third, 99.15 s after the start, and 260.85 s on the way out.
enum Walk {
  static let csv = """
    time,latitude,longitude,accuracy
    2025-03-10T08:00:00Z,0,-0.003,5
    2025-03-10T08:01:00Z,0,-0.002,5
    2025-03-10T08:02:00Z,0,-0.001,5
    2025-03-10T08:03:00Z,0,0.00001,5
    2025-03-10T08:04:00Z,0,0.001,5
    2025-03-10T08:05:00Z,0,0.002,5

    """

  static let state =
    "2025-03-10 08:00:00.0Z          walk  state  here  0.0000000,-0.0030000 ± 5 m     100.0 %  outside\n"
  static let enter =
    "2025-03-10 08:01:39.2Z ± 17 s   walk  enter  here  0.0000000,-0.0013475 ± 5 m     100.0 %\n"
  static let exit =
    "2025-03-10 08:04:20.8Z ± 17 s   walk  exit   here  0.0000000,0.0013475 ± 5 m      100.0 %  "
    + "after 2 min 42 s\n"
  static let text = state + enter + exit

  static let summary = """
    waymark: 1 file, 1 device, 6 fixes, 6 used, 2025-03-10 08:00:00.0Z to 2025-03-10 08:05:00.0Z
    waymark: 3 events: 1 enter, 1 exit, 1 state

    """

  /// What watches it: the shell is what these tests are about, so the circle is taken as it is, and
  /// nothing else is told.
  static let config = """
    fences: [{id: here, center: [0, 0], radius: 150, decision: naive}]
    visits: false
    significant-changes: false

    """

  /// A runner whose folder holds that config as `here.yaml`.
  static func emptyRunner() throws -> CommandRunner {
    let runner = try CommandRunner()
    try runner.write("here.yaml", config)
    return runner
  }

  /// A runner whose folder also holds the walk as `walk.csv`.
  static func runner() throws -> CommandRunner {
    let runner = try emptyRunner()
    try runner.write("walk.csv", csv)
    return runner
  }
}

extension String {
  /// The words of a command line.
  var words: [String] { split(separator: " ").map(String.init) }
}
