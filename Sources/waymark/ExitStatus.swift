import System
import ArgumentParser
import Comparing
import MapTiles
import Outbox
import Playing
import PlaceNaming
import Scoring
import Services
import Serving
import Session
import Settings
import Traces
import Tracking
import Watching

/// The exit codes of sysexits(3); wrong usage has the argument parser's own.
enum ExitStatus {
  /// Of `test` and `doctor` when a test or a check failed, and of `compare` when something differs, as
  /// of diff(1).
  static let different = ExitCode(1)
  static let usage = ExitCode.validationFailure
  static let badData = ExitCode(65)
  static let noInput = ExitCode(66)
  static let unavailable = ExitCode(69)
  static let inputOutput = ExitCode(74)
  static let badConfiguration = ExitCode(78)

  /// Reports an error on standard error and returns the exit code for it.
  ///
  /// Exit codes and errors of other types pass through unchanged.
  static func of(_ error: any Error) -> any Error {
    switch error {
    case let error as SessionError: code(for: error)
    case let error as OutputError: code(for: error)
    case let error as TraceError: code(for: error)
    case let error as ServingError: code(for: error)
    case let error as Launcher.Failure: code(for: error)
    case let error as PipeStateError: code(for: error)
    case let error as FenceSetError: code(for: error)
    case let error as FenceSourceError: code(for: error)
    case let error as GeocoderFactory.Failure: code(for: error)
    case let error as ConfigurationError: code(for: error)
    case StateError.foreign, RecordingError.foreign: report(error, badData)
    case AnchorControl.Failure.declined: report(error, badData)
    case is AnchorControl.Failure: report(error, unavailable)
    case is StateError, is RecordingError, is SystemError, is EntryStoreError:
      report(error, inputOutput)
    case is Outbox.Failure: report(error, unavailable)
    case is RecordError, is FenceFileError, is SweepTruthError, is TileError:
      report(error, badData)
    // Found when the config was read: the parser no longer knows whose usage to show.
    case let error as ValidationError: report(error, usage)
    default: error
    }
  }

  private static func report(_ error: any Error, _ code: ExitCode) -> ExitCode {
    Terminal.report("waymark: \(error)")
    return code
  }

  private static func code(for error: SessionError) -> ExitCode {
    switch error {
    case .output(let error): code(for: error)
    case .trace(let error): code(for: error)
    case .store(let error): report(error, inputOutput)
    case .limit: report(error, badData)
    }
  }

  private static func code(for error: OutputError) -> ExitCode {
    switch error {
    case .readerGone: return .success
    case .refused:
      Terminal.report("waymark: \(error)")
      return inputOutput
    }
  }

  private static func code(for error: TraceError) -> ExitCode {
    Terminal.report("waymark: \(error)")
    return status(error)
  }

  /// The exit code for a track that cannot be read.
  static func status(_ error: TraceError) -> ExitCode {
    switch error {
    case .notFound: noInput
    case .unreadable: inputOutput
    case .unrecognised, .invalid: badData
    }
  }

  /// An address in use is an unavailable service (69), not an I/O error: it may be free later.
  private static func code(for error: ServingError) -> ExitCode {
    if case .trace(let error) = error { return code(for: error) }
    Terminal.report("waymark: \(error)")
    return unavailable
  }

  private static func code(for error: Launcher.Failure) -> ExitCode {
    Terminal.report("waymark: \(error)")
    return switch error {
    case .noProgram: noInput
    case .cannotStart: unavailable
    case .noDevice: badData
    case .folder, .system: inputOutput
    }
  }

  private static func code(for error: PipeStateError) -> ExitCode {
    Terminal.report("waymark: \(error)")
    return switch error {
    case .unusable, .otherInput: badData
    case .inUse, .refused: inputOutput
    }
  }

  private static func code(for error: FenceSetError) -> ExitCode {
    Terminal.report("waymark: \(error)")
    return usage
  }

  private static func code(for error: FenceSourceError) -> ExitCode {
    switch error {
    case .configuration(let error): return code(for: error)
    case .invalid(let error):
      report(error)
      return badData
    case .set, .compiled:
      Terminal.report("waymark: \(error)")
      return badData
    case .system:
      Terminal.report("waymark: \(error)")
      return inputOutput
    }
  }

  private static func code(for error: GeocoderFactory.Failure) -> ExitCode {
    Terminal.report("waymark: \(error)")
    return noInput
  }

  private static func code(for error: ConfigurationError) -> ExitCode {
    report(error)
    return switch error.kind {
    case .notFound: noInput
    case .unreadable: inputOutput
    case .invalid: badConfiguration
    }
  }

  private static func report(_ error: ConfigurationError) {
    for line in error.description.split(separator: "\n") { Terminal.report("waymark: \(line)") }
  }
}
