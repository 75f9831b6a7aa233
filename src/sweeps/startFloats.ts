import type { WorkerContext } from '../capability.ts'
import { treasuryAddress } from '../custody/treasuryAddress.ts'
import type { Queryable } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import { repeat } from '../platform/repeat.ts'
import { readFloats } from './floats.ts'
import { collectionOn } from './sweepKind.ts'

const everyMs = 60_000

/**
 * Reads the treasury's balances each minute until the worker stops, on chains where something is swept, or
 * has come to the treasury directly: others need no library of their family.
 */
export function startFloats(
  ctx: Pick<WorkerContext, 'db' | 'log' | 'chains' | 'connectionOf' | 'stopping' | 'onStop'>,
): void {
  const failed = (error: unknown): void =>
    ctx.log.warn({ err: messageOf(error) }, "the treasury's balances could not be read; trying again")
  const watching = repeat(ctx.stopping, { everyMs, failed }, async () => {
    const direct = ctx.chains.filter((chain) => collectionOn(chain) === 'direct').map(({ name }) => name)
    const names = await usedChains(ctx.db, direct)
    for (const chain of ctx.chains.filter((each) => names.has(each.name))) {
      const treasury = await treasuryAddress(ctx.db, chain.family)
      if (treasury === null) continue
      const { balances } = await (await ctx.connectionOf(chain.name)).accounts()
      await readFloats(ctx.db, chain, balances, treasury).catch(failed)
    }
  })
  ctx.onStop(() => watching)
}

/** @param direct chains whose deposit account is the treasury */
async function usedChains(db: Queryable, direct: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ chain: string }>(
    `select chain from sweep_settings where enabled union select chain from sweeps where status not in ('done', 'failed')
     union select direct.chain from unnest($1::text[]) as direct(chain) join ledger_accounts a on a.name = 'deposits:' || direct.chain`,
    [direct],
  )
  return new Set(rows.map(({ chain }) => chain))
}
