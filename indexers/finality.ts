import { ProviderError } from '../src/chains/chain.ts'
import { messageOf } from '../src/platform/errors.ts'
import { pause } from '../src/platform/wait.ts'
import { advanceFinality } from './advanceFinality.ts'
import type { IndexerContext } from './context.ts'

/** The newest height that a provider called finalized; null while none did. Never goes back. */
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
 * Asks what is finalized, while anybody cares: chains whose own rule it is, and large payments on the others. So a chain without
 * such payments costs no call.
 */
export async function followFinality(ctx: IndexerContext & { finality: FinalityTold }): Promise<void> {
  while (!ctx.signal.aborted) {
    try {
      if (ctx.chain.byFinalizedTag || (await somethingWaits(ctx))) {
        const told = await ctx.reader.finalized()
        if (told !== null && told > (ctx.finality.height() ?? -1)) {
          ctx.finality.tell(told)
          ctx.metrics.finalized.set(told)
          await advanceFinality(ctx, told)
        }
      }
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      ctx.log.warn({ err: messageOf(error) }, 'no provider tells what is finalized; trying again')
    }
    await pause(Math.max(Math.min(ctx.pollMs, 1000), 2 * ctx.chain.blockMs), ctx.signal)
  }
}

async function somethingWaits(ctx: IndexerContext): Promise<boolean> {
  const [row] = await ctx.db.query<{ waits: boolean }>(
    "select exists (select 1 from detections where chain = $1 and status = 'seen' and depth is null) as waits",
    [ctx.chain.name],
  )
  return row?.waits ?? false
}
