/** Which providers say nothing, so that another one may be believed alone. */
export interface Silence {
  /**
   * Those that answered when all were asked, with the newest height that each has.
   * @param reached how far this process has read the chain; left out where it reads no blocks
   */
  hear(answers: readonly { source: string; head: number }[], reached?: number): void
  /** No provider was asked for a while: that time does not count as silence. */
  rest(): void
  /** Whether it has been silent for so long. One that was never heard is, after as long. */
  isSilent(source: string): boolean
  /** The only one that is not silent; null where there is another one, or may be. */
  alone(): string | null
}

export interface SilenceOptions {
  /** How long one may not answer before it is silent; 30 s by default. */
  crossCheckMs?: number | undefined
  blockMs: number
}

/** Who does not have a block after so many blocks' time is silent about it, too. */
const missedBlocks = 5
/** After a pause as long as this, nothing is known of what went on in it. */
const restMs = 600_000

/**
 * A provider is silent that answers none of several questions over `witnessMs`. So is one that answers and, for some blocks' time, does not
 * have what this process has read; where that reads no blocks, one whose head stands still below another one's.
 * @param count how many providers there are: one that never answered is waited for as long as the others
 */
export function createSilence(count: number, { crossCheckMs = 30_000, blockMs }: SilenceOptions, now: () => number = Date.now): Silence {
  const lagMs = Math.max(crossCheckMs, missedBlocks * blockMs)
  const heads = new Map<string, number>()
  /** Since when a provider has not answered, and since when it answers and lags. */
  const unheard = new Map<string, number>()
  const lagging = new Map<string, number>()
  /** How far this process had read, oldest first: one entry is as old as `lagMs`, or all are younger. */
  let read: { at: number; height: number }[] = []
  let first: number | null = null
  let last = now()
  const isOver = (from: number | undefined, ms: number): boolean => from !== undefined && now() - from >= ms

  const isQuiet = (source: string) => isOver(unheard.get(source), crossCheckMs) || isOver(lagging.get(source), lagMs)

  function rest(): void {
    first = null
    unheard.clear()
    lagging.clear()
    read = []
  }

  /** Of an answer: since when it is no news. */
  function lagOf(source: string, head: number, before: number | undefined, best: number, reached: number | undefined): number | undefined {
    if (reached === undefined) return before !== undefined && head <= before && head < best ? (lagging.get(source) ?? now()) : undefined
    return read.find(({ height }) => height > head)?.at
  }

  return {
    hear(answers, reached) {
      if (now() - last > restMs) rest()
      last = now()
      first ??= now()
      // A fork may have taken it back.
      if (reached !== undefined) read = read.filter(({ height }) => height <= reached)
      if (reached !== undefined && reached > (read.at(-1)?.height ?? -1)) read.push({ at: now(), height: reached })
      while (read[1] && isOver(read[1].at, lagMs)) read.shift()
      const heard = new Map(answers.map(({ source, head }) => [source, head]))
      const best = Math.max(...heads.values(), ...heard.values())
      for (const source of heads.keys()) if (!heard.has(source)) unheard.set(source, unheard.get(source) ?? now())
      for (const [source, head] of heard) {
        unheard.delete(source)
        const since = lagOf(source, head, heads.get(source), best, reached)
        if (since === undefined) lagging.delete(source)
        else lagging.set(source, since)
        heads.set(source, head)
      }
    },
    rest,
    isSilent: (source) => (heads.has(source) ? isQuiet(source) : isOver(first ?? undefined, crossCheckMs)),
    alone() {
      const sources = [...heads.keys()]
      if (count === 1) return sources[0] ?? null
      const speaking = sources.filter((source) => !isQuiet(source))
      const isMissing = sources.length < count && !isOver(first ?? undefined, crossCheckMs)
      return speaking.length === 1 && !isMissing ? (speaking[0] ?? null) : null
    },
  }
}
