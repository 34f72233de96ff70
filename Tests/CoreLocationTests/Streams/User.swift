import Locking
import Services

@testable import CoreLocation

/// Somebody who is asked, and answers when the test says.
final class User: Sendable {
  private struct Question {
    let prompt: Prompt
    let reply: @Sendable (PromptAnswer) -> Void
  }

  private let state = Mutex<(open: [Question], asked: [Prompt.Kind])>(([], []))

  /// What was asked so far.
  var asked: [Prompt.Kind] { state.withLock(\.asked) }

  /// A setup in which this user is asked.
  var configuration: LocationService.Configuration {
    var configuration = LocationService.Configuration()
    configuration.policy = .function { prompt, reply in
      self.state.withLock { state in
        state.open.append(Question(prompt: prompt, reply: reply))
        state.asked.append(prompt.kind)
      }
    }
    return configuration
  }

  func answer(_ answer: PromptAnswer) {
    let question = state.withLock { $0.open.isEmpty ? nil : $0.open.removeFirst() }
    question?.reply(answer)
  }
}
