import type { TransferSpec } from '../chains/action.ts'
import { ProviderError } from '../chains/chain.ts'
import { ActionRefusedError } from '../chains/sending.ts'
import { treasuryAddress } from '../custody/treasuryAddress.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { withClaim } from '../platform/database/withClaim.ts'
import { messageOf, resultOr } from '../platform/errors.ts'
import { bookIntent } from '../txmgr/bookIntent.ts'
import { lockIntent, readIntents } from '../txmgr/intents.ts'
import { newestAuthorization } from './authorizations.ts'
import type { SweepingChain, SweepsContext } from './context.ts'
import { fundGas } from './fundGas.ts'
import { gasIsLow } from './gasIsLow.ts'
import { type IntentFacts, nextSweep, type SweepFacts } from './nextSweep.ts'
import { sendFromDeposit } from './sendFromDeposit.ts'
import { sendFromTreasury } from './sendFromTreasury.ts'
import { storeStatus } from './storeStatus.ts'
import { readSweeps, type Sweep } from './sweepRow.ts'

/** Longer than a step takes; then another worker takes over from one that died. */
const leaseMs = 30_000

/**
 * Takes a sweep one step further: works out its state, and stores what that requires. Safe to repeat and to
 * run concurrently.
 */
export async function stepSweep(ctx: SweepsContext, id: string): Promise<void> {
  await withClaim(ctx.db, { table: 'sweeps', at: 'next_at', key: { id }, leaseMs }, async () => {
    const [sweep] = await readSweeps(ctx.db, 'id = $1', [id])
    const sweeping = sweep && (await ctx.sweeping(sweep.chain))
    if (!sweeping) return
    try {
      await step(ctx, sweeping, sweep)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      ctx.log.warn(
        { sweep: id, chain: sweep.chain, err: messageOf(error) },
        'the chain does not answer; the sweep goes on later',
      )
    }
  })
}

async function step(ctx: SweepsContext, sweeping: SweepingChain, sweep: Sweep): Promise<void> {
  const treasury = await treasuryAddress(ctx.db, sweeping.chain.family)
  if (treasury === null) return
  const lacking = await lackingGas(sweeping, sweep, treasury, await gasOf(ctx.db, sweep))
  if (typeof lacking === 'string')
    return storeStatus(ctx, sweeping, sweep, {
      status: 'failed',
      act: 'wait',
      tries: sweep.tries,
      reason: lacking,
    })
  const needsAuthorization =
    sweep.payer === 'treasury' &&
    sweep.token !== null &&
    (sweeping.actions.authorizing?.needs(sweep.token) ?? false)
  const facts = await factsOf(ctx.db, sweeping, sweep, needsAuthorization, lacking <= 0n)
  const next = nextSweep({ ...sweep, needsAuthorization }, facts)
  const pays = next.act === 'fund' || (next.act === 'send' && sweep.payer === 'treasury')
  if (pays && (await gasIsLow(ctx, sweeping, treasury))) return
  if (next.act === 'fund') return fundGas(ctx, sweeping, sweep, treasury, lacking)
  if (next.act === 'send')
    return sweep.payer === 'deposit'
      ? sendFromDeposit(ctx, sweeping, sweep, treasury)
      : sendFromTreasury(ctx, sweeping, sweep, treasury)
  // A fork may have moved a transaction to another block, at another price.
  if (next.status === 'done') await bookAgain(ctx.db, sweep)
  await storeStatus(ctx, sweeping, sweep, next)
}

async function bookAgain(db: Db, { id }: Sweep): Promise<void> {
  const intents = await db.query<{ id: string }>(
    'select intent_id as id from sweep_intents where sweep_id = $1',
    [id],
  )
  for (const each of intents)
    await db.tx(async (tx) => {
      const row = await lockIntent(tx, each.id)
      if (row) await bookIntent(tx, row, null)
    })
}

/**
 * Native coin that a token's address lacks for the fee of its sweep. Read only where it decides something.
 * @returns a text: why the chain would refuse the transfer
 */
async function lackingGas(
  { sender }: SweepingChain,
  { status, payer, token, amount, address }: Sweep,
  treasury: string,
  gas: IntentFacts | null,
): Promise<bigint | string> {
  const decides = status === 'planned' || (status === 'funding' && gas?.status === 'confirmed')
  if (payer !== 'deposit' || token === null || !decides) return 0n
  const transfer: TransferSpec = {
    kind: 'transfer',
    from: address,
    to: treasury,
    token,
    amount,
    memo: null,
    gasPrice: null,
    gasLimit: null,
  }
  const plan = await resultOr(ActionRefusedError, sender.plan(transfer))
  if (plan instanceof ActionRefusedError) return plan.reason
  if (plan.shortages.some(({ kind }) => kind === 'token')) return 'insufficient_balance'
  return plan.shortages.reduce((sum, { required, available }) => sum + required - available, 0n)
}

async function factsOf(
  db: Queryable,
  { reader }: SweepingChain,
  sweep: Sweep,
  needsAuthorization: boolean,
  hasGas: boolean,
): Promise<SweepFacts> {
  const { id, intentId, token } = sweep
  const intents = await readIntents(
    db,
    "purpose = 'sweep' and id in (select intent_id from sweep_intents where sweep_id = $1)",
    [id],
  )
  const facts = (found: (typeof intents)[number] | undefined): IntentFacts | null => found ?? null
  const authorization =
    needsAuthorization && token ? await newestAuthorization(db, { ...sweep, token }) : null
  const intent = facts(intents.find((each) => each.id === intentId))
  const asks =
    intent?.settled && intent.status !== 'confirmed' && authorization && token && reader.authorizationState
  return {
    gas: await gasOf(db, sweep),
    intent,
    authorization: asks ? await asks(token, sweep.address, authorization.nonce) : 'unused',
    earlier: facts(intents.find((each) => each.id !== intentId && each.status === 'confirmed')),
    isAuthorized: authorization !== null && authorization.validBefore.getTime() > Date.now() + marginMs,
    hasGas,
  }
}

/** A transaction may wait for a block. */
const marginMs = 600_000

const gasOf = async (db: Queryable, { gasIntentId }: Sweep): Promise<IntentFacts | null> =>
  gasIntentId === null ? null : ((await readIntents(db, 'id = $1', [gasIntentId]))[0] ?? null)
