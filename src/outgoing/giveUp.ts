import type { Tx } from '../platform/db.ts'
import { failOutgoing } from './failOutgoing.ts'
import { isSuspended } from './hold.ts'
import { lockOutgoing, type OnChange, type Outgoing, type Purpose, readTransactions, voidTransactions } from './outgoing.ts'
import { isRestored } from './restored.ts'

/**
 * Ends an intent of a stored wallet by the operator's word: one that nothing is signed for, which may have left before a restore, and of
 * which nobody else can know; or one that is held, of which nothing was sent. Its business is told that it has failed.
 * @returns what it was; or why it was left as it is, in words
 */
export async function giveUp(tx: Tx, onChange: Record<Purpose, OnChange>, id: string): Promise<{ refused: string } | Outgoing> {
  const row = await lockOutgoing(tx, id)
  if (!row) return { refused: 'there is no such row' }
  if (row.signer !== 'wallet') return { refused: `it is of ${row.signer}, not of a stored wallet` }
  // While it is suspended nothing more is counted as sent, so what is read from here on stays true.
  const suspended = await isSuspended(tx, row.businessId)
  const live = (await readTransactions(tx, id)).filter((each) => !each.isVoid)
  const isUnsigned = row.status === 'created' && live.every((each) => each.sent === null)
  const isUnsent = suspended && row.status === 'signed' && live.every((each) => each.sends === 0)
  if (!isUnsigned && !isUnsent) return { refused: `it is ${row.status}: it may still come by itself` }
  await voidTransactions(
    tx,
    id,
    live.map((each) => each.number),
    'given up by the operator',
  )
  await tx.query('delete from outgoing_sequences where outgoing_id = $1', [id])
  await tx.query(
    `update outgoing set tx_id = null where id = $1 and not exists (
       select 1 from outgoing_transactions t where t.outgoing_id = $1 and t.tx_id = outgoing.tx_id and t.sends > 0)`,
    [id],
  )
  await failOutgoing({ onChange }, tx, row, 'given_up', suspended && !(await isRestored(tx)) ? whileHeld : afterRestore)
  await planAgainBehind(tx, row)
  return row
}

const whileHeld = 'The operator has suspended the business and given the transfer up: nothing of it was sent'
const afterRestore = 'The operator has given it up after the database was restored: it may have been sent before, so look at the address'

/** What waits at the same address for the treasury is planned again, lest it waits for a sequence that nothing has. */
async function planAgainBehind(tx: Tx, { id, chain, intent }: Outgoing): Promise<void> {
  const behind = await tx.query<{ id: string }>(
    "select id from outgoing where chain = $1 and from_address = $2 and id <> $3 and status = 'created' and next_look_at is not null order by id for update",
    [chain, intent.from, id],
  )
  for (const { id: each } of behind) {
    const unsigned = (await readTransactions(tx, each)).filter(({ isVoid, sent, sequence }) => !isVoid && sent === null && sequence !== null)
    const numbers = unsigned.map(({ number }) => number)
    await voidTransactions(tx, each, numbers, 'what had the sequence before it was given up')
  }
}
