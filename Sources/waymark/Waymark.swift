import ArgumentParser

@main
struct Waymark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waymark",
    abstract: "A location engine: fixes go in, events come out.",
    discussion: """
      Plays recorded tracks through fences and prints what happened: when each fence was entered \
      and left, placed and timed between the fixes.

        waymark replay day.gpx --fence home=52.5163,13.3777,100
        waymark replay day.gpx --config waymark.yaml --format jsonl
        waymark check waymark.yaml
        waymark info day.gpx

      Events go to standard output, everything else to standard error.
      """,
    version: "0.1.0",
    subcommands: [ReplayCommand.self, CheckCommand.self, InfoCommand.self])
}
