import type { Queryable, Tx } from '../platform/database/db.ts'
import { readAttempts } from '../txmgr/attempts.ts'
import type { Intent } from '../txmgr/intents.ts'
import type { StakingContext } from './context.ts'
import { confirmationMessage, type ProvenConfirmation } from './stakeProof.ts'

/** The block of a transaction that staked. */
export interface Confirmation extends ProvenConfirmation {
  time: Date
}

/**
 * Reads from the chain a transaction that its row reports as confirmed: no row alone makes a stake. The block
 * of the time is the one that providers agree on.
 * @returns null: they differ from the row, or have not read the block yet
 * @throws ProviderError
 */
export async function confirmationOf(
  ctx: Pick<StakingContext, 'db' | 'sender' | 'reader'>,
  { id, chain, action, blockHeight }: Intent,
): Promise<Confirmation | null> {
  const sent = (await readAttempts(ctx.db, id)).flatMap((each) => (each.sent ? [each.sent] : []))
  const outcome = await (await ctx.sender(chain)).outcome(action.from, sent)
  if (
    outcome.status !== 'included' ||
    !outcome.succeeded ||
    outcome.standing === 'seen' ||
    outcome.blockHeight !== blockHeight
  )
    return null
  const header = await (await ctx.reader(chain)).header(outcome.blockHeight)
  if (header?.id !== outcome.blockId) return null
  const { txId, blockId } = outcome
  return { rootId: id, chain, txId, blockHeight: outcome.blockHeight, blockId, time: header.time }
}

/** Checks if a confirmation is stored of the block that the row of the transaction names. */
export async function isConfirmationStored(db: Queryable, rootId: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from stake_confirmations c join intents i on i.id = c.root_id
     where c.root_id = $1 and i.tx_id = c.tx_id and i.block_height = c.block_height and i.block_id = c.block_id`,
    [rootId],
  )
  return rows.length > 0
}

export async function storeConfirmation(
  tx: Tx,
  { prover }: Pick<StakingContext, 'prover'>,
  confirmation: Confirmation,
): Promise<void> {
  const { rootId, txId, blockHeight, blockId } = confirmation
  await tx.query(
    `insert into stake_confirmations (root_id, tx_id, block_height, block_id, proof) values ($1, $2, $3, $4, $5)
     on conflict (root_id) do update set tx_id = $2, block_height = $3, block_id = $4, proof = $5, created_at = now()`,
    [rootId, txId, blockHeight, blockId, prover.prove(confirmationMessage(confirmation))],
  )
}
