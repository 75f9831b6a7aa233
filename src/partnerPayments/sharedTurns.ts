import type { Queryable } from '../platform/database/db.ts'
import { type Pace, type Turn, takeTurn, takeTurns } from './partnerTurns.ts'

interface Line {
  waiting: { resolve(turn: Turn): void; reject(error: unknown): void }[]
  isServed: boolean
}

const linesOf = new WeakMap<Queryable, Map<string, Line>>()
/** A batch that is too large for the time left is not split further. */
const maxBatch = 50

/**
 * As `takeTurn`, for requests that come in numbers: those of one process take their turns together. All turns
 * of a partner are one row, for which each statement waits with a connection of its own.
 */
export function takeSharedTurn(
  db: Queryable,
  partner: string,
  perSecond: number,
  maxWaitMs: number,
): Promise<Turn> {
  const lines = linesOf.get(db) ?? new Map<string, Line>()
  linesOf.set(db, lines)
  const key = `${partner} ${maxWaitMs}`
  const line = lines.get(key) ?? { waiting: [], isServed: false }
  lines.set(key, line)
  return new Promise((resolve, reject) => {
    line.waiting.push({ resolve, reject })
    if (!line.isServed) void serve(db, { partner, perSecond, maxWaitMs }, line)
  })
}

async function serve(db: Queryable, pace: Pace, line: Line): Promise<void> {
  line.isServed = true
  while (line.waiting.length > 0) {
    const batch = line.waiting.splice(0, maxBatch)
    try {
      const turns = batch.length > 1 ? await takeTurns(db, pace, batch.length) : null
      if (turns) batch.forEach(({ resolve }, index) => void resolve(turns[index] as Turn))
      else await serveSingly(db, pace, batch)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  line.isServed = false
}

/** Once a turn is too late, those behind it are, too. */
async function serveSingly(
  db: Queryable,
  { partner, perSecond, maxWaitMs }: Pace,
  batch: Line['waiting'],
): Promise<void> {
  let turn: Turn | null = null
  for (const { resolve } of batch) {
    if (!turn?.isTooLate) turn = await takeTurn(db, partner, perSecond, maxWaitMs)
    resolve(turn)
  }
}
