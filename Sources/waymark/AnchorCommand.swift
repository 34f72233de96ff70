import ArgumentParser
import Geodesy
import Text
import Traces
import Watching

struct AnchorCommand: ParsableCommand {
  enum Action: String, ExpressibleByArgument, CaseIterable { case set, move, up }

  static let configuration = CommandConfiguration(
    commandName: "anchor",
    abstract: "Set, move or take up the anchor of a running watch.",
    discussion: """
      A fence with `center: here` is placed by the fixes. This command reaches the watch through the \
      socket beside its state:

        waymark anchor set --state watch.state
        waymark anchor set --state watch.state --at 59.3176,18.6932 --radius 40m
        waymark anchor move --state watch.state --bearing 210 --distance 25m
        waymark anchor move --state watch.state --radius 60m
        waymark anchor up --state watch.state

      set places the fence where the device is, by the median of the next fixes, or --at a place. move \
      shifts it: an anchor lies where the boat was, not where it lies now. up takes it away until it is \
      set again. A recording of the watch has the command, and its replay obeys it too.

      The exit code is 69 if no watch has this state and such a fence, 65 if the watch declined.
      """)

  @Argument(help: "set, move or up.")
  var action: Action

  @Option(
    help: ArgumentHelp("The file that --state of the watch names.", valueName: "file"),
    completion: .file())
  var state: String

  @Option(help: ArgumentHelp("The fence; without it, every one that fixes place.", valueName: "id"))
  var fence: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where it is, instead of by the fixes.", valueName: "lat,lon"),
    transform: Self.place)
  var at: Coordinate?

  @Option(
    help: ArgumentHelp("Its radius, such as 40m.", valueName: "length"),
    transform: MeasureArgument.length)
  var radius: Double?

  @Option(
    help: ArgumentHelp(
      "In which direction it moves: degrees clockwise from true north.", valueName: "degrees"),
    transform: Self.bearing)
  var bearing: Double?

  @Option(
    help: ArgumentHelp("By how much it moves, such as 25m.", valueName: "length"),
    transform: MeasureArgument.length)
  var distance: Double?

  func validate() throws {
    guard (bearing == nil) == (distance == nil) else {
      throw ValidationError("--bearing and --distance go together")
    }
    if let far = [radius, distance].compactMap(\.self).first(where: { $0 > Measure.largestRadius })
    {
      throw ValidationError("found a length of \(Readable.length(far)), expected at most 1000 km")
    }
    switch action {
    case .set where bearing != nil:
      throw ValidationError("--bearing and --distance are for move; set takes --at")
    case .up where at != nil || radius != nil || bearing != nil:
      throw ValidationError("up takes neither a place nor a radius")
    case .move where at != nil && bearing != nil:
      throw ValidationError("give --at, or --bearing and --distance")
    case .move where at == nil && radius == nil && bearing == nil:
      throw ValidationError("move needs --at, --radius, or --bearing and --distance")
    case .set, .move, .up: break
    }
  }

  func run() throws {
    let action: AnchorChange.Action =
      switch action {
      case .set: .set
      case .move: .move
      case .up: .up
      }
    var change = AnchorChange(action)
    (change.fence, change.center, change.radius) = (fence, at, radius)
    (change.bearing, change.distance) = (bearing, distance)
    do {
      try Terminal.answer(try AnchorControl.send(change, state: state))
    } catch {
      throw ExitStatus.of(error)
    }
  }

  @Sendable private static func place(_ text: String) throws -> Coordinate {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { Double($0.drop { $0 == " " }) }
    guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
      Coordinate(latitude: latitude, longitude: longitude).isValid
    else {
      throw ValidationError(
        "'\(text)' is not a place: expected a latitude and a longitude such as 59.3176,18.6932")
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  @Sendable private static func bearing(_ text: String) throws -> Double {
    guard let bearing = Double(text), 0...360 ~= bearing else {
      throw ValidationError("'\(text)' is not a bearing: expected degrees, 0 to 360")
    }
    return bearing
  }
}
