/** Which providers say nothing, so that another one may be believed alone. */
export interface Silence {
  /** Those that answered when all were asked, with the newest height that each has. */
  hear(answers: readonly { source: string; head: number }[]): void
  /** Nobody was asked for a while: that none answered then is no silence. */
  rest(): void
  /** The only one that is not silent; null where there is another one, or may be. */
  alone(): string | null
}

export interface SilenceOptions {
  /** How long one may not answer before it is silent; 30 s by default. */
  witnessMs?: number | undefined
  blockMs: number
}

/** What answers and stands still below another one's head, for so many blocks' time, is silent, too. */
const missedBlocks = 5

/** @param count how many providers there are: one that never answered is waited for as long as the others */
export function createSilence(count: number, { witnessMs = 30_000, blockMs }: SilenceOptions, now: () => number = Date.now): Silence {
  const heads = new Map<string, number>()
  /** Since when a provider has not answered, and since when it answers the same head while another one is further. */
  const unheard = new Map<string, number>()
  const unmoved = new Map<string, number>()
  let since = now()
  const isOver = (from: number | undefined, ms: number): boolean => from !== undefined && now() - from >= ms
  const isSilent = (source: string): boolean =>
    isOver(unheard.get(source), witnessMs) || isOver(unmoved.get(source), Math.max(witnessMs, missedBlocks * blockMs))

  return {
    hear(answers) {
      const heard = new Map(answers.map(({ source, head }) => [source, head]))
      const best = Math.max(...heads.values(), ...heard.values())
      for (const [source, before] of heads) {
        const head = heard.get(source)
        if (head === undefined) unheard.set(source, unheard.get(source) ?? now())
        else unheard.delete(source)
        if (head !== undefined && head <= before && head < best) unmoved.set(source, unmoved.get(source) ?? now())
        else unmoved.delete(source)
      }
      for (const [source, head] of heard) heads.set(source, head)
    },
    rest() {
      since = now()
      unheard.clear()
      unmoved.clear()
    },
    alone() {
      const sources = [...heads.keys()]
      if (count === 1) return sources[0] ?? null
      const speaking = sources.filter((source) => !isSilent(source))
      const isMissing = sources.length < count && now() - since < witnessMs
      return speaking.length === 1 && !isMissing ? (speaking[0] ?? null) : null
    },
  }
}
