import { agreedOutcome, prunedAnswer, type ReportedOutcome } from '../agreeOutcome.ts'
import { type BlockHeader, ProviderError } from '../chain.ts'
import type { Providers } from '../providers/providers.ts'
import type { Rest } from '../providers/rest.ts'
import { sound } from '../providers/sound.ts'
import type { ConfiguredChain } from '../registry.ts'
import type { Outcome, SentTransaction } from '../sending.ts'
import { transactionId } from './blockProof.ts'
import { headerOf } from './blockReader.ts'
import { contractOf, succeeded } from './movements.ts'
import { askNode, readable, readHead, readSolidHead, wholeNumber } from './nodeApi.ts'
import type { TronBlock, TronTransactionInfo } from './rpcTypes.ts'
import { readRevert } from './tokenCalls.ts'

export interface OutcomeContext {
  providers: Providers<Rest>
  chain: ConfiguredChain
}

type Included = Extract<Outcome, { status: 'included' }>

/** What a node tells of a transaction beside what blocks are read by. */
interface Info extends TronTransactionInfo {
  fee?: number
  contractResult?: string[]
  resMessage?: string
}

/**
 * How much later than an expiration a solidified block must be until the transaction is given up. One name may stand for several nodes:
 * the one that tells its head need not be the one that is asked for the transaction, and that one may be behind.
 */
const marginMs = 60_000

/** The longest that a transaction may wait (java-tron, Constant.MAXIMUM_TIME_UNTIL_EXPIRATION), and the least time between two blocks. */
const [longestLifeMs, slotMs] = [24 * 60 * 60 * 1000, 3000]

/** @throws ProviderError */
export const transferOutcome = (ctx: OutcomeContext, transactions: readonly SentTransaction[]): Promise<Outcome> =>
  agreedOutcome(ctx.providers, transactions, (rest) => outcomeBy(ctx, rest, transactions))

/**
 * What one node says. Its solidified head is asked for first: what is not in a block up to there, and could be in none after it, is gone.
 * That a node knows a transaction without a block says nothing: java-tron shows what waits as if it were done.
 */
async function outcomeBy(ctx: OutcomeContext, rest: Rest, transactions: readonly SentTransaction[]): Promise<ReportedOutcome> {
  const [solid, { height: head }] = await Promise.all([readSolidHead(rest), readHead(rest, '/wallet/getnowblock')])
  for (const { txId } of transactions) {
    const found = await find(ctx, rest, txId, { head, hasSolid: solid !== null })
    if (found) return { head, outcome: found }
  }
  const ends = transactions.map(({ expiry }) => (expiry && 'time' in expiry ? expiry.time.getTime() : Number.POSITIVE_INFINITY))
  const isOver = solid !== null && ends.length > 0 && solid.time.getTime() > Math.max(...ends) + marginMs
  if (!isOver) return { head, outcome: { status: 'absent' } }
  const hasAll = await remembers(rest, solid, Math.min(...ends) - longestLifeMs)
  return hasAll ? { head, outcome: { status: 'gone', reason: 'expired', standing: 'final' } } : prunedAnswer
}

/** Whether a node still has what it was told since a time: one that forgets old blocks does not know what was in them. */
async function remembers(rest: Rest, solid: BlockHeader, since: number): Promise<boolean> {
  const num = Math.max(1, solid.height - Math.ceil((solid.time.getTime() - since) / slotMs))
  const [block, infos] = await Promise.all([
    askNode<TronBlock>(rest, '/wallet/getblockbynum', { num }),
    askNode<object>(rest, '/wallet/gettransactioninfobyblocknum', { num }),
  ])
  return sound(() => block.blockID !== undefined && (block.transactions ?? []).length === (Array.isArray(infos) ? infos.length : 0))
}

async function find(
  { chain }: OutcomeContext,
  rest: Rest,
  txId: string,
  { head, hasSolid }: { head: number; hasSolid: boolean },
): Promise<Included | null> {
  const solidified = hasSolid ? await readInfo(rest, '/walletsolidity/gettransactioninfobyid', txId) : null
  const info = solidified ?? (await readInfo(rest, '/wallet/gettransactioninfobyid', txId))
  if (!info) return null
  const height = info.blockNumber ?? 0
  const block = await askNode<TronBlock>(rest, '/wallet/getblockbynum', { num: height })
  const standing = solidified ? 'final' : standingOf(chain, head, height)
  return sound(() => {
    const { id } = headerOf(block, height)
    const transaction = block.transactions?.find(({ txID }) => txID === txId)
    if (!transaction || transactionId(transaction) !== txId) {
      throw new ProviderError(`${rest.name}: block ${height} does not hold a transaction that is said to be in it`)
    }
    const isDone = succeeded(transaction, info, contractOf(transaction))
    return {
      status: 'included',
      txId,
      succeeded: isDone,
      reason: isDone ? null : reasonOf(info),
      blockHeight: height,
      blockId: id,
      standing,
      fee: wholeNumber(info.fee),
      gasUsed: null,
    }
  })
}

/** Null where the node knows no outcome of it. */
async function readInfo(rest: Rest, path: string, txId: string): Promise<Info | null> {
  const info = await askNode<Partial<Info>>(rest, path, { value: txId })
  return sound(() => {
    if (info.id === undefined) return null
    if (info.id !== txId || !Number.isSafeInteger(info.blockNumber)) throw new ProviderError(`${rest.name} gave another outcome than that of ${txId}`)
    return { ...info, id: info.id }
  })
}

/** Of a block that is not solidified, the block itself counted. */
const standingOf = ({ byFinalizedTag, confirmations }: ConfiguredChain, head: number, height: number): 'seen' | 'confirmed' =>
  !byFinalizedTag && head - height + 1 >= confirmations ? 'confirmed' : 'seen'

const reasonOf = ({ contractResult, resMessage, receipt }: Info): string | null =>
  readRevert(contractResult?.[0] ?? '') ?? (readable(resMessage) || receipt?.result || null)
