import Foundation
import Testing

@Suite("waymark init", .timeLimit(.minutes(90)))
struct InitTests {
  @Test("writes a config that check accepts, from five answers")
  func answers() throws {
    let runner = try CommandRunner()
    let outcome = try runner.waymark(
      ["init"],
      input: "boat\ngpsd://boat.local\nharbour=54.3,10.1,200m\nEurope/Berlin\nevents.gpkg\n")
    #expect(outcome.code == 0 && outcome.output == "")
    #expect(outcome.errors.components(separatedBy: "]: ").count == 6)
    let check = try runner.waymark(["check", "waymark.yaml"])
    #expect(check.code == 0)
    for line in [
      "device: boat", "source: gpsd://boat.local:2947", "time-zone: Europe/Berlin",
      "fences: 1 (1 circle)", "store: events.gpkg",
    ] {
      #expect(check.output.contains(line), "\(line)")
    }
  }

  @Test("asks again after a wrong answer, and says what is expected")
  func wrongAnswers() throws {
    let runner = try CommandRunner()
    let outcome = try runner.waymark(
      ["init", "a.yaml"],
      input: "\nboat.local\ngpsd://boat.local\nhome=1,2\nhome=1,2,50 m\n\n-\n\n")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("waymark: --store is standard output (-), to which no store"))
    #expect(outcome.errors.contains("waymark: found 'boat.local', expected gpsd://HOST"))
    #expect(outcome.errors.contains("found 2 parts after '=', expected 3"))
    let config = try runner.read("a.yaml")
    #expect(config.contains("\"gpsd://boat.local:2947\"") && config.contains("radius: 50 m"))
    #expect(!config.contains("\nstore:"))
  }

  @Test("asks nothing that an option gives, and needs no answers")
  func options() throws {
    let runner = try CommandRunner()
    let outcome = try runner.waymark([
      "init", "--device", "boat", "--source", "gpsd://boat.local", "--fence",
      "harbour=54.3,10.1,200m",
      "--time-zone", "Europe/Berlin", "--store", "events.gpkg",
    ])
    #expect(outcome.code == 0)
    #expect(!outcome.errors.contains("]: "))
    #expect(try runner.waymark(["init", "plain.yaml"], environment: ["TZ": "UTC"]).code == 0)
    #expect(try runner.read("plain.yaml").contains("\n#time-zone: Europe/Berlin\n"))
    for config in ["waymark.yaml", "plain.yaml"] {
      #expect(try runner.waymark(["check", config]).code == 0)
    }
  }

  @Test("takes the time zone of the machine")
  func zone() throws {
    let runner = try CommandRunner()
    #expect(try runner.waymark(["init"], environment: ["TZ": "Asia/Tokyo"]).code == 0)
    #expect(try runner.read("waymark.yaml").contains("\ntime-zone: Asia/Tokyo\n"))
  }

  @Test("writes over nothing, and asks nothing then", arguments: ["file", "link"])
  func existing(_ kind: String) throws {
    let runner = try CommandRunner()
    _ = try runner.shell(kind == "file" ? "echo mine >waymark.yaml" : "ln -s gone waymark.yaml")
    let outcome = try runner.waymark(["init"])
    #expect(
      outcome.errors
        == "waymark: waymark.yaml: cannot be written: it is there, and init writes over no file; "
        + "name another one\n")
    #expect(outcome.code == 74)
    #expect(!runner.exists("gone"))
    if kind == "file" { #expect(try runner.read("waymark.yaml") == "mine\n") }
  }

  @Test("writes no config that check would refuse")
  func invalid() throws {
    let runner = try CommandRunner()
    let outcome = try runner.waymark(["init", "--device", ""])
    #expect(outcome.code == 78)
    #expect(!runner.exists("waymark.yaml"))
  }

  @Test(
    "reports a wrong option as a usage error",
    arguments: [["--fence", "home=1"], ["--time-zone", "Berlin"], ["--source", "boat"]])
  func wrongOptions(_ options: [String]) throws {
    let runner = try CommandRunner()
    #expect(try runner.waymark(["init"] + options).code == 64)
    #expect(!runner.exists("waymark.yaml"))
  }
}
