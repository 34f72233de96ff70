import Services
import Testing

@Suite("an authorization as a value")
struct AuthorizationValueTests {
  @Test("only two states allow locations")
  func authorized() {
    #expect(
      Authorization.Status.allCases.filter { Authorization($0).isAuthorized } == [
        .always, .whenInUse,
      ])
  }
}
