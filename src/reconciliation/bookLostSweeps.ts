import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { platformAccount } from '../ledger/account.ts'
import { type Posting, summed, tokenAsset } from '../ledger/entry.ts'
import { post } from '../ledger/post.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { isRestored } from '../txmgr/restored.ts'
import type { CheckedChain } from './expected.ts'
import { lockChecks } from './lockChecks.ts'
import type { LostSweeps, Movement } from './lostSweeps.ts'

type Lost = Pick<LostSweeps, 'movements' | 'maxCost'>

/**
 * Books what sweeps have moved whose rows a restore has lost, and ends the sweeps that had planned the same.
 * @param checkId of the check that found it
 * @param cost native coin that the networks took, as the operator states it; on Solana negative where
 *   the rent of closed accounts is more
 * @throws ApiError 409 `not_restored`, `check_not_newest`; 422 `network_costs_too_high`
 */
export async function bookLostSweeps(
  { db, actor }: { db: Db; actor: Actor },
  chain: CheckedChain,
  checkId: string,
  { movements, maxCost }: Lost,
  cost: bigint,
): Promise<void> {
  const minCost = chain.family === 'solana' ? -maxCost : 0n
  if (cost > maxCost || cost < minCost)
    throw new ApiError(
      422,
      'network_costs_too_high',
      `the fees of these sweeps are between ${minCost} and ${maxCost} base units of ${chain.native.symbol}`,
    )
  await db.tx(async (tx) => {
    await requireNewest(tx, chain.name, checkId)
    if (!(await isRestored(tx)))
      throw new ApiError(
        409,
        'not_restored',
        'only a restored database has lost sweeps; npm run cowry -- custody after-restore declares one that is not noticed',
      )
    await tx.query(
      `insert into recovered_movements (check_id, chain, address, symbol, amount)
       select $1, $2, address, symbol, amount from unnest($3::text[], $4::text[], $5::numeric[]) as m(address, symbol, amount)`,
      [checkId, chain.name, ...columnsOf(movements)],
    )
    // Their money has left already: sent later, they would be booked again.
    await tx.query(
      `update sweeps s set status = 'failed', reason = 'recovered', next_at = null, updated_at = now()
       from unnest($2::text[], $3::text[]) as m(address, symbol)
       where s.chain = $1 and s.address = m.address and s.token = m.symbol and s.status not in ('done', 'failed')`,
      [chain.name, ...columnsOf(movements).slice(0, 2)],
    )
    const postings = postingsOf(chain, movements, cost)
    await post(tx, [
      {
        kind: 'sweep.recovered',
        businessId: null,
        cause: { kind: 'chain_check', id: checkId },
        step: 1,
        postings,
      },
    ])
    const after = {
      chain: chain.name,
      check: checkId,
      movements: movements.length,
      networkCosts: String(cost),
    }
    await recordAudit(tx, actor, { businessId: null, action: 'sweeps.recovered', target: null, after })
  })
}

const columnsOf = (movements: readonly Movement[]) => [
  movements.map(({ address }) => address),
  movements.map(({ symbol }) => symbol),
  movements.map(({ amount }) => String(amount)),
]

/** A check of before another one was booked would book the same again. */
async function requireNewest(tx: Tx, chain: string, checkId: string): Promise<void> {
  await lockChecks(tx, chain)
  const [newest] = await tx.query<{ id: string; isBooked: boolean }>(
    `select id, exists (select 1 from recovered_movements where check_id = c.id) as "isBooked" from chain_checks c where chain = $1 order by id desc limit 1`,
    [chain],
  )
  if (newest?.id !== checkId || newest.isBooked)
    throw new ApiError(
      409,
      'check_not_newest',
      `${chain} was compared again meanwhile: run the command again`,
    )
}

function postingsOf({ name, native }: CheckedChain, movements: readonly Movement[], cost: bigint): Posting[] {
  const [deposits, treasury] = [`deposits:${name}`, `treasury:${name}`] as const
  const coin = tokenAsset(name, native.symbol)
  const moved = movements.flatMap(({ symbol, amount }) => [
    { account: platformAccount(deposits, tokenAsset(name, symbol)), amount },
    { account: platformAccount(treasury, tokenAsset(name, symbol)), amount: -amount },
  ])
  return summed([
    ...moved,
    { account: platformAccount('network_costs', coin), amount: cost },
    { account: platformAccount(treasury, coin), amount: -cost },
  ])
}
