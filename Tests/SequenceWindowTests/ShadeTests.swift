import Foundation
import SequenceRunner
import Testing

@testable import SequenceWindow

/// The contrasts of WCAG 2.1 with the colors of libadwaita.
@Suite struct ShadeTests {
  /// The color of the text as a gray with an opacity, and the grays of its backgrounds.
  private static let themes: [(text: Double, opacity: Double, backgrounds: [Double])] = [
    // Windows, header bars and cards.
    (0, 0.8, [0xFA, 0xEB, 0xFF]),
    (0xFF, 1, [0x24, 0x30, 0x36]),
  ]

  private static func luminance(_ color: [Double]) -> Double {
    let parts = color.map { $0 / 255 }
      .map { $0 > 0.04045 ? pow(($0 + 0.055) / 1.055, 2.4) : $0 / 12.92 }
    return zip(parts, [0.2126, 0.7152, 0.0722]).map { $0 * $1 }.reduce(0, +)
  }

  private static func contrast(_ first: [Double], _ second: [Double]) -> Double {
    let (one, other) = (luminance(first), luminance(second))
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  private static func contrast(_ first: Double, _ second: Double) -> Double {
    contrast([first, first, first], [second, second, second])
  }

  /// The gray of something with an opacity over a background.
  private static func mix(_ text: Double, _ opacity: Double, over background: Double) -> Double {
    background + (text - background) * opacity
  }

  @Test(arguments: themes.indices)
  func `dim text has at least 4.5, and shapes 3`(index: Int) {
    let theme = ShadeTests.themes[index]
    for background in theme.backgrounds {
      let text = ShadeTests.mix(theme.text, theme.opacity * Shade.text, over: background)
      #expect(ShadeTests.contrast(text, background) >= 4.5, "\(background)")
      let shape = ShadeTests.mix(theme.text, theme.opacity * Shade.shape, over: background)
      #expect(ShadeTests.contrast(shape, background) >= 3, "\(background)")
      // The ring of a pause lies on its track.
      let track = ShadeTests.mix(theme.text, theme.opacity * Shade.track, over: background)
      let ring = ShadeTests.mix(theme.text, theme.opacity * Shade.shape, over: track)
      #expect(ShadeTests.contrast(ring, track) >= 3, "\(background)")
    }
  }

  @Test(arguments: themes.indices)
  func `texts over a picture have at least 4.5, whatever it shows`(index: Int) {
    let theme = ShadeTests.themes[index]
    for picture in [0.0, 0xFF] {
      let scrim = ShadeTests.mix(theme.backgrounds[0], Shade.scrim, over: picture)
      let text = ShadeTests.mix(theme.text, theme.opacity * Shade.text, over: scrim)
      #expect(ShadeTests.contrast(text, scrim) >= 4.5, "\(picture)")
    }
  }

  @Test func `the style sheet dims as much`() {
    let css = String(decoding: PackageResources.style_css, as: UTF8.self)
    #expect(css.contains(".scrim { background-color: alpha(@window_bg_color, \(Shade.scrim)); }"))
    #expect(css.contains(".dim-label, row .subtitle, headerbar .subtitle"))
    #expect(css.contains("opacity: \(Shade.text);"))
  }

  @Test func `the colors of sequences have at least 4.5 on the window`() throws {
    let css = String(decoding: PackageResources.style_css, as: UTF8.self)
    let colors = css.matches(
      of: /@define-color sequence_(\w+) mix\(#(\w{6}), @window_fg_color, ([0-9.]+)\);/)
    #expect(Set(colors.map { String($0.1) }) == Set(SequenceColor.allCases.map(\.rawValue)))
    for color in colors {
      let (number, part) = (try #require(Int(color.2, radix: 16)), try #require(Double(color.3)))
      let parts = [16, 8, 0].map { Double(number >> $0 & 0xFF) }
      for theme in ShadeTests.themes {
        let opacity = 1 - part + theme.opacity * part
        let shown = parts.map {
          ShadeTests.mix($0 + (theme.text - $0) * part, opacity, over: theme.backgrounds[0])
        }
        let background = Array(repeating: theme.backgrounds[0], count: 3)
        #expect(ShadeTests.contrast(shown, background) >= 4.5, "\(color.1)")
      }
    }
  }
}
