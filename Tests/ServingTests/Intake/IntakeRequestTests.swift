import Formats
import TestSupport
import Testing

@testable import Serving

@Suite("Reports by HTTP, without sockets")
struct IntakeRequestTests {
  private static let secret = String(repeating: "0123456789abcdef", count: 4)

  private static func request(
    _ method: String = "POST", _ uri: String = "/",
    _ headers: [(name: String, value: String)] = [], host: String = "localhost:8090"
  ) -> IntakeRequest {
    IntakeRequest(
      request: WebRequest(method: method, uri: uri, headers: [("host", host)] + headers))
  }

  @Test("without a token only this machine's names are served, and no web page")
  func loopback() {
    #expect(Self.request().refusal(nil) == nil)
    #expect(Self.request("GET", "/?id=a").refusal(nil) == nil)
    #expect(Self.request("PUT").refusal(nil)?.code == 405)
    #expect(Self.request(host: "evil.example").refusal(nil)?.code == 403)
    #expect(Self.request("POST", "/", [("origin", "http://evil")]).refusal(nil)?.code == 403)
    #expect(Self.request("POST", "http://other/").refusal(nil)?.code == 400)
    let long = "/" + String(repeating: "a", count: 3_000)
    #expect(Self.request("POST", long).refusal(nil)?.code == 400)
  }

  @Test("with a token a request needs it, as a bearer, as a password, or in the address")
  func token() throws {
    let token = try WebToken(text: Self.secret, path: "token")
    func code(_ uri: String, _ headers: [(name: String, value: String)]) -> Int? {
      Self.request("POST", uri, headers, host: "phones.example").refusal(token)?.code
    }
    #expect(code("/", []) == 401)
    #expect(code("/?token=\(Self.secret)", []) == nil)
    #expect(code("/?token=\(Self.secret.dropLast())0", []) == 401)
    #expect(code("/", [("authorization", "Bearer \(Self.secret)")]) == nil)
    #expect(code("/", [("authorization", "Bearer x")]) == 401)
    // jane:TOKEN, and jane:wrong
    let pair =
      "amFuZTowMTIzNDU2Nzg5YWJjZGVmMDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWYwMTIzNDU2Nzg5YWJjZGVm"
    #expect(code("/", [("authorization", "Basic \(pair)")]) == nil)
    #expect(code("/", [("authorization", "Basic amFuZTp3cm9uZw==")]) == 401)
    #expect(code("/", [("authorization", "Basic ???")]) == 401)
  }

  @Test("the sender's name is in headers of OwnTracks, or in the address")
  func sender() throws {
    let body = Array(#"{"_type":"location","lat":1,"lon":2,"tst":1770000000,"tid":"x"}"#.utf8)
    func device(_ uri: String, _ headers: [(name: String, value: String)] = []) throws -> [String] {
      try Self.request("POST", uri, headers).message(body).reports.map(\.device)
    }
    #expect(try device("/", [("x-limit-u", "jane"), ("x-limit-d", "phone")]) == ["jane/phone"])
    #expect(try device("/?u=jane&d=phone") == ["jane/phone"])
    #expect(try device("/?d=my%20phone") == ["my phone"])
    #expect(try device("/") == ["x"])
  }

  @Test("positions are in the query, or in a form")
  func query() throws {
    let query = "id=a%2Bb&lat=52.5&lon=13.4&timestamp=1770000000&token=x"
    let got = try Self.request("GET", "/osmand?" + query).message([])
    #expect(got.reports.map(\.device) == ["a+b"])
    let form = try Self.request("POST", "/").message(Array(query.utf8))
    #expect(form.reports.map(\.device) == ["a+b"] && form.reports[0].fixes == got.reports[0].fixes)
    #expect(Self.request("GET", "/").isEmpty && Self.request("GET", "/?token=x").isEmpty)
    #expect(!Self.request("GET", "/?id=a").isEmpty)
  }
}
