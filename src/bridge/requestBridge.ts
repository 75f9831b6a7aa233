import { requestApproval } from '../approvals/requestApproval.ts'
import type { CallsSpec } from '../chains/action.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { dayAgo, newId } from '../platform/ids.ts'
import { requireWithinLimits } from '../spendingLimits/requireWithin.ts'
import { requireAffordable, requireSensibleFee } from '../transfers/planTransfer.ts'
import type { TxManagerContext } from '../txmgr/context.ts'
import { insertIntent, type RequestedBy } from '../txmgr/intents.ts'
import { requireNotPaused } from '../txmgr/pause.ts'
import { noteSender } from '../wallets/checkSoon.ts'
import { walletArchived } from '../wallets/getWallet.ts'
import { type Wallet, walletModel } from '../wallets/model.ts'
import { bridgeMessage } from './bridgeProof.ts'
import type { BridgeRequest } from './bridgeRow.ts'
import { callsOf, mintRecipientOf } from './burnOf.ts'
import { peekEventAccount, takeEventAccount } from './eventAccounts.ts'
import { forwardHook } from './forwardHook.ts'
import { type BridgeView, presentBridge } from './presentBridge.ts'
import { planBridge, type QuoteContext, quoteBridge } from './quoteBridge.ts'
import type { WantedBridge } from './readBridgeRequest.ts'
import type { BridgeLimits } from './settings.ts'
import { storeBridge } from './storeBridge.ts'

export interface BridgingContext extends Omit<QuoteContext, 'txmgr'> {
  db: ModelDb
  txmgr: TxManagerContext
  bridgeLimits: BridgeLimits
}

export interface Requester extends RequestedBy {
  businessId: string
  keyRootId: string | null
}

/**
 * Stores a bridge transfer of a stored wallet: the treasury signs its allowance and its burn, workers follow
 * it to the mint.
 * @param also runs in the transaction that stores it
 * @throws ApiError 403 `limit_exceeded`; 404 if the address is not a stored wallet; 409 `wallet_archived`;
 * 422 as
 *   `quoteBridge`, or with the reason why the burn could not be made now; 429 `too_many_relays`; 503
 */
export async function requestBridge(
  ctx: BridgingContext,
  wanted: WantedBridge,
  requester: Requester,
  also: (tx: ModelTx, result: BridgeView) => Promise<void>,
): Promise<BridgeView> {
  const { source, amount } = wanted
  const { businessId } = requester
  const wallet = await findSource(ctx.db, businessId, wanted)
  if (wallet.archivedAt !== null) throw walletArchived()
  await requireNotPaused(ctx.db, source.chain.name)
  const { maxFee } = await quoteBridge(ctx, wanted)
  const planned = source.actions.opensEventAccount ? await peekEventAccount(ctx.db) : null
  const draft = { ...requestOf(wanted, wallet, maxFee), eventAccount: planned, needsApproval: false }
  // Only for an early answer: both are planned again before they are signed.
  const plan = await planBridge(ctx, source.chain.name, callsOf(source.actions, draft, source.token))
  requireAffordable(plan)
  await requireSensibleFee(ctx, source.chain, { fee: { ...plan.fee, max: plan.fee.max / 5n } })
  const view = await ctx.db.tx(async (tx) => {
    const { transaction } = tx
    const where = { id: wallet.id, businessId }
    const now = await walletModel(ctx.db.sequelize).findOne({
      where,
      transaction,
      lock: transaction.LOCK.SHARE,
    })
    if (!now || now.archivedAt !== null) throw walletArchived()
    const { approval: needsApproval } = await requireWithinLimits(tx, {
      chain: source.chain.name,
      token: 'usdc',
      symbol: source.token.symbol,
      decimals: source.token.decimals,
      amount,
      to: wanted.destinationAddress,
      toChain: wanted.destination.chain.name,
      memo: null,
      contract: source.token.contract,
      walletId: wallet.id,
      keyRootId: requester.keyRootId,
      fields: { toAddress: 'destinationAddress' },
    })
    await requireFewRelays(tx, businessId, wanted.destination.chain.name, ctx.bridgeLimits)
    const eventAccount = planned === null ? null : await takeEventAccount(tx)
    const request = { ...draft, eventAccount, needsApproval }
    if (needsApproval)
      await requestApproval(tx, { ...requester, businessId, subject: 'bridge-burn', subjectId: request.id })
    await storeIntents(ctx, tx, wanted, request, requester)
    const row = await storeBridge(
      tx,
      { ...request, proof: ctx.txmgr.prover.prove(bridgeMessage(request)) },
      requester,
    )
    await noteSender(tx, { walletId: wallet.id, businessId, chain: source.chain.name })
    const shown = presentBridge(row)
    await also(tx, shown)
    return shown
  })
  failpoint('api.bridge-queued')
  return view
}

