internal import Foundation

/// An address from an address book as one line of text.
package struct AddressText {
  /// The parts of the address, from the smallest to the largest; empty if there are none.
  package let line: String

  /// Takes the keys of the address book of Apple's systems.
  ///
  /// They are `Street`, or `SubThoroughfare` and `Thoroughfare`; `SubLocality`, `City`,
  /// `SubAdministrativeArea`, `State`, `ZIP`, `Country` or `CountryCode`. Without any of them it
  /// takes `FormattedAddressLines`, else `Name`. Other keys, and values that are no text, are
  /// ignored.
  package init(_ dictionary: [AnyHashable: Any]) {
    let text = { (key: String) -> String? in
      guard let text = dictionary[key] as? String, !text.isEmpty else { return nil }
      return text
    }
    let joined = { (keys: [String]) -> String? in
      let texts = keys.compactMap(text)
      return texts.isEmpty ? nil : texts.joined(separator: " ")
    }
    let parts = [
      text("Street") ?? joined(["SubThoroughfare", "Thoroughfare"]), text("SubLocality"),
      text("City"), text("SubAdministrativeArea"), joined(["State", "ZIP"]),
      text("Country") ?? text("CountryCode"),
    ]
    let known = parts.compactMap(\.self)
    let lines = dictionary["FormattedAddressLines"] as? [String] ?? [text("Name") ?? ""]
    line = (known.isEmpty ? lines : known).joined(separator: ", ")
  }
}
