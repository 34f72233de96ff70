import ArgumentParser

@main
struct Waymark: ParsableCommand {
}
