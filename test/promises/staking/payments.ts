import type { Queryable } from '../../../src/platform/database/db.ts'
import { onStakeChange, onWithdrawalChange } from '../../../src/staking/onIntentChange.ts'
import { stepStake } from '../../../src/staking/stepStake.ts'
import { refusalOfWithdrawal, withdrawalAction } from '../../../src/staking/withdrawalPolicy.ts'
import { readIntents } from '../../../src/txmgr/intents.ts'
import { blockIdOf } from '../../support/stakeRow.ts'
import { type Dice, one, pick } from '../histories/dice.ts'
import type { Root } from './model.ts'
import { type StakingWorld, saw } from './world.ts'

type Status = 'confirmed' | 'failed' | 'broadcast'

/** The worker steps every part that is due, until no part is. */
export async function work(world: StakingWorld, { id }: Pick<Root, 'id'>): Promise<void> {
  const due = () =>
    world.database.db.query<{ id: string }>(
      'select id from stakes where root_id = $1 and next_at <= now() order by next_at, id',
      [id],
    )
  for (let rows = await due(), n = 0; rows.length > 0; rows = await due(), n++) {
    if (n > maxRounds) throw new Error(`the stakes of ${id} are due for ever`)
    for (const row of rows) await stepStake(world.ctx, row.id)
  }
}

const maxRounds = 20

/** Time passes: parts with a next step come due. Others do not. */
export async function later(world: StakingWorld, root: Pick<Root, 'id'>): Promise<void> {
  await world.database.db.query(
    'update stakes set next_at = now() where root_id = $1 and next_at is not null',
    [root.id],
  )
  await work(world, root)
}

/** The state of the transaction that staked, as the transaction manager stores it. */
export async function setStaked(
  world: StakingWorld,
  id: string,
  status: Status,
  block: number | null,
): Promise<void> {
  await world.database.db.tx(async (tx) => {
    const [before] = await readIntents(tx, 'id = $1', [id])
    await tx.query(
      `update intents set status = $2, block_height = $3, block_id = $4, tx_id = $5, reason = case when $2 = 'failed' then 'reverted' end where id = $1`,
      [id, status, block, block === null ? null : blockIdOf(block), `0x${id}`],
    )
    const [row] = await readIntents(tx, 'id = $1', [id])
    if (row && before) await onStakeChange(tx, row, before.status)
  })
}

/**
 * Signs a payment as the treasury does, and lets the chain include it, or refuse it. A refusal of the
 * treasury is an error here.
 */
export async function settlePayments(world: StakingWorld, root: Root, dice: Dice | null): Promise<void> {
  const { db } = world.database
  // The treasury refuses payments of a stake as long as the worker has not seen its block.
  if (root.blockAt !== null) await work(world, root)
  const ids = root.parts.map(({ id }) => id)
  const open = await db.query<{ id: string; stakeId: string; status: string }>(
    `select i.id, p.stake_id as "stakeId", i.status from stake_payments p join intents i on i.id = p.intent_id
     where p.stake_id = any($1::uuid[]) and i.status in ('created', 'broadcast') order by p.created_at`,
    [ids],
  )
  for (const { id, stakeId, status } of open) {
    if (status === 'created' && !(await sign(world, id, root.blockAt === null))) continue
    const outcome = dice === null ? 'confirmed' : one<Status>(dice, ['confirmed', 'failed', 'broadcast'])
    const failed = await db.query(
      `select 1 from stake_payments p join intents i on i.id = p.intent_id
       where p.stake_id = $1 and i.status = 'failed' and i.reason = 'reverted'`,
      [stakeId],
    )
    // A part is paid again once: a second failure waits for the operator.
    await setPayment(world, id, outcome === 'failed' && failed.length > 0 ? 'confirmed' : outcome)
    if (dice === null || dice() < 0.8) await work(world, root)
  }
}

/**
 * @returns false: the treasury refuses, which it may without the block of the stake alone. Hours pass, and
 * the payment may be made again
 */
async function sign({ database, own }: StakingWorld, id: string, mayRefuse: boolean): Promise<boolean> {
  return database.db.tx(async (tx) => {
    const [row] = await readIntents(tx, 'id = $1', [id])
    if (!row) throw new Error('no intent')
    const refusal = await refusalOfWithdrawal(tx, row, own)
    const action = await withdrawalAction(tx, row, own)
    if (refusal !== null && mayRefuse) {
      await tx.query(
        `update intents set status = 'failed', reason = 'policy', next_reconcile_at = null, updated_at = now() - interval '3 hours' where id = $1`,
        [id],
      )
      await onWithdrawalChange(tx, { ...row, status: 'failed' }, row.status)
      return false
    }
    if (refusal !== null) throw new Error(`the treasury refuses: ${refusal}`)
    if (action?.kind !== 'transfer' || row.action.kind !== 'transfer' || action.amount !== row.action.amount)
      throw new Error('another amount')
    await recordSigned(tx, id)
    return true
  })
}

/** The treasury has signed a payment, and the network has it. */
export async function recordSigned(db: Queryable, id: string): Promise<void> {
  const values = [id, `0x${id}`]
  await db.query(
    "insert into treasury_signatures (intent_id, chain, tx_id, nonce) values ($1, 'ethereum', $2, 0)",
    values,
  )
  await db.query(
    `insert into intent_attempts (intent_id, number, chain, nonce, terms, tx_id, signed_at, bytes, sends)
       values ($1, 0, 'ethereum', 0, '{}', $2, now(), 'x', 1)`,
    values,
  )
}

let height = 0
/** The chain's state of a payment, as the transaction manager stores it. */
export async function setPayment(world: StakingWorld, id: string, status: Status): Promise<void> {
  height += 1
  const isOver = status === 'failed'
  await world.database.db.tx(async (tx) => {
    const [before] = await readIntents(tx, 'id = $1', [id])
    await tx.query(
      `update intents set status = $2, block_height = $3, fee = 0, tx_id = $4, reason = case when $2 = 'failed' then 'reverted' end,
         next_reconcile_at = case when $5 then null else now() end where id = $1`,
      [id, status, status === 'broadcast' ? null : height, `0x${id}`, isOver],
    )
    const [row] = await readIntents(tx, 'id = $1', [id])
    if (row && before) await onWithdrawalChange(tx, row, before.status)
  })
  const failed = {
    status: 'included',
    txId: `0x${id}`,
    succeeded: false,
    reason: null,
    blockHeight: height,
    blockId: '',
    standing: 'final',
  } as const
  if (isOver) world.outcomes.set(`0x${id}`, { ...failed, fee: 0n, gasUsed: null })
  saw(world, `payment ${status}`)
}

/** A fork takes a confirmed payment back. */
export async function forkPayment(world: StakingWorld, root: Root, dice: Dice): Promise<void> {
  const ids = root.parts.map(({ id }) => id)
  const rows = await world.database.db.query<{ id: string }>(
    `select i.id from stake_payments p join intents i on i.id = p.intent_id
     where p.stake_id = any($1::uuid[]) and i.status = 'confirmed' order by i.id`,
    [ids],
  )
  const found = rows[pick(dice, rows.length)]
  if (!found) return
  await setPayment(world, found.id, 'broadcast')
  saw(world, 'fork of a payment')
}
