// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Every module of ours is built in the same way: Swift 6, explicit existentials and imports, and
/// a warning is an error.
let plainSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// How the libraries are built for libFuzzer, when the variable FUZZ says so (Tests/Fuzz): `address`
/// with the address sanitizer, `plain` without it.
///
/// The subjects look into the modules as tests do. Such flags may not be in a package that others
/// depend on.
let fuzz = Context.environment["FUZZ"]
let address = fuzz == "plain" ? "" : ",address"
let fuzzSettings: [SwiftSetting] =
  fuzz == nil ? [] : [.unsafeFlags(["-sanitize=fuzzer\(address)", "-enable-testing"])]
let fuzzCSettings: [CSetting] =
  fuzz == nil ? [] : [.unsafeFlags(["-fsanitize=fuzzer-no-link\(address)"])]
let settings = plainSettings + fuzzSettings

/// Whether lines of gpsd are read with libgps: where its header is, unless the variable GPSD says 0
/// or 1.
let hasLibgps =
  switch Context.environment["GPSD"] {
  case "0": false
  case "1": true
  default:
    ["/usr/include", "/usr/local/include", "/opt/homebrew/include"].contains {
      FileManager.default.fileExists(atPath: $0 + "/gps.h")
    }
  }

/// The commit that is built, for `--version`: the Makefile knows it.
///
/// `Context.gitInformation` is that of the moment when the manifest was first read, and stale after
/// the next commit.
let commit = Context.environment["WAYMARK_COMMIT"] ?? ""

/// The engine, optimised in a debug build too, when the variable ENGINE says so.
///
/// The tests replay weeks of fixes through it, and vectors that are not optimised are slow. Such
/// flags may not be in a package that others depend on.
let engineSettings =
  Context.environment["ENGINE"] == "optimised" ? settings + [.unsafeFlags(["-O"])] : settings

