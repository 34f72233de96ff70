@_implementationOnly import CMinizip

/// An archive that minizip has open.
struct ZipHandle: ~Copyable {
  let file: ZipFile
  /// An `unzFile`, stored without the type, which code that imports this module does not know.
  let pointer: UnsafeMutableRawPointer

  /// Nil when the file is no archive, or its directory is damaged.
  init?(_ file: ZipFile) {
    var functions = ZipFile.functions(file)
    // minizip copies the functions. It takes the path for the function that opens, which ignores it.
    guard let pointer = unzOpen2_64("", &functions) else { return nil }
    self.file = file
    self.pointer = pointer
  }

  // An entry that is still open is closed with it.
  deinit { unzClose(pointer) }
}
