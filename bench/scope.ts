/** Things that were opened and must be closed, whatever happens; the last one first. */
export interface Scope {
  /** Registers how to close what was just opened, and gives it back. */
  keep<T>(thing: T, close: (thing: T) => Promise<unknown>): T
  close(): Promise<void>
}

export function createScope(): Scope {
  const closes: (() => Promise<unknown>)[] = []
  let closing: Promise<void> | undefined
  return {
    keep(thing, close) {
      closes.push(() => close(thing))
      return thing
    },
    close() {
      // Who closes a second time waits for the first.
      closing ??= (async () => {
        for (let close = closes.pop(); close; close = closes.pop()) {
          await close().catch((error) => process.stderr.write(`could not be closed: ${error}\n`))
        }
      })()
      return closing
    },
  }
}
