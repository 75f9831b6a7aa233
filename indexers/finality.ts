import { ProviderError } from '../src/chains/chain.ts'
import { messageOf } from '../src/platform/errors.ts'
import { pause } from '../src/platform/wait.ts'
import { awaitsExpiry } from '../src/sessions/askExpiries.ts'
import { advanceFinality } from './advanceFinality.ts'
import type { IndexerContext } from './context.ts'
import { committedHeader, readCursor } from './cursor.ts'

/** The newest committed height that the chain calls finalized; null while none is known. Never goes back. */
export interface FinalityTold {
  height(): number | null
  tell(height: number): void
}

export function createFinalityTold(): FinalityTold {
  let told: number | null = null
  return {
    height: () => told,
    tell(height) {
      told = Math.max(told ?? -1, height)
    },
  }
}

/**
 * Asks what is finalized while a payment or the end of a session waits for it. So a chain on which nobody pays just now costs no
 * call.
 */
export async function followFinality(ctx: IndexerContext & { finality: FinalityTold }): Promise<void> {
  while (!ctx.signal.aborted) {
    try {
      if (await somethingWaits(ctx)) {
        const finalized = await finalizedOfOurs(ctx)
        if (finalized !== null && finalized > (ctx.finality.height() ?? -1)) {
          ctx.finality.tell(finalized)
          ctx.metrics.finalized.set(finalized)
          await advanceFinality(ctx, finalized)
        }
      }
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      ctx.log.warn({ err: messageOf(error) }, 'no provider tells what is finalized; trying again')
    }
    await pause(Math.max(Math.min(ctx.pollMs, 1000), 2 * ctx.chain.blockMs), ctx.signal)
  }
}

/**
 * The newest height that is finalized and committed here as the same block. A height alone would make final whatever lies there,
 * and after a fork that went too deep that is what the chain no longer has.
 */
async function finalizedOfOurs(ctx: IndexerContext): Promise<number | null> {
  const told = await ctx.reader.finalized()
  const cursor = await readCursor(ctx.db, ctx.chain.name)
  if (!told || !cursor) return null
  const height = Math.min(told.height, cursor.height)
  const ours = height === cursor.height ? cursor : await committedHeader(ctx.db, ctx.chain.name, height)
  const theirs = height === told.height ? told : await ctx.reader.header(height)
  return ours?.id != null && ours.id === theirs?.id ? height : null
}

/** On a chain whose own rule it is, every payment waits for it, and every session whose time is over. */
async function somethingWaits({ db, chain }: IndexerContext): Promise<boolean> {
  const [row] = await db.query<{ waits: boolean }>(
    "select exists (select 1 from detections where chain = $1 and status = 'seen' and (depth is null or $2)) as waits",
    [chain.name, chain.byFinalizedTag],
  )
  return (row?.waits ?? false) || (chain.byFinalizedTag && (await awaitsExpiry(db, chain.name)))
}
