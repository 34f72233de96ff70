import System
import ArgumentParser
import Playing
import Services
import Serving
import Session
import Settings
import Traces
import Tracking

/// The exit codes, which follow sysexits(3); wrong usage has the argument parser's own.
enum ExitStatus {
  static let usage = ExitCode.validationFailure
  static let badData = ExitCode(65)
  static let noInput = ExitCode(66)
  static let unavailable = ExitCode(69)
  static let inputOutput = ExitCode(74)
  static let badConfiguration = ExitCode(78)

  /// Says what went wrong and gives the code to leave with.
  static func of(_ error: SessionError) -> ExitCode {
    switch error {
    case .output(let error): of(error)
    case .trace(let error): of(error)
    }
  }

  /// Says what could not be written and gives the code to leave with.
  static func of(_ error: OutputError) -> ExitCode {
    switch error {
    case .readerGone: return .success
    case .refused:
      Terminal.say("waymark: \(error)")
      return inputOutput
    }
  }

  /// Says what went wrong and gives the code to leave with.
  static func of(_ error: TraceError) -> ExitCode {
    Terminal.say("waymark: \(error)")
    return switch error {
    case .notFound: noInput
    case .unreadable: inputOutput
    case .unrecognised, .invalid: badData
    }
  }

  /// Says what went wrong and gives the code to leave with.
  ///
  /// An address that cannot be listened on is a service that is not to be had (69), no fault of
  /// input or output: another program has it, and later it may be free.
  static func of(_ error: ServingError) -> ExitCode {
    if case .trace(let error) = error { return of(error) }
    Terminal.say("waymark: \(error)")
    return unavailable
  }

  /// Says why a program cannot be launched and gives the code to leave with.
  static func of(_ error: Launcher.Failure) -> ExitCode {
    Terminal.say("waymark: \(error)")
    return switch error {
    case .noProgram: noInput
    case .cannotStart: unavailable
    case .noDevice: badData
    case .folder, .system: inputOutput
    }
  }

  /// Says why a state is of no use and gives the code to leave with.
  static func of(_ error: PipeStateError) -> ExitCode {
    Terminal.say("waymark: \(error)")
    return switch error {
    case .unusable: badData
    case .refused: inputOutput
    }
  }

  /// Says which fence of the command line does not go with the others and gives the code to leave
  /// with.
  static func of(_ error: FenceSetError) -> ExitCode {
    Terminal.say("waymark: \(error)")
    return usage
  }

  /// Says why there are no fences and gives the code to leave with.
  static func of(_ error: FenceSourceError) -> ExitCode {
    switch error {
    case .configuration(let error): return of(error)
    case .trace(let error): return of(error)
    case .set, .line, .compiled:
      Terminal.say("waymark: \(error)")
      return badData
    case .system:
      Terminal.say("waymark: \(error)")
      return inputOutput
    }
  }

  /// Says why there is no geocoder and gives the code to leave with.
  static func of(_ error: GeocoderChoice.Failure) -> ExitCode {
    Terminal.say("waymark: \(error.description)")
    return error.isConfiguration ? badConfiguration : noInput
  }

  /// Says what is wrong with a config and gives the code to leave with.
  static func of(_ error: ConfigurationError) -> ExitCode {
    for line in error.description.split(separator: "\n") { Terminal.say("waymark: \(line)") }
    return switch error.kind {
    case .notFound: noInput
    case .unreadable: inputOutput
    case .invalid: badConfiguration
    }
  }
}
