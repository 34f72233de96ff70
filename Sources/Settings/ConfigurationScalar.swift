/// A scalar of a file, and where it is written.
package struct ConfigurationScalar: Sendable, Hashable {
  package var place: ConfigurationPlace
  package var text: String
}
