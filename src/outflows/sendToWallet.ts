import type { TransferSpec } from '../chains/action.ts'
import { type Asset, assetsOf, type ConfiguredChain } from '../chains/registry.ts'
import { treasuryAddress } from '../custody/treasuryAddress.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import { insertIntent } from '../txmgr/intents.ts'
import type { OutflowsContext } from './context.ts'
import { lockAsset } from './dailyLimit.ts'
import { deferOutflow, type UnsentReason } from './deferOutflow.ts'
import { moveOutflow } from './moveOutflow.ts'
import { lockClaimed, type Outflow, type WalletTarget } from './outflow.ts'
import { outflowStop } from './outflowGate.ts'
import type { Stop } from './stop.ts'
import { stopOutflow } from './stopOutflow.ts'
import { fundsWait, openIntents, type ReadFunds, readFunds } from './treasuryFunds.ts'

/** A change of its intent takes an outflow further at once, so a rare poll is enough. */
export const followMs = 15_000

interface Sending {
  chain: ConfiguredChain
  asset: Asset
  treasury: string
}

/**
 * Stores an intent that sends a pending outflow to its wallet, if nothing keeps it from leaving now; or that
 * it waits.
 */
export async function sendToWallet(ctx: OutflowsContext, outflow: Outflow): Promise<void> {
  const { wallet } = outflow
  if (wallet === null) throw new Error(`outflow ${outflow.id} goes to no wallet`)
  const sending = await sendingOf(ctx, wallet)
  if (sending === null) return deferOutflow(ctx, outflow, 'chain_unavailable')
  if (await isUnprovenDestination(ctx.db, outflow))
    return stopOutflow(ctx, outflow, {
      reason: 'destination_unproven',
      nextInMs: 0,
      ends: 'destination_unproven',
    })
  const { chain, asset, treasury } = sending
  const open = await openIntents(ctx.db, chain.name, asset)
  const funds = { ...(await readFunds(ctx, sending, treasury)), open }
  const result = await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, outflow)
    return now?.status === 'pending' ? store(ctx, tx, now, sending, wallet, funds) : 'changed'
  })
  if (result === 'changed') return
  if (typeof result === 'object') return stopOutflow(ctx, outflow, result)
  if (result !== 'sent') return deferOutflow(ctx, outflow, result)
  ctx.observe('sent', outflow.kind)
  failpoint('payouts.intent-stored')
}

async function sendingOf(
  { db, chains }: OutflowsContext,
  { chain: name, token }: WalletTarget,
): Promise<Sending | null> {
  const chain = chains.find((each) => each.name === name)
  const asset = chain && assetsOf(chain).find(({ symbol }) => symbol === token)
  const treasury = chain ? await treasuryAddress(db, chain.family) : null
  return chain && asset && treasury !== null ? { chain, asset, treasury } : null
}

async function store(
  ctx: OutflowsContext,
  tx: Tx,
  now: Outflow,
  { chain, asset, treasury }: Sending,
  wallet: WalletTarget,
  funds: ReadFunds,
): Promise<'sent' | UnsentReason | Stop> {
  const stop = await outflowStop(ctx, tx, now)
  if (stop !== null) return stop
  await lockAsset(tx, chain.name, asset)
  const why = await fundsWait(tx, chain, asset, wallet.amount, funds)
  if (why !== null) return why
  const { symbol, contract, decimals } = asset
  const action: TransferSpec = {
    kind: 'transfer',
    from: treasury,
    to: wallet.address,
    token: contract === null ? null : { contract, symbol, decimals },
    amount: wallet.amount,
    memo: wallet.memo,
    gasPrice: null,
    gasLimit: null,
  }
  const wanted = {
    businessId: null,
    purpose: 'payout',
    chain: chain.name,
    signer: 'treasury',
    walletId: null,
    action,
    symbol,
    decimals,
  } as const
  const intent = await insertIntent(ctx, tx, wanted, 0, ctx.maker.prover)
  await moveOutflow(ctx, tx, now, {
    status: 'processing',
    intentId: intent.id,
    nextInMs: ctx.pollMs ?? followMs,
  })
  return 'sent'
}

/** One that an earlier version saved: the treasury would refuse to pay to it. */
const isUnprovenDestination = async (db: Queryable, { destinationId }: Outflow): Promise<boolean> =>
  destinationId !== null &&
  (await db.query('select 1 from payout_destinations where id = $1 and proof is null', [destinationId]))
    .length > 0
