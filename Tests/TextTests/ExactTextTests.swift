import Testing
@testable import Text

@Suite("Texts that are known by their bytes")
struct ExactTextTests {
  private let forms = [ExactText("caf\u{E9}"), ExactText("cafe\u{301}")]

  @Test("two forms of one text in Unicode are two")
  func identity() {
    #expect(forms[0].text == forms[1].text && forms[0] != forms[1])
    #expect(forms[0] == ExactText("caf" + "\u{E9}"))
    #expect(Set(forms + forms).count == 2)
    #expect(ExactText("") == ExactText("") && ExactText("") != ExactText("a"))
    #expect(ExactText("a") != ExactText("ab"))
  }

  @Test("a name that a person gave is the very one, else one that Unicode calls equal")
  func given() {
    let names = ["van", forms[0].text, forms[1].text]
    #expect(forms.map { ExactText.firstIndex(of: $0.text, in: names) } == [1, 2])
    #expect(forms.map { ExactText.firstIndex(of: $0.text, in: names.dropLast()) } == [1, 1])
    #expect(ExactText.firstIndex(of: "boat", in: names) == nil)
  }

  @Test("the order is that of the bytes")
  func order() {
    let sorted = ["", "a", "cafe\u{301}", "caf\u{E9}", "cb", "\u{FFFD}", "\u{10000}"]
    #expect(
      sorted.reversed().map { ExactText($0) }.sorted() == sorted.map { ExactText($0) })
    #expect(forms[1] < forms[0] && !(forms[0] < forms[1]) && !(forms[0] < forms[0]))
  }
}
