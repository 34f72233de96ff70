import CoreLocation

/// An app of the chapter without its screens: `chapter-program STORY`.
@main @MainActor struct ChapterProgram {
  static func main() {
    switch CommandLine.arguments.last {
    case "fence": fence.show()
    case "named":
      Setup.compete()
      fence.show()
    case "late":
      say("location services: \(CLLocationManager.locationServicesEnabled())")
      do { try Setup.nameTheSpot() } catch { say("\(error)") }
      exit(0)
    case "location": location.show()
    case "changes": changes.begin()
    case "visits": visits.begin()
    case "permission": asker.begin()
    case "compass": compass.begin()
    default:
      say("usage: chapter-program fence|named|late|location|changes|visits|permission|compass")
      exit(64)
    }
    dispatchMain()
  }

  private static let fence = GeofenceScreen()
  private static let location = LocationScreen()
  private static let changes = ChangeFollower()
  private static let visits = VisitFollower()
  private static let asker = PermissionAsker()
  private static let compass = CompassFollower()

  /// Calls the body for every line of standard input, and ends with it.
  static func onLine(_ body: @escaping @MainActor @Sendable () -> Void) {
    Thread.detachNewThread {
      while readLine() != nil { Task { @MainActor in body() } }
      exit(0)
    }
  }

  /// Ends when what is to be told by now has been told.
  static func end() {
    DispatchQueue.main.async { DispatchQueue.main.async { exit(0) } }
  }
}

/// Writes a line to standard output at once.
func say(_ text: String) {
  FileHandle.standardOutput.write(Data((text + "\n").utf8))
}
