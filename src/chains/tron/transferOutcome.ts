import { type BlockHeader, ProviderError } from '../chain.ts'
import { agreedOutcome, prunedAnswer, type ReportedOutcome } from '../providers/agreeOutcome.ts'
import type { Providers } from '../providers/providers.ts'
import type { Rest } from '../providers/rest.ts'
import { sound } from '../providers/sound.ts'
import type { ConfiguredChain } from '../registry.ts'
import type { Outcome, SentTransaction } from '../sending.ts'
import { transactionId } from './blockProof.ts'
import { headerOf } from './blockReader.ts'
import { contractOf, succeeded, tokenTransfersOf } from './movements.ts'
import { queryNode, readable, readHead, readSolidHead, wholeNumber } from './nodeApi.ts'
import type { TronBlock, TronTransactionInfo } from './rpcTypes.ts'
import { readRevert } from './tokenCalls.ts'

export interface OutcomeContext {
  providers: Providers<Rest>
  chain: ConfiguredChain
}

type Included = Extract<Outcome, { status: 'included' }>

/** An outcome with fields that the block reader does not need. */
interface Info extends TronTransactionInfo {
  fee?: number
  contractResult?: string[]
  resMessage?: string
}

/**
 * How far the solidified block must be past the expiration before the transaction is given up. Several nodes
 * may answer under one name: the one that reads the transaction may be behind the one that reported its head.
 */
const marginMs = 60_000

/**
 * The longest lifetime of a transaction (java-tron, Constant.MAXIMUM_TIME_UNTIL_EXPIRATION), and the shortest
 * time between blocks.
 */
const [maxLifetimeMs, slotMs] = [24 * 60 * 60 * 1000, 3000]

/** @throws ProviderError */
export const transferOutcome = (
  ctx: OutcomeContext,
  transactions: readonly SentTransaction[],
): Promise<Outcome> =>
  agreedOutcome(ctx.providers, transactions, (rest) => outcomeBy(ctx, rest, transactions))

/**
 * The outcome by one node. Reads its solidified head first: a transaction that is not in a block up to there,
 * and cannot enter a later one, is unminable (`gone`). A transaction without a block proves nothing:
 * java-tron shows pending ones as successful.
 */
async function outcomeBy(
  ctx: OutcomeContext,
  rest: Rest,
  transactions: readonly SentTransaction[],
): Promise<ReportedOutcome> {
  const [solid, { height: head }] = await Promise.all([
    readSolidHead(rest),
    readHead(rest, '/wallet/getnowblock'),
  ])
  for (const { txId } of transactions) {
    const found = await findIncluded(ctx, rest, txId, { head, hasSolid: solid !== null })
    if (found) return { head, outcome: found }
  }
  const ends = transactions.map(({ expiry }) =>
    expiry && 'time' in expiry ? expiry.time.getTime() : Number.POSITIVE_INFINITY,
  )
  const isExpired = solid !== null && ends.length > 0 && solid.time.getTime() > Math.max(...ends) + marginMs
  if (!isExpired) return { head, outcome: { status: 'absent' } }
  const isComplete = await hasBlocksSince(rest, solid, Math.min(...ends) - maxLifetimeMs)
  return isComplete
    ? { head, outcome: { status: 'unminable', reason: 'expired', standing: 'final' } }
    : prunedAnswer
}

/**
 * True if the node still has its blocks since a time; a node that prunes old blocks does not know their
 * transactions.
 */
async function hasBlocksSince(rest: Rest, solid: BlockHeader, since: number): Promise<boolean> {
  const num = Math.max(1, solid.height - Math.ceil((solid.time.getTime() - since) / slotMs))
  const [block, infos] = await Promise.all([
    queryNode<TronBlock>(rest, '/wallet/getblockbynum', { num }),
    queryNode<object>(rest, '/wallet/gettransactioninfobyblocknum', { num }),
  ])
  return sound(
    () =>
      block.blockID !== undefined &&
      (block.transactions ?? []).length === (Array.isArray(infos) ? infos.length : 0),
  )
}

async function findIncluded(
  { chain }: OutcomeContext,
  rest: Rest,
  txId: string,
  { head, hasSolid }: { head: number; hasSolid: boolean },
): Promise<Included | null> {
  const solidified = hasSolid ? await readInfo(rest, '/walletsolidity/gettransactioninfobyid', txId) : null
  const info = solidified ?? (await readInfo(rest, '/wallet/gettransactioninfobyid', txId))
  if (!info) return null
  const height = info.blockNumber ?? 0
  const block = await queryNode<TronBlock>(rest, '/wallet/getblockbynum', { num: height })
  const standing = solidified ? 'final' : standingOf(chain, head, height)
  return sound(() => {
    const { id } = headerOf(block, height)
    const transaction = block.transactions?.find(({ txID }) => txID === txId)
    if (!transaction || transactionId(transaction) !== txId) {
      throw new ProviderError(
        `${rest.name}: block ${height} does not contain ${txId}, which its outcome places there`,
      )
    }
    const hasSucceeded = succeeded(transaction, info, contractOf(transaction))
    return {
      status: 'included',
      txId,
      succeeded: hasSucceeded,
      reason: hasSucceeded ? null : reasonOf(info),
      blockHeight: height,
      blockId: id,
      standing,
      fee: wholeNumber(info.fee),
      gasUsed: null,
      tokenMoves: tokenTransfersOf(txId, info).map(({ contract, to, amount }) => ({ contract, to, amount })),
    }
  })
}

/** Null if the node knows no outcome of it. */
async function readInfo(rest: Rest, path: string, txId: string): Promise<Info | null> {
  const info = await queryNode<Partial<Info>>(rest, path, { value: txId })
  return sound(() => {
    if (info.id === undefined) return null
    if (info.id !== txId || !Number.isSafeInteger(info.blockNumber))
      throw new ProviderError(`${rest.name} returned another outcome than that of ${txId}`)
    return { ...info, id: info.id }
  })
}

/** For a block that is not solidified; its depth counts the block itself. */
const standingOf = (
  { byFinalizedTag, confirmations }: ConfiguredChain,
  head: number,
  height: number,
): 'seen' | 'confirmed' => (!byFinalizedTag && head - height + 1 >= confirmations ? 'confirmed' : 'seen')

const reasonOf = ({ contractResult, resMessage, receipt }: Info): string | null =>
  readRevert(contractResult?.[0] ?? '') ?? (readable(resMessage) || receipt?.result || null)
