internal import Text

extension TrackProblem {
  /// A kind of problem, for programs.
  ///
  /// Later versions may add codes, so a `switch` over them needs a `default`.
  public struct Code: RawRepresentable, Sendable, Hashable, Codable {
    /// The name of the code, which stays the same in later versions.
    public let rawValue: String

    /// A code by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    init(_ code: IssueCode) { rawValue = code.rawValue }
  }
}

extension TrackProblem.Code: CustomStringConvertible {
  /// The name of the code.
  public var description: String { rawValue }
}

/// What keeps a file from being read at all.
extension TrackProblem.Code {
  /// There is no such file.
  public static let notFound = Self(rawValue: "notFound")
  /// The system refuses to read the file; the message has its reason.
  public static let unreadable = Self(rawValue: "unreadable")
  /// The file is empty, or in none of the formats that are read.
  public static let unknownFormat = Self(rawValue: "unknownFormat")
  /// An option that was given for the files cannot be used, such as an empty name of a column.
  public static let wrongOption = Self(rawValue: "wrongOption")
}

/// What is wrong with the contents of a file.
extension TrackProblem.Code {
  /// The text breaks the grammar of its format, such as XML whose tags do not match.
  public static let syntax = Self(.syntax)
  /// A quote that begins a text or a cell has no closing one.
  public static let unclosedQuote = Self(.unclosedQuote)
  /// A value is no number, or out of range.
  public static let wrongNumber = Self(.wrongNumber)
  /// A value is no time, or there is no date for it.
  public static let wrongTime = Self(.wrongTime)
  /// A value is not one of those that its field may have.
  public static let wrongValue = Self(.wrongValue)
  /// A record has no latitude or no longitude.
  public static let missingPosition = Self(.missingPosition)
  /// A table has no line that names its columns, or an unusable one.
  public static let missingHeader = Self(.missingHeader)
  /// A record is not one of its format, such as a row with too few cells.
  public static let unknownRecord = Self(.unknownRecord)
  /// A line, a record or a value is longer than its limit.
  public static let tooLong = Self(.tooLong)
  /// Elements are nested deeper than the limit.
  public static let tooDeep = Self(.tooDeep)
  /// The file ends in the middle of a record; everything before it was read.
  public static let truncated = Self(.truncated)
  /// Bytes were changed: a checksum or compressed data are wrong.
  public static let damaged = Self(.damaged)
  /// The file has positions, such as waypoints or areas, but no track.
  public static let noTrack = Self(.noTrack)
  /// The log has reports of several receivers, of which one is followed.
  public static let otherReceiver = Self(.otherReceiver)
}
