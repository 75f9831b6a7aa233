const started = performance.now()

/** Writes progress to stderr; figures go to stdout. */
export function progress(text: string): void {
  process.stderr.write(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}\n`)
}
