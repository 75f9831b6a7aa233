import type { TransferSpec } from '../../../src/chains/action.ts'
import type { Prover } from '../../../src/custody/proof.ts'
import { destinationMessage } from '../../../src/destinations/destinationProof.ts'
import { type Outflow, readOutflows } from '../../../src/outflows/outflow.ts'
import { outflowMessage } from '../../../src/outflows/outflowProof.ts'
import type { NewIntent } from '../../../src/txmgr/intents.ts'
import type { Check } from '../../../src/txmgr/signingPolicy.ts'
import { provers } from '../../support/intentKeys.ts'
import { paying, sql } from './forging.ts'

export interface Forgery {
  what: string
  forge: () => Promise<{ wanted: NewIntent; outflow: Outflow }>
  /** Each stops it alone; with all of them off it is signed. */
  checks: Check[]
  why: RegExp
}

/**
 * Changes columns, as only the owner of the database can, and proves the row again where the worker's key is
 * stolen, too.
 */
export async function change(
  outflow: Outflow,
  sets: string,
  values: unknown[] = [],
  prover: Prover | null = null,
): Promise<Outflow> {
  await sql(`update outflows set ${sets} where id = $1`, [outflow.id, ...values])
  const [now] = await readOutflows({ query: sql }, 'id = $1', [outflow.id])
  if (!now) throw new Error('no outflow')
  if (prover)
    await sql('update outflows set proof = $2 where id = $1', [now.id, prover.prove(outflowMessage(now))])
  return now
}

export const asWorker = (outflow: Outflow, sets: string, values: unknown[] = []) =>
  change(outflow, `made_by = 'worker', ${sets}`, values, provers.worker)

/** The destination of an outflow, changed, and proven again by another key. */
export async function changeDestination(
  { destinationId }: Outflow,
  sets: string,
  values: unknown[] = [],
  prover: Prover | null = null,
): Promise<void> {
  const [row] = await sql<Parameters<typeof destinationMessage>[0]>(
    `update payout_destinations set ${sets} where id = $1 returning id, business_id as "businessId", kind, network_id as "networkId", currency, chain,
       address, memo, memo_type as "memoType", usable_from as "usableFrom"`,
    [destinationId, ...values],
  )
  if (row && prover)
    await sql('update payout_destinations set proof = $2 where id = $1', [
      row.id,
      prover.prove(destinationMessage(row)),
    ])
}

/** An outflow after a change, with the intent that it then requests. */
export const forged = async (make: () => Promise<Outflow>, forge: (outflow: Outflow) => Promise<unknown>) => {
  const outflow = await make()
  await forge(outflow)
  const [changed] = await readOutflows({ query: sql }, 'id = $1', [outflow.id])
  if (!changed) throw new Error('no outflow')
  return { outflow: changed, wanted: paying(changed) }
}

export const otherIntent = async (make: () => Promise<Outflow>, intent: Partial<TransferSpec>) => {
  const outflow = await make()
  return { outflow, wanted: paying(outflow, intent) }
}
