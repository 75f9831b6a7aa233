/** What a walker needs next: bytes to read, to pass over, or all up to and with a byte. */
type Step = { take: number } | { skip: number } | { after: number }

/** Walks the structure of a file as it arrives. Returns at the end of the structure: whether it is right. */
export type Walk = Generator<Step, boolean, Buffer>
/** A part of a walk. */
export type Part<T> = Generator<Step, T, Buffer>

export interface Walking {
  /** @returns how many of these bytes are before the end of the structure; fewer than all where it ended */
  push(piece: Buffer): number
  /** Null: it has not ended. */
  outcome(): boolean | null
}

const nothing = Buffer.alloc(0)

/** Feeds a walk with pieces of any length. Holds only bytes that the walk has to read. */
export function startWalk(walk: Walk): Walking {
  let taken = nothing
  let skipped = 0
  let at = walk.next()
  const go = (bytes: Buffer): void => {
    taken = nothing
    skipped = 0
    at = walk.next(bytes)
  }
  /** @returns how many bytes of the piece a step has used */
  function use(step: Step, piece: Buffer): number {
    if ('take' in step) {
      const used = Math.min(step.take - taken.length, piece.length)
      taken = Buffer.concat([taken, piece.subarray(0, used)])
      if (taken.length === step.take) go(taken)
      return used
    }
    if ('skip' in step) {
      const used = Math.min(step.skip - skipped, piece.length)
      skipped += used
      if (skipped === step.skip) go(nothing)
      return used
    }
    const found = piece.indexOf(step.after)
    if (found === -1) return piece.length
    go(nothing)
    return found + 1
  }
  return {
    push(piece) {
      let used = 0
      while (!at.done && used < piece.length) used += use(at.value, piece.subarray(used))
      return used
    },
    outcome: () => (at.done ? at.value : null),
  }
}

export function* take(bytes: number): Part<Buffer> {
  return bytes === 0 ? nothing : yield { take: bytes }
}

export function* skip(bytes: number): Part<void> {
  if (bytes > 0) yield { skip: bytes }
}

/** An image of more would take more memory than a program that shows it expects. */
const maxPixels = 100_000_000

export const fits = (width: number, height: number): boolean =>
  width > 0 && height > 0 && width * height <= maxPixels