let package = Package(
  name: "waymark",
  products: [
    // The engine alone: it loads no Foundation.
    .library(name: "Tracking", targets: ["Geodesy", "Tracking"]),
    // Code made for Apple's Core Location, fed by gpsd or by a recording.
    .library(name: "CoreLocation", targets: ["CoreLocation"]),
    // Names for places: what a geocoder for Core Location is made of.
    .library(name: "Geocoding", targets: ["Geodesy", "Geocoding"]),
    .executable(name: "waymark", targets: ["waymark"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // The rooms of the house, lowest first; a room imports only rooms above it in this list.
    .target(name: "Geodesy", swiftSettings: engineSettings),
    .target(name: "Tracking", dependencies: ["Geodesy"], swiftSettings: engineSettings),
    // The mutex, in a form that the thread sanitizer sees where it is asked for.
    .target(name: "Locking", swiftSettings: settings),
    // Files, folders, locks, descriptors, signals, threads, back-off: what the rooms above need of the
    // operating system, once.
    .target(name: "System", dependencies: ["Locking"], swiftSettings: settings),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "Traces", dependencies: ["CZlib", "Geodesy", "System", "Tracking"],
      swiftSettings: settings),
    // libgps, or a stand-in that says that there is none.
    .target(
      name: "CGPS", cSettings: (hasLibgps ? [.define("WAYMARK_LIBGPS")] : []) + fuzzCSettings,
      linkerSettings: hasLibgps ? [.linkedLibrary("gps")] : []),
    // The link to gpsd, and libgps.
    .target(
      name: "GPSD", dependencies: ["CGPS", "Locking", "System", "Traces", "Tracking"],
      swiftSettings: settings),
    // Fixes of recorded tracks in order of time, at a pace, through the engine.
    .target(
      name: "Session", dependencies: ["Geodesy", "System", "Traces", "Tracking"],
      swiftSettings: settings),
    // The config file.
    .target(
      name: "Settings",
      dependencies: [
        "GPSD", "Geodesy", "System", "Traces", "Tracking",
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: settings),
    // `replay`, `pipe` and `info`.
    .target(
      name: "Playing", dependencies: ["Geodesy", "Session", "System", "Traces", "Tracking"],
      swiftSettings: settings),
    // `watch` and `record`.
    .target(
      name: "Watching",
      dependencies: ["GPSD", "Geodesy", "Session", "System", "Traces", "Tracking"],
      swiftSettings: settings),
    // The gazetteer that is part of every program.
    .target(
      name: "CGazetteer", exclude: ["build-gazetteer.py", "build-gazetteer.sh", "gazetteer.wmg"]),
    // libcurl, loaded by who asks a server.
    .target(name: "CCurl", cSettings: fuzzCSettings, linkerSettings: [.linkedLibrary("dl")]),
    // Names for places.
    .target(
      name: "Geocoding", dependencies: ["CCurl", "CGazetteer", "Geodesy", "Locking", "System"],
      swiftSettings: settings),
    // The config's geocoder: its settings, validated, and the geocoder for them.
    .target(
      name: "PlaceNaming",
      dependencies: ["Geocoding", "Geodesy", "Session", "Settings", "Tracking"],
      swiftSettings: settings),
    // What a program may ask of a location service, decided on the engine's time: who is told what,
    // permission, and what is kept between launches.
    .target(
      name: "Services",
      dependencies: ["GPSD", "Geodesy", "Locking", "Session", "System", "Tracking", "Traces"],
      swiftSettings: settings),
    // Lets `import CoreLocation.CLVisit` and its like find something.
    .target(name: "CoreLocationModules"),
    // The face that code made for Apple's systems knows.
    .target(
      name: "CoreLocation",
      dependencies: [
        "CoreLocationModules", "GPSD", "Geocoding", "Geodesy", "Locking", "Services", "Session",
        "Tracking", "Traces", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),

    // Made-up journeys with known truth, for `simulate`, the stories in traces/ and the tests.
    .target(
      name: "Simulation", dependencies: ["Geodesy", "Tracking", "Traces"], swiftSettings: settings),
    // How right events are, held against the truth of made-up journeys.
    .target(
      name: "Scoring", dependencies: ["Geodesy", "Tracking", "Traces"], swiftSettings: settings),
    // Tracks as a gpsd server, for `feed`.
    .target(
      name: "Serving",
      dependencies: [
        "Geodesy", "Session", "System", "Tracking", "Traces",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: settings),

    // The files NOTICE and LICENSE, for `waymark --licenses`.
    .target(name: "CNotice"),
    // The commit that `--version` names.
    .target(name: "CVersion", cSettings: [.define("WAYMARK_COMMIT", to: "\"\(commit)\"")]),
    .executableTarget(
      name: "waymark",
      dependencies: [
        "CNotice", "CVersion", "GPSD", "Geocoding", "Geodesy", "Locking", "PlaceNaming", "Playing",
        "Scoring", "Services", "Serving", "Session", "Settings", "Simulation", "System", "Traces",
        "Tracking", "Watching",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),

    .executableTarget(
      name: "make-stories", dependencies: ["CZlib", "Geodesy", "Simulation", "Tracking", "Traces"],
      path: "Tests/StoryGenerator", swiftSettings: settings),

    // The engine alone and the readers alone, for the benchmarks of `make bench`.
    .executableTarget(
      name: "engine-bench", dependencies: ["Geodesy", "Tracking"],
      path: "Tests/Benchmarks/Engine", swiftSettings: settings),
    .executableTarget(
      name: "read-bench", dependencies: ["Geodesy", "Tracking", "Traces"],
      path: "Tests/Benchmarks/Reading", swiftSettings: settings),
    // The readers of gpsd's lines alone.
    .executableTarget(
      name: "report-bench", dependencies: ["GPSD", "Traces"],
      path: "Tests/Benchmarks/Reports", swiftSettings: settings),
    // Matching alone, beside the peers of `make bench`.
    .executableTarget(
      name: "match-bench", dependencies: ["Geodesy", "Tracking"],
      path: "Tests/Benchmarks/Matching", swiftSettings: settings),
    // How right the engine is on plain scenarios, for `make accuracy`.
    .executableTarget(
      name: "accuracy-bench", dependencies: ["Geodesy", "Simulation", "Tracking"],
      path: "Tests/Benchmarks/Accuracy", swiftSettings: settings),

    // A crowd of managers in one process, for `make crowd`.
    .executableTarget(
      name: "crowd-bench", dependencies: ["CoreLocation", "Geodesy", "Locking", "Simulation"],
      path: "Tests/Benchmarks/Crowd", swiftSettings: settings),

    .target(
      name: "TestSupport", dependencies: ["Geodesy", "Tracking"], path: "Tests/Support",
      swiftSettings: settings),
    // The project's side of `make differential`.
    .executableTarget(
      name: "differential-worker",
      dependencies: ["GPSD", "Geodesy", "TestSupport", "Tracking", "Traces"],
      path: "Tests/Differential/Worker", swiftSettings: settings),
    .testTarget(
      name: "GeodesyTests", dependencies: ["Geodesy", "TestSupport"], exclude: ["Fixtures"],
      swiftSettings: settings),
    .testTarget(
      name: "TrackingTests", dependencies: ["Geodesy", "TestSupport", "Tracking"],
      swiftSettings: settings),
    .testTarget(
      name: "TracesTests", dependencies: ["Geodesy", "TestSupport", "Tracking", "Traces"],
      exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "PlaceNamingTests",
      dependencies: ["Geocoding", "PlaceNaming", "Session", "Settings", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "SystemTests", dependencies: ["System", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "GPSDTests", dependencies: ["GPSD", "System", "TestSupport", "Traces", "Tracking"],
      swiftSettings: settings),
    .testTarget(
      name: "SessionTests",
      dependencies: ["Geodesy", "Session", "TestSupport", "Tracking", "Traces"],
      swiftSettings: settings),
    .testTarget(
      name: "SettingsTests",
      dependencies: [
        "GPSD", "Geodesy", "PlaceNaming", "Settings", "System", "TestSupport", "Traces", "Tracking",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "PlayingTests",
      dependencies: [
        "Geodesy", "Playing", "Session", "System", "TestSupport", "Traces", "Tracking",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "WatchingTests",
      dependencies: [
        "GPSD", "Geodesy", "Playing", "Session", "System", "TestSupport", "Traces", "Tracking",
        "Watching",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GeocodingTests",
      dependencies: ["CGazetteer", "Geocoding", "Geodesy", "Locking", "System", "TestSupport"],
      exclude: ["Points"], swiftSettings: settings),
    .testTarget(
      name: "ServicesTests",
      dependencies: [
        "GPSD", "Geodesy", "Locking", "Services", "Session", "System", "TestSupport", "Tracking",
        "Traces",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CoreLocationTests",
      dependencies: [
        "CoreLocation", "GPSD", "Geocoding", "Geodesy", "Locking", "Services", "TestSupport",
        "Tracking",
      ],
      swiftSettings: settings),
    // Code of a textbook's reader, built as client code is in either language mode, without settings
    // of ours: one file, which the folders of the targets link to.
    .target(
      name: "ChapterSwift5", dependencies: ["CoreLocation"], path: "Tests/Chapter/Swift5",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(name: "ChapterSwift6", dependencies: ["CoreLocation"], path: "Tests/Chapter/Swift6"),
    .executableTarget(
      name: "chapter-program", dependencies: ["CoreLocation", "Geocoding", "Geodesy"],
      path: "Tests/ChapterProgram"),
    .testTarget(
      name: "ChapterTests",
      dependencies: [
        "ChapterSwift5", "ChapterSwift6", "CoreLocation", "Geocoding", "Geodesy", "Services",
        "TestSupport", "Tracking",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ServingTests",
      dependencies: [
        "Geodesy", "Serving", "Session", "System", "TestSupport", "Tracking", "Traces",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: settings),
    // The binary against real gpsd programs.
    .testTarget(
      name: "LiveTests", dependencies: ["TestSupport", "chapter-program", "waymark"],
      swiftSettings: settings),
    // The binary as a user runs it.
    .testTarget(
      name: "CommandTests",
      dependencies: ["Geodesy", "Services", "TestSupport", "Tracking", "waymark"],
      swiftSettings: settings),
    // The binary on a system whose files go wrong.
    .testTarget(
      name: "FaultTests", dependencies: ["TestSupport", "chapter-program", "waymark"],
      path: "Tests/Faults", exclude: ["faults.c"], swiftSettings: settings),
    .testTarget(
      name: "ReplayTests",
      dependencies: [
        "Geodesy", "Playing", "Session", "Settings", "System", "TestSupport", "Tracking", "Traces",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "CZlib", "Geodesy", "Settings", "Simulation", "Tracking", "Traces", "make-stories",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ScoringTests",
      dependencies: ["Geodesy", "Scoring", "Simulation", "Tracking", "Traces"],
      exclude: ["Fixtures"], swiftSettings: settings),
  ]
)

// Documentation of the libraries, for `make docs`; nobody else needs the plug-in.
if Context.environment["DOCS"] == "1" {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"))
}

/// What the subjects of Tests/Fuzz look into.
let fuzzed: [Target.Dependency] = [
  "CZlib", "GPSD", "Geocoding", "Geodesy", "PlaceNaming", "Playing", "Scoring", "Services",
  "Serving", "Session", "Settings", "System", "Traces", "Tracking", "Watching",
]

if fuzz == nil {
  // Every input of a corpus, and every find of the past, with the other tests.
  package.targets.append(
    .testTarget(
      name: "FuzzTests", dependencies: fuzzed, path: "Tests/Fuzz",
      exclude: ["Corpora", "Driver", "Program", "Regressions", "fuzz.py"],
      swiftSettings: settings))
} else {
  package.targets += [
    .target(
      name: "Fuzzing", dependencies: fuzzed, path: "Tests/Fuzz/Subjects", swiftSettings: settings),
    .target(name: "FuzzDriver", path: "Tests/Fuzz/Driver"),
    .executableTarget(
      name: "fuzz", dependencies: ["FuzzDriver", "Fuzzing"], path: "Tests/Fuzz/Program",
      swiftSettings: plainSettings,
      linkerSettings: [
        .unsafeFlags(fuzz == "plain" ? [] : ["-sanitize=address"]), .linkedLibrary("stdc++"),
      ]),
  ]
}
