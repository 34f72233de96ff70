import Services
import Testing

@Suite("permission as a value")
struct GrantTests {
  @Test("only two states tell places")
  func authorized() {
    #expect(Grant.Status.allCases.filter { Grant($0).isAuthorized } == [.always, .whenInUse])
  }
}
