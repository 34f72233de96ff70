import Geodesy
import Tracking

/// Errors of a fix.
extension Fix {
  func shifted(seconds: Double) -> Fix {
    var fix = self
    fix.time = time?.advanced(bySeconds: seconds)
    return fix
  }

  func moved(east: Double, north: Double) -> Fix {
    var fix = self
    fix.coordinate = coordinate.offset(east: east, north: north)
    return fix
  }

  func at(latitude: Double) -> Fix {
    var fix = self
    fix.coordinate.latitude = latitude
    return fix
  }

  var timeless: Fix {
    var fix = self
    fix.time = nil
    return fix
  }
}
