import { recordEvents } from '../events/recordEvents.ts'
import type { Tx } from '../platform/database/db.ts'
import { readIntents } from '../txmgr/intents.ts'
import { presentStake, type StakingTransaction } from './presentStake.ts'
import { readStakes, type Stake } from './storedStake.ts'
import { withdrawalTxHashes } from './withdrawalTxHashes.ts'

type StakeEvent = 'stake.active' | 'stake.unstaking' | 'stake.withdrawn'

/** The transaction that staked. @throws Error without one */
export async function transactionOf(
  tx: Pick<Tx, 'query'>,
  { rootId, businessId }: Pick<Stake, 'rootId' | 'businessId'>,
): Promise<StakingTransaction> {
  const [intent] = await readIntents(tx, 'id = $1 and business_id = $2', [rootId, businessId])
  if (!intent) throw new Error(`stake ${rootId} has no transaction`)
  return intent
}

/** Publishes the present state of a stake. */
export async function recordStakeEvent(tx: Tx, id: string, type: StakeEvent): Promise<void> {
  const [stake] = await readStakes(tx, 'id = $1', [id])
  if (!stake) return
  const withdrawals = await withdrawalTxHashes(tx, [stake])
  const view = presentStake(stake, await transactionOf(tx, stake), withdrawals.get(id))
  const about = {
    chain: view.chain,
    address: view.fromAddress,
    symbol: view.token,
    amount: view.amount,
    txId: view.txHash,
  }
  recordEvents(tx, stake.businessId, [{ type, data: view, about }])
}
