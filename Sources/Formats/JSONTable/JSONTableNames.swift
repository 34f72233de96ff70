internal import Text
import Traces

/// What the names in records mean, as far as they came up.
struct JSONTableNames: Sendable {
  /// A value that is read.
  struct Member: Sendable {
    /// The name, with those of the objects that it is in.
    let name: String
    let column: CSVColumnName
    /// Whether its times are of UTC, or else of a place; nil when the name says neither.
    let isUniversal: Bool?
    let role: CSVRole
    /// Of several members with the same role, that of the lowest rank is read.
    let rank: Int
    let unit: CSVUnit
    /// A value that means that there is none; NaN for no such value.
    let absent: Double
    var times: CSVTimes
    let isOfDocument: Bool
    /// Whether a position has its value.
    var isUsed = false

    var code: IssueCode { role.field.code }

    /// Whether this time is read and another one is not, as one of both is of UTC; nil when the names do not
    /// decide it, or the user did.
    func isRead(beside other: Self) -> Bool? {
      guard role == .time, rank >= 0, other.rank >= 0, isUniversal != other.isUniversal else {
        return nil
      }
      return column.isRead(beside: other.column)
    }
  }

  /// An object in a record; the first two are the document and a record of an array.
  private struct Part: Sendable {
    /// What stands before the names of its members.
    let prefix: String
    let depth: Int
    /// Whether it is the document, or an object in that.
    let isOfDocument: Bool
    /// What is known of its names; nil for one that is not read.
    var elements: [String: JSONTable.Element?] = [:]
  }

  var members: [Member] = []
  private var parts = [
    Part(prefix: "", depth: 0, isOfDocument: true),
    Part(prefix: "", depth: 0, isOfDocument: false),
  ]
  private var unread: [(name: String, isOfDocument: Bool)] = []
  /// The names of the letters of hemispheres, with their coordinates.
  private var letters: [(name: String, role: CSVRole, isOfDocument: Bool)] = []
  /// Whether there are letters of both coordinates; those of one alone are something else.
  private(set) var hasHemispheres = false
  /// Whether records have an MMSI.
  private(set) var hasShips = false
  /// The places of the speeds whose unit is not known beside one.
  private var unclearSpeeds: Set<Int> = []
  /// The name of a speed that was left out.
  private var unclearSpeed: String?
  private let options: ReadingOptions

  /// The most names of a kind that are remembered.
  private static let mostNames = 1_000
  /// How deep in a record a value may be.
  private static let mostLevels = 2

  init(_ options: ReadingOptions) { self.options = options }

  /// The meaning of a name in a part of a record; nil for one that is not read.
  mutating func element(_ name: String, of part: Int) -> JSONTable.Element? {
    if let known = parts[part].elements[name] { return known }
    let element = newElement(name, of: part)
    if parts[part].elements.count < Self.mostNames { parts[part].elements[name] = .some(element) }
    return element
  }

  private mutating func newElement(_ name: String, of part: Int) -> JSONTable.Element? {
    let full = parts[part].prefix + name.withoutControls
    let column = CSVColumnName(name)
    var place: Int?
    if members.count < Self.mostNames, let member = member(column, full, of: parts[part]) {
      place = members.count
      if member.rank >= 0, ShipSpeed.isUnclear(column) { unclearSpeeds.insert(members.count) }
      members.append(member)
    }
    if column.key == "mmsi" { hasShips = true }
    if letters.count < Self.mostNames, let role = CSVHemisphere.coordinate(of: column) {
      letters.append((full, role, parts[part].isOfDocument))
      hasHemispheres = hasHemispheres || letters.contains { $0.role != role }
      return .letter(orValue: place, of: role)
    }
    if let place { return .value(place) }
    if parts.count < Self.mostNames, parts[part].depth < Self.mostLevels,
      CSVColumnName.prefixes.contains(column.key)
    {
      parts.append(
        Part(
          prefix: full + ".", depth: parts[part].depth + 1,
          isOfDocument: parts[part].isOfDocument))
      return .part(parts.count - 1)
    }
    if unread.count < Self.mostNames { unread.append((full, parts[part].isOfDocument)) }
    return nil
  }

  private func member(_ column: CSVColumnName, _ full: String, of part: Part) -> Member? {
    let chosen = options.columns.field(of: full)
    // In JSON they may be anything, such as what an accelerometer measures.
    let isVague = ["x", "y", "z"].contains(column.key)
    let meaning =
      chosen.map { (role: $0.role, rank: -1, unit: $0.unit ?? column.unit(of: $0.role)) }
      ?? (isVague ? nil : column.meaning)
    guard let (role, rank, unit) = meaning else { return nil }
    let isUniversal = column.isUniversal
    return Member(
      name: full, column: column, isUniversal: isUniversal, role: role, rank: rank, unit: unit,
      absent: CSVProducer.ais.absent(column.key) ?? .nan,
      times: CSVTimes(
        form: unit.time, zone: options.zone, isUniversal: isUniversal == true,
        checksNumbers: true),
      isOfDocument: part.isOfDocument)
  }

  /// Whether the speed of a ship is left out, as its unit is not known.
  mutating func leavesOutSpeed(_ place: Int?) -> Bool {
    guard let place, unclearSpeeds.contains(place) else { return false }
    unclearSpeed = members[place].name
    return true
  }

  /// Whether a record is as we write fixes.
  func isOwn(_ record: JSONTableRecord) -> Bool {
    let isOwn = [CSVRole.latitude, .longitude, .time].allSatisfy { role in
      record.member(of: role).map { members[$0].name == role.name } ?? (role == .time)
    }
    return isOwn && record.member(of: .date) == nil && !hasHemispheres && !hasShips
  }

  /// Notes what the names were taken for; those of a document that is no record are of no interest.
  func note(isDocumentRecord: Bool, into batch: inout TraceBatch) {
    let used = members.indices.filter { members[$0].isUsed }
    if used.contains(where: { members[$0].name != members[$0].role.name }) {
      let columns = used.map {
        CSVHeader.Column(role: members[$0].role, index: $0, unit: members[$0].unit)
      }
      batch.mark(.note(CSVHeader.note(columns, of: "members") { "`\(members[$0].name)`" }))
      // A letter may have the name of a value as well.
      let others = members.filter { member in
        !member.isUsed && !letters.contains { $0.name == member.name }
      }.map { (name: $0.name, isOfDocument: $0.isOfDocument) }
      let unread =
        hasHemispheres
        ? unread : unread + letters.map { (name: $0.name, isOfDocument: $0.isOfDocument) }
      let names = (others + unread).filter { isDocumentRecord || !$0.isOfDocument }.map(\.name)
      if !names.isEmpty {
        batch.mark(.note("members that are not read: \(CSVHeader.list(names))"))
      }
    }
    if let unclearSpeed { batch.mark(.note(ShipSpeed.note(unclearSpeed))) }
    for remark in [CSVTimes.Remarks.zone, .repeated, .skipped, .early] {
      let times = members.first { $0.isUsed && $0.times.remarks.contains(remark) }?.times
      for note in times?.notes(of: remark) ?? [] { batch.mark(.note(note)) }
    }
  }
}
