import Foundation
import HTTP
import Testing

@Suite("The proxy of a server") struct HTTPProxyTests {
  private func name(_ url: String, _ environment: [String: String]) throws -> String? {
    HTTPProxy(for: try #require(URL(string: url)), in: environment)?.name
  }

  @Test(
    "the variables are those of libcurl, the scheme's before the common one, small letters first",
    arguments: [
      ("http://a.example/", ["http_proxy": "p:1"], "http://p:1"),
      ("http://a.example/", ["HTTP_PROXY": "p:1"], nil),
      ("http://a.example/", ["https_proxy": "p:1"], nil),
      ("https://a.example/", ["http_proxy": "p:1"], nil),
      ("https://a.example/", ["https_proxy": "p:1", "HTTPS_PROXY": "q:1"], "http://p:1"),
      ("https://a.example/", ["HTTPS_PROXY": "q:1", "all_proxy": "r:1"], "http://q:1"),
      ("https://a.example/", ["all_proxy": "socks5h://r:1"], "socks5h://r:1"),
      ("http://a.example/", ["ALL_PROXY": "s:1"], "http://s:1"),
      ("http://a.example/", ["http_proxy": "", "all_proxy": "r:1"], "http://r:1"),
      ("http://a.example/", [:], nil),
    ] as [(String, [String: String], String?)])
  func variables(_ url: String, _ environment: [String: String], _ proxy: String?) throws {
    #expect(try name(url, environment) == proxy)
  }

  @Test("its name and password are not shown") func secret() throws {
    let url = try #require(URL(string: "http://a.example/"))
    let proxy = HTTPProxy(for: url, in: ["http_proxy": "http://me:p%40ss@proxy.example:3128/x"])
    #expect(proxy?.name == "http://proxy.example:3128")
    #expect(proxy?.address == "http://me:p%40ss@proxy.example:3128/x")
    let odd = HTTPProxy(for: url, in: ["http_proxy": "http://me:p ss@proxy^example"])
    #expect(odd?.name == "(an address that cannot be read)")
  }

  @Test(
    "no proxy is used for this machine, whatever the variables are",
    arguments: [
      "localhost", "LOCALHOST.", "gpsd.localhost", "127.0.0.1", "127.9.9.9:8080", "127.1", "[::1]",
      "[0:0:0:0:0:0:0:1]:80", "[::ffff:127.0.0.1]",
    ])
  func thisMachine(_ host: String) throws {
    #expect(try name("http://\(host)/", ["http_proxy": "p:1", "no_proxy": ""]) == nil)
  }

  @Test(
    "a host that only looks like this machine is not",
    arguments: [
      "localhost.example", "notlocalhost", "127.example.org", "127.0.0.1.5", "128.0.0.1", "[::2]",
      "[::ffff:10.0.0.1]",
    ])
  func elsewhere(_ host: String) throws {
    #expect(try name("http://\(host)/", ["http_proxy": "p:1"]) == "http://p:1")
  }

  @Test(
    "no_proxy names hosts, domains, addresses and networks",
    arguments: [
      ("a.example", "*", true), ("a.example", "b.example,a.example", true),
      ("A.example.", "a.Example", true), ("x.a.example", "a.example", true),
      ("x.a.example", " .a.example ", true), ("xa.example", "a.example", false),
      ("a.example", "x.a.example", false), ("a.example", "", false), ("a.example", "b *", false),
      ("10.1.2.3", "10.1.2.3", true), ("10.1.2.3", "10.0.0.0/8", true),
      ("10.1.2.3", "10.1.2.0/23", true), ("10.1.2.3", "10.1.0.0/23", false),
      ("10.1.2.3", "2.3", false), ("10.1.2.3", "0.0.0.0/0", true),
      ("10.1.2.3", "10.0.0.0/33", false),
      ("[fd00::1]", "fd00::1", true), ("[fd00::1]", "[fd00::1]", true),
      ("[fd00:0::1]", "fd00::/16", true), ("[fd01::1]", "fd00::/16", false),
    ])
  func exceptions(_ host: String, _ list: String, _ isDirect: Bool) throws {
    for key in ["no_proxy", "NO_PROXY"] {
      let proxy = try name("http://\(host):8080/", ["http_proxy": "p:1", key: list])
      #expect((proxy == nil) == isDirect)
    }
  }
}
