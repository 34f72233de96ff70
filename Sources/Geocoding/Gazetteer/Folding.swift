internal import Foundation

extension StringProtocol {
  /// Without capitals and accents.
  var folded: String {
    folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}
