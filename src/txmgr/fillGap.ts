import { type ActionPlan, ActionRefusedError } from '../chains/sending.ts'
import { formatUnits } from '../money/amount.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { resultOr } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { firstIdAt } from '../platform/ids.ts'
import { insertRequest } from './attempts.ts'
import { claimExactly, NonceTakenError } from './claimNonce.ts'
import type { SendingChain, TxManagerContext } from './context.ts'
import { feeLimits } from './fees/feeLimits.ts'
import { isHeld } from './hold.ts'
import { type Intent, insertIntent, lockIntent, purposeOf } from './intents.ts'
import { noopOf } from './noop.ts'

export type FillContext = Pick<
  TxManagerContext,
  'db' | 'log' | 'purposes' | 'prover' | 'environment' | 'observe'
>

/** One no-op for a nonce in this time: the treasury or the network may refuse each. */
const everyMs = 600_000

/**
 * Fills a nonce that no transaction has, below one that waits: an earlier transfer was refused at its first
 * send, and the next from the address, which would get its nonce, may never come. Stores a no-op with exactly
 * this nonce; bytes that were sent keep theirs. Without the key it only warns: the next transfer of the key
 * fills the gap.
 * @param row waits behind the nonce; or had it, and failed without a block
 */
export async function fillGap(
  ctx: FillContext,
  sending: SendingChain,
  row: Intent,
  missing: bigint,
): Promise<void> {
  const { chain, builder, sender } = sending
  const unfilled = (why: string) => {
    ctx.observe('gap', row.chain)
    const about = { intent: row.id, chain: row.chain, from: row.action.from, missing: String(missing) }
    ctx.log.warn(about, `an intent waits for a nonce that no transaction has: ${why}`)
  }
  if (!purposeOf(ctx, 'noop')?.signers.includes(row.signer))
    return unfilled('its key is not stored; the next transfer from its address gets the nonce')
  if (await isOwned(ctx.db, row, missing)) return
  if (await wasFilled(ctx.db, row, missing))
    return unfilled('a transaction that fills it was made a short time ago')
  const plan = await resultOr(ActionRefusedError, sender.plan(noopOf(row.action.from)))
  if (plan instanceof ActionRefusedError) return unfilled(plan.message)
  const [short] = plan.shortages
  const show = (amount: bigint) => `${formatUnits(amount, chain.native.decimals)} ${chain.native.symbol}`
  if (short)
    return unfilled(
      `the balance is low: filling it takes ${show(short.required)}, ${show(short.available)} is there`,
    )
  if (builder.maxFee(plan.terms) > (await feeLimits(ctx.db, chain)).ceiling)
    return unfilled(`filling it takes ${show(builder.maxFee(plan.terms))}, more than the limit`)
  const filled = await resultOr(
    NonceTakenError,
    ctx.db.tx((tx) => store(ctx, tx, row, missing, plan)),
  )
  // False or an error: it is held, or a transfer took the nonce meanwhile.
  if (filled !== true) return
  ctx.observe('filled', row.chain)
  ctx.log.warn(
    { intent: row.id, chain: row.chain, from: row.action.from, nonce: String(missing) },
    'a no-op fills a nonce that no transaction has',
  )
  failpoint('txmgr.filled')
}

/** @throws NonceTakenError */
async function store(
  ctx: FillContext,
  tx: Tx,
  row: Intent,
  nonce: bigint,
  { terms }: ActionPlan,
): Promise<boolean> {
  const now = await lockIntent(tx, row.id)
  if (now?.reconciles !== row.reconciles || (await isHeld(ctx, tx, row))) return false
  const { businessId, chain, signer, walletId, action } = row
  const wanted = {
    businessId,
    purpose: 'noop',
    chain,
    signer,
    walletId,
    symbol: null,
    decimals: null,
  } as const
  const noop = await insertIntent(ctx, tx, { ...wanted, action: noopOf(action.from) }, 0, ctx.prover)
  await claimExactly(tx, { chain, address: action.from, intentId: noop.id }, nonce)
  await insertRequest(tx, noop, { nonce, terms }, ctx.prover)
  return true
}

const isOwned = async (db: Queryable, { chain, action }: Intent, nonce: bigint): Promise<boolean> =>
  (
    await db.query('select 1 from intent_nonces where chain = $1 and address = $2 and nonce = $3', [
      chain,
      action.from,
      nonce.toString(),
    ])
  ).length > 0

/** Reads the newest intents of the business, or of the platform, alone: the oldest may be millions. */
const wasFilled = async (
  db: Queryable,
  { businessId, chain, action }: Intent,
  nonce: bigint,
): Promise<boolean> =>
  (
    await db.query(
      `select 1 from intents o join intent_attempts t on t.intent_id = o.id
       where ${businessId === null ? 'o.business_id is null' : 'o.business_id = $5'} and o.id >= $1 and o.purpose = 'noop' and o.chain = $2
         and o.from_address = $3 and t.nonce = $4 limit 1`,
      [
        firstIdAt(Date.now() - everyMs),
        chain,
        action.from,
        nonce.toString(),
        ...(businessId === null ? [] : [businessId]),
      ],
    )
  ).length > 0