/** @throws ApiError 404 */
async function findSource(
  db: ModelDb,
  businessId: string,
  { source, sourceAddress: address }: WantedBridge,
): Promise<Wallet> {
  const where = { businessId, chain: source.chain.name, address }
  const found = await walletModel(db.sequelize).findAll({ where, order: [['id', 'DESC']] })
  const wallet = found.find(({ archivedAt }) => archivedAt === null) ?? found[0]
  if (!wallet) throw notFound('Wallet')
  return wallet
}

function requestOf(
  wanted: WantedBridge,
  wallet: Wallet,
  maxFee: bigint,
): Omit<BridgeRequest, 'needsApproval' | 'eventAccount'> {
  const { source, destination, amount, sourceAddress, destinationAddress, automatic, speed } = wanted
  const needsAllowance =
    source.actions.approval({ from: sourceAddress, token: source.token, amount }) !== null
  return {
    id: newId(),
    businessId: wallet.businessId,
    walletId: wallet.id,
    sourceChain: source.chain.name,
    destinationChain: destination.chain.name,
    amount,
    sourceAddress,
    destinationAddress,
    automatic,
    speed,
    maxFee,
    sourceDomain: source.cctp.domain,
    destinationDomain: destination.cctp.domain,
    sourceMessenger: source.actions.wordOf(source.cctp.tokenMessenger),
    destinationMessenger: destination.actions.wordOf(destination.cctp.tokenMessenger),
    burnToken: source.actions.wordOf(source.token.contract),
    sourceWord: source.actions.wordOf(sourceAddress),
    mintRecipient: mintRecipientOf(destination, destinationAddress),
    hook: automatic ? forwardHook(destination.actions, destinationAddress) : '0x',
    approvalIntentId: needsAllowance ? newId() : null,
    createdAt: new Date(),
  }
}

/**
 * Of all that the treasury mints: it pays for each. What waits, for an approval for instance, counts at any
 * age. @throws ApiError 429 `too_many_relays`
 */
async function requireFewRelays(
  tx: ModelTx,
  businessId: string,
  to: string,
  limits: BridgeLimits,
): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('cowry bridge relays ' || $1, 0))", [
    businessId,
  ])
  const [counted] = await tx.query<{ all: number; there: number }>(
    `select count(*)::int as all, (count(*) filter (where destination_chain = $2))::int as there from bridge_transfers
     where business_id = $1 and status <> 'failed' and (id > ${dayAgo} or status in ('pending', 'in_progress'))`,
    [businessId, to],
  )
  const refused = (what: string, max: number) =>
    new ApiError(429, 'too_many_relays', `A business bridges${what} ${max} times within 24 hours at most`, {
      retryAfterSeconds: 3600,
    })
  if ((counted?.all ?? 0) >= limits.relaysPerDay) throw refused('', limits.relaysPerDay)
  const maxThere = limits.relaysToPerDay[to] ?? limits.relaysPerDay
  if ((counted?.there ?? 0) >= maxThere) throw refused(` to ${to}`, maxThere)
}

async function storeIntents(
  { txmgr }: BridgingContext,
  tx: ModelTx,
  { source }: WantedBridge,
  request: BridgeRequest,
  { apiKeyId, accountId }: Requester,
): Promise<void> {
  const { approval, burn } = callsOf(source.actions, request, source.token)
  const common = {
    businessId: request.businessId,
    chain: request.sourceChain,
    walletId: request.walletId,
    symbol: null,
    decimals: null,
    askedBy: { apiKeyId, accountId },
  } as const
  const store = (
    purpose: 'bridge-approval' | 'bridge-burn',
    id: string,
    action: CallsSpec,
    needsApproval: boolean,
  ) => {
    const signer = action.cosigners.length > 0 ? 'bridge' : 'wallet'
    return insertIntent(txmgr, tx, { ...common, id, purpose, signer, action, needsApproval }, 0, txmgr.prover)
  }
  await store('bridge-burn', request.id, burn, request.needsApproval)
  if (approval && request.approvalIntentId)
    await store('bridge-approval', request.approvalIntentId, approval, false)
}
