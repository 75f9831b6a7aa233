import { knownChain } from '../chains/registry.ts'
import { formatUnits } from '../money/amount.ts'
import type { Queryable } from '../platform/database/db.ts'
import { type Arrived, presentArrived } from '../txmgr/fees/tokenKept.ts'
import type { Intent } from '../txmgr/intents.ts'
import { readIntents } from '../txmgr/intents.ts'
import type { Outflow } from './outflow.ts'

/** What an outflow's transaction shows. */
export interface OutflowIntent {
  /** In the chain's form; null until it is signed. */
  txHash: string | null
  /** What the network took, in whole native coins; null until that is known. */
  networkCost: { amount: string; token: string } | null
  arrived: Arrived | null
}

/**
 * Transactions of outflows that go to wallets, by the outflow's id; leaves out those without. The caller has
 * read the outflows as their owner.
 */
export async function readOutflowIntents(
  db: Queryable,
  outflows: readonly Pick<Outflow, 'id' | 'intentId'>[],
): Promise<Map<string, OutflowIntent>> {
  const ids = outflows.flatMap(({ intentId }) => (intentId === null ? [] : [intentId]))
  if (ids.length === 0) return new Map()
  const rows = await readIntents(db, "id = any($1::uuid[]) and purpose = 'payout'", [ids])
  const found = new Map(
    rows.map((row) => [row.id, { txHash: row.txId, networkCost: costOf(row), arrived: presentArrived(row) }]),
  )
  return new Map(
    outflows.flatMap(({ id, intentId }) => {
      const intent = intentId === null ? undefined : found.get(intentId)
      return intent ? [[id, intent]] : []
    }),
  )
}

function costOf({ chain, fee }: Intent): OutflowIntent['networkCost'] {
  const native = knownChain(chain)?.native
  return fee === null || !native ? null : { amount: formatUnits(fee, native.decimals), token: native.symbol }
}
