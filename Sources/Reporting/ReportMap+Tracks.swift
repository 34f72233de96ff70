internal import Geodesy
internal import Text

extension ReportMap {
  /// Speeds from which a step has the next colour, m/s; the page has the same.
  static let speeds = [0.5, 2.5, 7, 14, 25]
  static let colours = ["#7b3294", "#3f5fd0", "#1190a8", "#23a05a", "#c98a00", "#e0452c"]
  static let estimateColour = "#1769aa"
  /// A longer silence breaks the line of a track, milliseconds; the page has the same.
  private static let silence = 600_000
  /// A narrower band is hidden by the track, pixels.
  private static let narrowestBand = 4

  /// A point of a line, with the style of the step to it; nil for no line.
  private typealias Step<Style> = (place: Pixel, style: Style?)

  private enum TrackStyle: Equatable {
    case speed(Int)
    case gap
  }

  /// Draws the fixes as a line coloured by speed; silences are dashed.
  mutating func drawTrack(of device: ReportDevice) {
    let fixes = device.fixes.filter { !$0.isDropped }
    let steps: [Step<TrackStyle>] = fixes.indices.map { index in
      let (before, fix) = (fixes[max(index - 1, 0)], fixes[index])
      let speed = fix.metresPerSecond(since: before)
      let isGap = fix.time - before.time > Self.silence
      return (
        view.place(fix.coordinate), isGap ? .gap : .speed(Self.speeds.count { speed >= $0 })
      )
    }
    for (style, line) in pieces(of: steps) {
      switch style {
      case .speed(let kind): putStroke(line, Self.colours[kind], width: 3)
      case .gap: putStroke(line, "#6b6b6b", width: 1, "stroke-dasharray=\"2 5\"")
      }
    }
  }

  /// Draws the estimates below the track: their line, and the band that holds the true position with
  /// probability 0.68.
  mutating func drawEstimates(of device: ReportDevice) {
    let estimates = device.estimates
    let steps: [Step<Int>] = estimates.indices.map { index in
      let (before, estimate) = (estimates[max(index - 1, 0)], estimates[index])
      let radius = view.pixels(estimate.metres, at: estimate.coordinate.latitude)
      let isGap = estimate.time - before.time > Self.silence
      return (
        view.place(estimate.coordinate), isGap ? nil : Int(min(2 * radius, 2_000).rounded())
      )
    }
    // The opacity is that of the group, so that the band is as pale where its pieces overlap.
    put("<g opacity=\".16\">\n")
    for (width, line) in pieces(of: steps) where width >= Self.narrowestBand {
      putStroke(line, Self.estimateColour, width: width)
    }
    put("</g>\n")
    let line: [Step<Bool>] = steps.map { ($0.place, $0.style.map { _ in true }) }
    for (_, line) in pieces(of: line) { putStroke(line, Self.estimateColour, width: 2) }
  }

  /// A line as pieces of one style each.
  private func pieces<Style: Equatable>(
    of steps: [Step<Style>]
  ) -> [(style: Style, line: [Pixel])] {
    var pieces: [(style: Style, line: [Pixel])] = []
    var last: Style?
    for (before, step) in zip(steps, steps.dropFirst()) {
      // A step to the other edge of the picture goes round the Earth.
      let isNear = abs(step.place.x - before.place.x) < view.scale / 2
      guard let style = step.style, isNear else {
        last = nil
        continue
      }
      if style != last { pieces.append((style, [before.place])) }
      last = style
      // Within half a pixel nothing would be seen.
      if let end = pieces.last?.line.last, abs(end.x - step.place.x) < 0.5,
        abs(end.y - step.place.y) < 0.5
      {
        continue
      }
      pieces[pieces.count - 1].line.append(step.place)
    }
    return pieces.filter { $0.line.count > 1 }
  }

  private mutating func putStroke(
    _ line: [Pixel], _ colour: String, width: Int, _ more: String = ""
  ) {
    put(
      "<path fill=\"none\" stroke=\"\(colour)\" stroke-width=\"\(width)\" "
        + "stroke-linejoin=\"round\" stroke-linecap=\"round\" \(more) d=\"")
    putLine(line, isClosed: false)
    put("\"/>\n")
  }

  // MARK: Legend

  /// What colours and signs mean.
  mutating func drawLegend(hindsight: Bool) {
    var rows = zip(Self.colours, [0] + Self.speeds).map { colour, speed in
      (
        "<path stroke=\"\(colour)\" stroke-width=\"4\" d=\"M0-4h18\"/>",
        speed == 0 ? "standing" : "≥ \(Int((speed * 3.6).rounded())) km/h"
      )
    }
    rows += [
      ("<path fill=\"#0b6e4f\" d=\"M3-10h12l-6 13z\"/>", "enter"),
      ("<path fill=\"#b3261e\" d=\"M3 2h12l-6-13z\"/>", "exit"),
      (
        "<circle cx=\"9\" cy=\"-4\" r=\"6\" fill=\"#8a5300\" fill-opacity=\".25\" "
          + "stroke=\"#8a5300\"/>", "visit"
      ),
      (
        "<path stroke=\"\(Self.estimateColour)\" stroke-width=\"12\" stroke-opacity=\".3\" "
          + "d=\"M0-4h18\"/>", "estimate\(hindsight ? " in hindsight" : ""), 68 %"
      ),
    ]
    let height = 18 * rows.count + 14
    put("<g transform=\"translate(12 \(788 - height))\" text-anchor=\"start\">\n")
    put(
      "<rect width=\"\(hindsight ? 202 : 132)\" height=\"\(height)\" rx=\"6\" fill=\"#fff\" "
        + "fill-opacity=\".9\" stroke=\"#cbd3d8\"/>\n")
    for (number, (sign, name)) in rows.enumerated() {
      put(
        "<g transform=\"translate(10 \(22 + 18 * number))\">\(sign)<text x=\"28\" "
          + "fill=\"#17242c\">\(name)</text></g>\n")
    }
    put("</g>\n")
  }
}
