import Glibc
import Tracking

extension String {
  /// A number with so many decimals, rounded half away from zero, without a negative zero; the same
  /// on every machine and in every locale.
  init(_ value: Double, decimals: Int) {
    let scale = (0..<decimals).reduce(1) { product, _ in product * 10 }
    let scaled = Int((abs(value) * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    let digits = String(scaled % scale)
    let zeros = String(repeating: "0", count: Swift.max(0, decimals - digits.count))
    self = decimals > 0 ? "\(sign)\(scaled / scale).\(zeros)\(digits)" : "\(sign)\(scaled)"
  }
}

extension Fix {
  /// The course to one decimal, still below 360.
  var roundedCourse: Double? {
    course.map { (($0 * 10).rounded() / 10).truncatingRemainder(dividingBy: 360) }
  }
}
