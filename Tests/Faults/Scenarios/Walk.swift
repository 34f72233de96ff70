/// A walk through a circle, with which the commands that read files are tried.
enum Walk {
  static let rows = (0..<40).map { number in
    let east = Double(number % 20 < 10 ? number % 20 : 20 - number % 20) - 5
    let (minute, second) = (number / 2, number % 2 * 30)
    return "van,2025-03-10T08:\(minute < 10 ? "0" : "")\(minute):\(second == 0 ? "00" : "30")Z,0,"
      + "\(east / 2_000),5"
  }
  static let header = "device,time,latitude,longitude,accuracy"
  static func csv(_ rows: some Sequence<String>) -> String {
    ([header] + rows).joined(separator: "\n") + "\n"
  }
  static let fence = ["--fence", "gate=0,0,150"]
}
