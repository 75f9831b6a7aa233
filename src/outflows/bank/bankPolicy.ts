import type { Tx } from '../../platform/database/db.ts'
import type { Outflow } from '../outflow.ts'
import {
  type Proofs,
  readDestination,
  refusalOfDestination,
  refusalOfUnapproved,
  refusalOfUnproven,
  refusalOfUnreserved,
} from '../outflowPolicy.ts'

/**
 * The worker's policy of payouts to banks, which no treasury signs: the row is proven by its maker, goes to
 * the account that the API has proven, and takes money that is held for it.
 * @returns why it is not submitted; null if it may be
 */
export async function refusalOfBankOutflow(tx: Tx, outflow: Outflow, proofs: Proofs): Promise<string | null> {
  const { kind, bank } = outflow
  if (kind !== 'payout') return `a ${kind} goes to no bank`
  return (
    (await refusalOfUnproven(tx, outflow, proofs)) ??
    (await refusalOfDestination(
      tx,
      await readDestination(tx, outflow),
      proofs,
      ({ kind: to, networkId, currency }) =>
        to === 'bank' && networkId === bank?.networkId && currency === bank?.currency,
      false,
    )) ??
    (await refusalOfUnapproved(tx, outflow, proofs, false)) ??
    (await refusalOfUnreserved(tx, outflow, false))
  )
}
