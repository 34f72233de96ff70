/// The release of this program, as `waymark --version` prints it and servers see it.
package enum Release {
  package static let version = "0.2.0"
}
