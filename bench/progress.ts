const started = performance.now()

/** Says what goes on; not to where the figures go. */
export function progress(text: string): void {
  process.stderr.write(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}\n`)
}
