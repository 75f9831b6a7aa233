import type { BlockReader, TransactionFacts, Transfer } from '../chains/chain.ts'
import { addressCodec, transactionId } from '../chains/codecs.ts'
import { type Asset, assetsOf, type Chain } from '../chains/registry.ts'
import { requireChain } from '../chains/requireChain.ts'
import { asUnavailable } from '../chains/unavailable.ts'
import { formatUnits } from '../money/amount.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { invalidParameters } from '../platform/errors.ts'
import {
  type Decision,
  decideOutcome,
  type KnownPayment,
  type OwnSession,
  type TransferOutcome,
} from './decideOutcome.ts'

/**
 * What a caller may know of a transaction: what the chain has, and the outcome of transfers to the caller's
 * own addresses.
 */
export interface Explanation {
  chain: string
  txId: string
  outcome: TransferOutcome | 'not_found' | 'other_chain' | 'reverted' | 'no_movement'
  message: string
  block: { height: number; id: string; time: string; confirmations: number } | null
  /** The newest block that Cowry has read. */
  indexedHeight: number | null
  /** The chain that has the transaction, if `outcome` is `other_chain`. */
  otherChain: string | null
  /** Transfers to the caller's addresses first; at most a hundred. */
  movements: TransferView[]
  movementsTotal: number
}

export interface TransferView {
  movementKey: string
  /** Moved by a call within a contract. */
  internal: boolean
  /** Null if Cowry does not know the token. */
  token: string | null
  contract: string | null
  from: string
  to: string
  /** In whole tokens; null if the token is unknown. */
  amount: string | null
  baseUnits: string
  outcome: TransferOutcome
  message: string
  confirmations: number
  /** Null: the chain must call the block finalized, or the number is not known yet. */
  requiredConfirmations: number | null
  session: { id: string; status: string; chain: string; token: string; reference: string | null } | null
}

export interface ExplainContext {
  db: Db
  chains: readonly Chain[]
  reader(chain: string): Promise<BlockReader>
}

const maxTransfers = 100

/**
 * Explains what Cowry saw of a transaction, and why it did or did not count.
 * @throws ApiError 400 naming `chain` or `txId`; 503 `chain_unavailable` when no provider answers
 */
export async function explainTransaction(
  ctx: ExplainContext,
  businessId: string,
  chainName: string,
  text: string,
): Promise<Explanation> {
  const chain = requireChain(ctx, chainName, { invalid: invalidParameters })
  const txId = transactionId(chain.family, text)
  if (!txId)
    throw invalidParameters({
      field: 'txId',
      message: `is not a valid transaction id on ${chain.name}`,
      code: 'invalid_form',
    })
  const facts = await factsOf(ctx, chain.name, txId)
  return ctx.db.snapshot(async (tx) => {
    const indexedHeight = await indexedHeightOf(tx, chain.name)
    const about = {
      chain: chain.name,
      txId,
      indexedHeight,
      block: null,
      otherChain: null,
      movements: [],
      movementsTotal: 0,
    }
    if (!facts) return { ...about, ...(await absent(ctx, tx, businessId, chain, txId)) }
    return { ...about, ...(await present(tx, businessId, chain, txId, facts, indexedHeight)) }
  })
}

async function factsOf(ctx: ExplainContext, chain: string, txId: string): Promise<TransactionFacts | null> {
  try {
    return await (await ctx.reader(chain)).transaction(txId)
  } catch (error) {
    throw asUnavailable(chain, error)
  }
}

/** No node has it: a fork removed it, it is on another chain, or it does not exist. */
async function absent(
  ctx: ExplainContext,
  tx: Tx,
  businessId: string,
  chain: Chain,
  txId: string,
): Promise<Pick<Explanation, 'outcome' | 'message' | 'otherChain'>> {
  const recorded = await recordedOf(tx, businessId, chain.name, txId)
  if (recorded.size > 0) {
    return {
      outcome: 'reverted',
      otherChain: null,
      message: `It was in a block of ${chain.name} that a fork has removed, and no node knows it now.`,
    }
  }
  const others = ctx.chains.filter((each) => each.family === chain.family && each.name !== chain.name)
  const found = await Promise.all(
    others.map(async (other) => {
      // Skip a chain that cannot be read: another one may have the transaction.
      const facts = await factsOf(ctx, other.name, txId).catch(() => null)
      return facts ? other.name : null
    }),
  )
  const otherChain = found.find((name) => name !== null) ?? null
  return otherChain
    ? {
        outcome: 'other_chain',
        otherChain,
        message: `There is no such transaction on ${chain.name}; it is on ${otherChain}. Ask there.`,
      }
    : {
        outcome: 'not_found',
        otherChain: null,
        message: `No node of ${chain.name} knows this transaction: it was never sent, was dropped, or is on another chain.`,
      }
}

