internal import Foundation

extension String {
  /// With all but the unreserved characters of RFC 3986, section 2.3 escaped.
  ///
  /// That includes `+`, which servers read as a space.
  package var percentEncoded: String {
    addingPercentEncoding(withAllowedCharacters: .unreserved) ?? ""
  }
}

extension CharacterSet {
  fileprivate static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
