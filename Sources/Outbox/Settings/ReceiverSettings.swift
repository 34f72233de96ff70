package import EventLog
internal import Storing
package import Text

/// The settings of one receiver: an entry of `deliver` in the config.
package struct ReceiverSettings: Sendable, Hashable {
  /// How events reach it.
  package enum Channel: Sendable, Hashable {
    case webhook(WebhookSettings)
    case mqtt(MQTTSettings)
    case command(CommandSettings)
  }

  /// Its name, the key of its cursor in the store.
  package var name: String
  package var channel: Channel
  /// The types of events that it gets.
  package var kinds: Set<LogEntry.Kind>
  /// The ids of the fences whose events it gets; nil for all events, also those without a fence.
  package var fences: Set<String>?
  /// The devices whose events it gets; nil for all.
  package var devices: Set<ExactText>?
  package var quietHours: QuietHours?
  /// After so many seconds of failing attempts an event becomes a dead letter; nil for never.
  package var giveUp: Double?
}

extension ReceiverSettings {
  /// Which events of the store it wants.
  var filter: OutboxQueue.Filter {
    OutboxQueue.Filter(
      types: Set(kinds.map(\.rawValue)), fences: fences, devices: devices)
  }
}

/// Where and how a webhook is called.
package struct WebhookSettings: Sendable, Hashable {
  /// What the body is.
  package enum Format: String, Sendable, Hashable, CaseIterable {
    /// The line of the event log.
    case event
    /// CloudEvents 1.0, structured JSON.
    case cloudevents
    /// The text of a message.
    case text
  }

  /// An address with the scheme `https` or `http`, without a user and a password.
  package var url: String
  package var format = Format.event
  /// The text of `format: text`; a default is used without one.
  package var message: MessageTemplate?
  /// More headers; the values may have fields, as the message.
  package var headers: [Header] = []
  /// The paths of files with a secret of Standard Webhooks each, `whsec_` and base64: all of them sign.
  package var secretFiles: [String] = []
  /// The path of a file with a token, for `Authorization: Bearer`.
  package var tokenFile: String?
  /// The path of a file with the certificates of the authorities that are trusted, PEM; nil for those
  /// of the system.
  package var authorityFile: String?
  /// Whether attempts are signed although the system does not say that its clock is synchronised.
  package var trustsClock = false
  /// `source` of CloudEvents.
  package var source: String?

  package struct Header: Sendable, Hashable {
    package var name: String
    package var value: MessageTemplate
  }

  package init(url: String) { self.url = url }
}

/// A program that gets events.
package struct CommandSettings: Sendable, Hashable {
  /// The program and its arguments, not for a shell; each may have fields, as a message.
  package var arguments: [MessageTemplate]
  /// It is killed after so many seconds.
  package var timeLimit = 30.0

  package init(arguments: [MessageTemplate]) { self.arguments = arguments }
}
