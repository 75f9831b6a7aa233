import type { SweepItem } from '../chains/sweeping.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import { isUnused, newestAuthorization } from './authorizations.ts'
import type { SweepingChain, SweepsContext } from './context.ts'
import { storeIntent } from './storeIntent.ts'
import { lockClaimed, readSweeps, type Sweep } from './sweepRow.ts'

/** An authorization must outlast the wait for a block. */
const marginMs = 600_000

/**
 * The treasury sends a sweep, together with others of its chain that are ready or have their authorization.
 * One whose transaction failed before goes alone, and so does one of an address whose last sweep failed.
 */
export async function sendFromTreasury(
  ctx: SweepsContext,
  sweeping: SweepingChain,
  sweep: Sweep,
  treasury: string,
): Promise<void> {
  const { actions, chain, reader } = sweeping
  const isAlone = sweep.tries > 0 || (await hasFailed(ctx.db, sweep)) || !((await reader.batches?.()) ?? true)
  const count = await ctx.db.tx(async (tx) => {
    // One at a time: workers that send at once would each lock the sweep that they started with, and find no
    // others.
    await tx.query(
      "select pg_advisory_xact_lock(hashtextextended('cowry sweeps from the treasury ' || $1, 0))",
      [chain.name],
    )
    if (!(await lockClaimed(tx, sweep))) return 0
    const others = isAlone ? [] : await readyBeside(tx, sweep, actions.maxItems - 1)
    const taken: { sweep: Sweep; item: SweepItem }[] = []
    for (const each of [sweep, ...others]) {
      const item = await itemOf(tx, sweeping, each)
      if (item) taken.push({ sweep: each, item })
    }
    if (taken.length === 0) return 0
    const items = taken.map(({ item }) => item)
    const fitting = actions.fitting?.(items, treasury) ?? items.length
    const action = actions.action(items.slice(0, fitting), treasury, { gasPrice: null, gasLimit: null })
    await storeIntent(
      ctx,
      tx,
      taken.slice(0, fitting).map((each) => each.sweep),
      chain,
      { purpose: 'sweep', signer: 'treasury', action },
    )
    return fitting
  })
  for (let i = 0; i < count; i++) ctx.observe('sent', chain.name)
  if (count > 0) failpoint('sweeps.sent')
}

const readyBeside = (tx: Tx, { id, chain }: Sweep, max: number): Promise<Sweep[]> =>
  readSweeps(
    tx,
    `chain = $1 and id <> $2 and payer = 'treasury' and tries = 0 and status not in ('done', 'failed')
       and (status = 'ready' or status = 'authorizing' and exists (select 1 from sweep_authorizations a
         where a.chain = sweeps.chain and a.contract = sweeps.contract and a.from_address = sweeps.address and a.amount = sweeps.amount
           and a.signature is not null and a.valid_before > now() + $4 * interval '1 millisecond' and ${isUnused}))
       and not exists (select 1 from sweep_sources s where s.chain = sweeps.chain and s.address = sweeps.address and s.failures > 0)
     order by id limit $3 for update skip locked`,
    [chain, id, max, marginMs],
  )

const hasFailed = async (db: Queryable, { chain, address }: Sweep): Promise<boolean> =>
  (
    await db.query('select 1 from sweep_sources where chain = $1 and address = $2 and failures > 0', [
      chain,
      address,
    ])
  ).length > 0

/** Null for one whose authorization is over. */
async function itemOf(
  tx: Tx,
  { actions }: SweepingChain,
  { chain, address, token, amount, closes }: Sweep,
): Promise<SweepItem | null> {
  if (!token || !actions.authorizing?.needs(token))
    return { address, token, amount, authorization: null, closes }
  const authorization = await newestAuthorization(tx, { chain, address, token, amount })
  return authorization && authorization.validBefore.getTime() > Date.now() + marginMs
    ? { address, token, amount, authorization }
    : null
}
