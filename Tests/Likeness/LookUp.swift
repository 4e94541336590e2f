import ArgumentParser

struct LookUp: ParsableCommand {}
