/** Opened resources that must be closed in every case, last opened first. */
export interface Scope {
  /** Registers how to close a resource, and returns the resource. */
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
      // A second call waits for the first.
      closing ??= (async () => {
        for (let close = closes.pop(); close; close = closes.pop()) {
          await close().catch((error) => process.stderr.write(`Could not close a resource: ${error}\n`))
        }
      })()
      return closing
    },
  }
}