async function present(
  tx: Tx,
  businessId: string,
  chain: Chain,
  txId: string,
  facts: TransactionFacts,
  indexedHeight: number | null,
): Promise<Pick<Explanation, 'outcome' | 'message' | 'block' | 'movements' | 'movementsTotal'>> {
  const sessions = await sessionsAt(tx, businessId, chain, facts.transfers)
  const recorded = await recordedOf(tx, businessId, chain.name, txId)
  const confirmations =
    facts.block && indexedHeight !== null ? Math.max(0, indexedHeight - facts.block.height + 1) : 0
  const decisions = facts.transfers
    .map((transfer) => {
      const asset = assetsOf(chain).find(({ contract }) => contract === transfer.contract) ?? null
      const session = sessions.get(transfer.to) ?? null
      const known = recorded.get(transfer.movementKey) ?? null
      const decision = decideOutcome({
        chain,
        facts,
        indexedHeight,
        transfer,
        asset,
        session,
        known,
        confirmations,
      })
      return { view: viewOf(chain, transfer, asset, session, known, confirmations, decision), decision }
    })
    .sort((a, b) => b.decision.weight - a.decision.weight)
  const main = decisions[0]
  return {
    outcome: main?.view.outcome ?? (facts.status === 'succeeded' ? 'no_movement' : facts.status),
    message: main ? main.view.message : messageWithoutTransfers(facts),
    block: facts.block && {
      height: facts.block.height,
      id: facts.block.id,
      time: facts.block.time.toISOString(),
      confirmations,
    },
    movements: decisions.slice(0, maxTransfers).map(({ view }) => view),
    movementsTotal: decisions.length,
  }
}

function messageWithoutTransfers(facts: TransactionFacts): string {
  if (facts.status === 'pending') return 'It is not in a block yet; its transfers are not known before.'
  if (facts.status === 'failed') return 'It failed: nothing was moved.'
  return facts.traced
    ? 'It succeeded and moved no token and no native coin.'
    : 'It succeeded and moved no token. The configured nodes cannot show whether a contract in it moved the native coin.'
}

function viewOf(
  chain: Chain,
  transfer: Transfer,
  asset: Asset | null,
  session: OwnSession | null,
  known: KnownPayment | null,
  confirmations: number,
  decision: Decision,
): TransferView {
  const { display } = addressCodec(chain.family)
  return {
    movementKey: transfer.movementKey,
    internal:
      transfer.movementKey.startsWith('trace:') ||
      (transfer.contract === null && transfer.movementKey.startsWith('log:')),
    token: asset?.symbol ?? null,
    contract: transfer.contract && display(transfer.contract),
    from: display(transfer.from),
    to: display(transfer.to),
    amount: asset && formatUnits(transfer.amount, asset.decimals),
    baseUnits: transfer.amount.toString(),
    outcome: decision.outcome,
    message: decision.message,
    confirmations,
    requiredConfirmations: known?.depth ?? null,
    session: session && {
      id: session.id,
      status: session.status,
      chain: session.chain,
      token: session.token,
      reference: session.reference,
    },
  }
}

async function indexedHeightOf(tx: Tx, chain: string): Promise<number | null> {
  const [row] = await tx.query<{ height: string | null }>(
    'select height from chain_cursors where chain = $1',
    [chain],
  )
  return row?.height == null ? null : Number(row.height)
}

/** The caller's sessions behind the recipients, by normalized address. */
async function sessionsAt(
  tx: Tx,
  businessId: string,
  chain: Chain,
  transfers: readonly Transfer[],
): Promise<Map<string, OwnSession>> {
  const rows = await tx.query<OwnSession & { address: string }>(
    `select id, address, status, chain, token, reference, expires_at as "expiresAt" from pos_sessions
     where business_id = $1 and family = $2 and address = any($3::text[])`,
    [businessId, chain.family, [...new Set(transfers.map(({ to }) => to))]],
  )
  return new Map(rows.map(({ address, ...session }) => [address, session]))
}

/**
 * The caller's recorded payments of the transaction, by `movement_key`; the newest if a fork left several.
 */
async function recordedOf(
  tx: Tx,
  businessId: string,
  chain: string,
  txId: string,
): Promise<Map<string, KnownPayment>> {
  const rows = await tx.query<KnownPayment & { movementKey: string }>(
    `select t.movement_key as "movementKey", d.status, d.depth, (d.agreed_at is not null or not d.needs_agreement) as agreed
     from transfers t join detections d on d.transfer_id = t.id join watches w on w.id = d.watch_id and w.purpose = 'session'
     where t.chain = $1 and t.tx_id = $2 and d.business_id = $3 order by t.canonical, d.seen_at`,
    [chain, txId, businessId],
  )
  return new Map(rows.map(({ movementKey, ...payment }) => [movementKey, payment]))
}
