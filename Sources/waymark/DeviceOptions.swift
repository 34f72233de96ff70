import ArgumentParser

/// The device of tracks that name none, for every command that runs the engine.
struct DeviceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Name of the device, for tracks that name none.", valueName: "id"))
  var device: String?

  func validate() throws {
    if device == "" { throw ValidationError("--device is empty; expected a name such as van") }
  }
}
