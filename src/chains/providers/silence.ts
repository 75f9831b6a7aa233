/** Tracks providers that do not answer, so that another one may be trusted alone. */
export interface Silence {
  /**
   * Records the answers of a call to all providers, with the newest height of each.
   * @param reached the height that this process has read; omitted if it reads no blocks
   */
  hear(answers: readonly { source: string; head: number }[], reached?: number): void
  /** No calls were made for a while: that time does not count as silence. */
  rest(): void
  /**
   * It has not answered for `crossCheckMs`, or lags. A provider that never answered counts from the first
   * call.
   */
  isSilent(source: string): boolean
  /** The only provider that is not silent; null if there are others, or may be. */
  alone(): string | null
}

export interface SilenceOptions {
  /** Time without an answer after which a provider is silent; 30 s by default. */
  crossCheckMs?: number | undefined
  blockMs: number
}

/** A provider that lags by the time of this many blocks is silent too. */
const missedBlocks = 5
/** After a pause this long, the recorded times are void. */
const restMs = 600_000

/**
 * A provider is silent if it answers no call over `crossCheckMs`, or if it answers but lags: for `lagMs` it
 * lacks a block that this process has read; or, if the process reads no blocks, its head does not advance and
 * is below another one's.
 * @param count number of providers: one that never answered gets the same time as the others
 */
export function createSilence(
  count: number,
  { crossCheckMs = 30_000, blockMs }: SilenceOptions,
  now: () => number = Date.now,
): Silence {
  const lagMs = Math.max(crossCheckMs, missedBlocks * blockMs)
  const heads = new Map<string, number>()
  /** Since when a provider has not answered, and since when it lags. */
  const unheard = new Map<string, number>()
  const lagging = new Map<string, number>()
  /**
   * Heights that this process had read, oldest first: the first entry is as old as `lagMs`, or all are
   * younger.
   */
  let read: { at: number; height: number }[] = []
  let first: number | null = null
  let last = now()
  const isOver = (from: number | undefined, ms: number): boolean => from !== undefined && now() - from >= ms

  const isQuiet = (source: string) =>
    isOver(unheard.get(source), crossCheckMs) || isOver(lagging.get(source), lagMs)

  function rest(): void {
    first = null
    unheard.clear()
    lagging.clear()
    read = []
  }

  /** @returns since when the provider lags; undefined if it does not */
  function lagOf(
    source: string,
    head: number,
    before: number | undefined,
    best: number,
    reached: number | undefined,
  ): number | undefined {
    if (reached === undefined)
      return before !== undefined && head <= before && head < best
        ? (lagging.get(source) ?? now())
        : undefined
    return read.find(({ height }) => height > head)?.at
  }

  return {
    hear(answers, reached) {
      if (now() - last > restMs) rest()
      last = now()
      first ??= now()
      // A reorg may have removed it.
      if (reached !== undefined) read = read.filter(({ height }) => height <= reached)
      if (reached !== undefined && reached > (read.at(-1)?.height ?? -1))
        read.push({ at: now(), height: reached })
      while (read[1] && isOver(read[1].at, lagMs)) read.shift()
      const heard = new Map(answers.map(({ source, head }) => [source, head]))
      const best = Math.max(...heads.values(), ...heard.values())
      for (const source of heads.keys())
        if (!heard.has(source)) unheard.set(source, unheard.get(source) ?? now())
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
