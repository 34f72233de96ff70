internal import Foundation

extension StringProtocol {
  /// Without capitals and accents.
  ///
  /// For comparisons only: `Münster` and `munster` are the same, whatever the language of the
  /// system.
  var folded: String {
    folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}
