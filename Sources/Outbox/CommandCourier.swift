package import Foundation
internal import Glibc
internal import System
internal import Text

/// Starts a program for each event.
///
/// The event is on its standard input, as the line of the event log, and in variables `WAYMARK_…`. It
/// acknowledges the event with exit code 0.
package final class CommandCourier: Courier {
  private let settings: CommandSettings
  private let zone: TimeZone

  /// So many bytes of the output of a failing program are in the message.
  private static let outputLimit = 400

  package init(_ settings: CommandSettings, zone: TimeZone) {
    self.settings = settings
    self.zone = zone
    // While SIGCHLD is ignored, which a parent may have set, the system does not report exit codes.
    signal(SIGCHLD, SIG_DFL)
  }

  package func deliver(_ delivery: Delivery, until stop: StopFlag) -> DeliveryOutcome {
    let words = settings.arguments.map { $0.text(for: delivery, in: zone) }
    guard let name = words.first else { return .failed(reason: "there is no program") }
    do throws(WholeFile.Failure) {
      let (end, output) = try ChildConversation.run(
        ChildProcess.find(name).get(), Array(words.dropFirst()),
        environment: Self.environment(delivery), input: Array("\(delivery.json)\n".utf8),
        limit: .seconds(settings.timeLimit), outputLimit: Self.outputLimit,
        isStopped: { stop.isSet })
      return outcome(end, output)
    } catch {
      return .failed(reason: "cannot start \(name): \(error.reason)")
    }
  }

  private func outcome(_ end: ChildConversation.End, _ output: [UInt8]) -> DeliveryOutcome {
    let sentence: String
    switch end {
    case .ended(.exit(0)): return .delivered
    case .stopped: return .stopped
    case .tooLong:
      sentence = "it was killed after \(Readable.duration(settings.timeLimit))"
    case .ended(let end): sentence = "it \(end.sentence)"
    }
    let said = String(decoding: output, as: UTF8.self).oneLine
    return .failed(reason: said.isEmpty ? sentence : "\(sentence): \(said)")
  }

  /// The fields of the event as variables: `timeUncertainty` is `WAYMARK_TIME_UNCERTAINTY`.
  private static func environment(_ delivery: Delivery) -> [String: String] {
    let object = try? JSONSerialization.jsonObject(with: Data(delivery.json.utf8))
    var variables = ["WAYMARK_DELIVERY_ID": delivery.id]
    for (key, value) in object as? [String: Any] ?? [:] where !(value is NSNull) {
      let name = key.reduce(into: "") { name, letter in
        if letter.isUppercase { name.append("_") }
        name.append(letter.uppercased())
      }
      // A variable ends at a NUL.
      variables["WAYMARK_\(name)"] = "\(value)".replacingOccurrences(of: "\0", with: "?")
    }
    return variables
  }

  /// The program is looked for, but not started.
  package func probe(until stop: StopFlag) -> String? {
    guard let name = settings.arguments.first?.source else { return "there is no program" }
    guard case .failure(let failure) = ChildProcess.find(name) else { return nil }
    return "\(name): \(failure.reason)"
  }

  package func close() {}
}
