/// What `write` appends, as text.
package func written(_ write: (inout [UInt8]) -> Void) -> String {
  var buffer: [UInt8] = []
  write(&buffer)
  return String(decoding: buffer, as: UTF8.self)
}
