/** What a run of Jest left. */
interface Run {
  code: number
  /** Null where it ended without one. */
  report: object | null
}
export declare function retrySuites(ctx: {
  run(file: string | null): Promise<Run>
  say(text: string): void
}): Promise<number>
export declare function argumentsOf(args: readonly string[], file: string | null, report: string): string[]
