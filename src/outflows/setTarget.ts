import type { Tx } from '../platform/database/db.ts'
import { type Outflow, readOutflows, type WalletTarget } from './outflow.ts'
import { outflowMessage } from './outflowProof.ts'
import type { OutflowMaker } from './storeOutflow.ts'

/**
 * Names where an outflow goes that was stored without a target, with a new proof over it. The caller has
 * locked the row, and moves it on in the same transaction.
 * @throws Error for an outflow that has a target, or waits for no claim
 */
export async function setTarget(
  { madeBy, prover }: OutflowMaker,
  tx: Tx,
  outflow: Outflow,
  wallet: WalletTarget,
): Promise<Outflow> {
  const { address, memo } = wallet
  await tx.query(
    `update outflows set to_chain = $2, to_token = $3, to_address = $4, to_memo = $5, to_memo_type = $6, to_amount = $7, made_by = $8, proof = $9
     where id = $1 and status = 'awaiting_claim' and to_address is null and partner is null`,
    [
      outflow.id,
      wallet.chain,
      wallet.token,
      address,
      memo?.value,
      memo?.type,
      String(wallet.amount),
      madeBy,
      prover.prove(outflowMessage({ ...outflow, wallet })),
    ],
  )
  const [named] = await readOutflows(tx, 'id = $1', [outflow.id])
  if (named?.wallet?.address !== address) throw new Error(`outflow ${outflow.id} waits for no address`)
  return named
}
