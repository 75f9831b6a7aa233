import type { OutflowChange } from '../moveOutflow.ts'
import type { Outflow } from '../outflow.ts'
import { priceMessage } from '../outflowProof.ts'
import type { OutflowMaker } from '../storeOutflow.ts'
import type { Priced } from './priceForBank.ts'

/** A price of a bank payout as a change of its row, with the proof of this process. */
export function provePrice(
  { madeBy, prover }: OutflowMaker,
  { id, bank }: Outflow,
  priced: Priced,
): NonNullable<OutflowChange['priced']> {
  if (!bank) throw new Error(`outflow ${id} has no bank account`)
  return {
    ...priced,
    by: madeBy,
    proof: prover.prove(priceMessage({ id, currency: bank.currency, ...priced })),
  }
}
