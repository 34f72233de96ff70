import ArgumentParser

/// How many threads work, for the commands that can use several.
struct ThreadOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How many threads work.", valueName: "number"))
  var threads = 1

  func validate() throws { try Self.check(threads) }

  static func check(_ threads: Int) throws {
    guard (1...256).contains(threads) else {
      throw ValidationError("--threads is \(threads), expected a number from 1 to 256")
    }
  }
}
