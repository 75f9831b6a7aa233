import type { Hex } from 'viem'
import { decodeEventLog, encodeEventTopics } from 'viem/utils'
import type { FoundMint, MintSearch, Mints, ReceivedMessage } from '../../bridging.ts'
import { decodeBody, type MessageHex } from '../../cctpMessage.ts'
import { agreedBy, sufficing } from '../../providers/agreeOutcome.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { everyAnswer } from '../../providers/queryEvery.ts'
import { quantity } from '../refusals.ts'
import { hex, type RpcHeader, type RpcLog, type RpcReceipt } from '../rpcTypes.ts'
import { messageTransmitterAbi } from './bridgeAbi.ts'
import type { EvmSenderContext } from './senderContext.ts'
import { outcomeOf } from './transferOutcome.ts'

/** Nodes limit the blocks of a request for logs; so many requests search for a mint at once. */
const [blocksAtOnce, maxRequests] = [1000, 20]

type Log = Pick<RpcLog, 'address' | 'topics' | 'data' | 'transactionHash'>

const topicsOf = (nonce: MessageHex) =>
  encodeEventTopics({ abi: messageTransmitterAbi, eventName: 'MessageReceived', args: { nonce } })
const [received] = encodeEventTopics({ abi: messageTransmitterAbi, eventName: 'MessageReceived' })

const isReceived = ({ address, topics }: Log, transmitter: string): boolean =>
  address.toLowerCase() === transmitter && topics[0] === received && topics.length === 4

/** Searches from `since` on, and goes on at the cursor: a chain may have made very many blocks meanwhile. */
export async function findMint(
  rpc: JsonRpc,
  transmitter: string,
  nonce: MessageHex,
  { since, cursor }: MintSearch,
): Promise<FoundMint> {
  const head = Number(quantity(await rpc.call('eth_blockNumber', []), 'the height of the head'))
  const topics = topicsOf(nonce)
  let from = cursor === null ? await heightBefore(rpc, head, since) : Number(cursor)
  for (let i = 0; i < maxRequests && from <= head; i++, from += blocksAtOnce) {
    const range = { fromBlock: hex(from), toBlock: hex(Math.min(from + blocksAtOnce - 1, head)) }
    const logs = (await rpc.call('eth_getLogs', [{ address: transmitter, topics, ...range }])) as Log[]
    const found = logs.find((log) => isReceived(log, transmitter) && log.topics[2] === nonce)
    if (found) return { txId: found.transactionHash.toLowerCase(), cursor: String(from) }
  }
  return { txId: null, cursor: from <= head ? String(from) : null }
}

/**
 * A height that is not above the first block at a time, and fewer blocks below it than one request for logs
 * reads.
 */
async function heightBefore(rpc: JsonRpc, head: number, time: Date): Promise<number> {
  const isBefore = async (height: number) => {
    const header = (await rpc.call('eth_getBlockByNumber', [hex(height), false])) as RpcHeader | null
    return (
      header !== null && Number(quantity(header.timestamp, 'the time of a block')) * 1000 <= time.getTime()
    )
  }
  let [before, after] = [0, head]
  for (let back = blocksAtOnce; back < head && before === 0; back *= 2) {
    if (await isBefore(head - back)) before = head - back
    else after = head - back
  }
  while (after - before > blocksAtOnce) {
    const middle = Math.floor((before + after) / 2)
    if (await isBefore(middle)) before = middle
    else after = middle
  }
  return before
}

/**
 * Reads the mints of a transaction. Its block and standing are agreed as those of own transactions; its
 * events count as two providers report them, or the one that suffices.
 */
export async function mintsIn(
  { providers, chain }: EvmSenderContext,
  transmitter: string,
  txId: string,
): Promise<Mints> {
  const outcome = await outcomeOf({ providers, chain }, '', [{ txId, nonce: null, expiry: null }])
  if (outcome.status !== 'included' || !outcome.succeeded) return { standing: 'absent', messages: [] }
  if (outcome.standing === 'seen') return { standing: 'seen', messages: [] }
  const reports = await everyAnswer(providers, async (rpc) => {
    const receipt = (await rpc.call('eth_getTransactionReceipt', [txId])) as
      | (RpcReceipt & { logs?: Log[] })
      | null
    const logs = receipt?.blockHash === outcome.blockId ? (receipt.logs ?? []) : []
    return { source: rpc.name, logs: logs.filter((log) => isReceived(log, transmitter)) }
  })
  const agreed = agreedLogs(reports, sufficing(providers))
  return {
    standing: agreed === null ? 'seen' : outcome.standing,
    messages: (agreed ?? []).flatMap(messageOf),
  }
}

interface Reported {
  source: string
  logs: Log[]
}

/**
 * @param alone the provider that suffices @returns null until more providers report the same than anything
 * different
 */
export const agreedLogs = (reports: readonly Reported[], alone: string | null): Log[] | null =>
  agreedBy(
    reports.map(({ source, logs }) => ({ source, answer: logs })),
    (logs) => JSON.stringify(logs.map(({ topics, data }) => [topics, data])),
    alone,
  )

function messageOf({ topics, data }: Log): ReceivedMessage[] {
  const decoded = decode(topics, data)
  const body = decoded && decodeBody(decoded.messageBody)
  if (!decoded || !body) return []
  const { sourceDomain, nonce, sender, finalityThresholdExecuted: executedFinality } = decoded
  return [{ ...body, sourceDomain, nonce, sender, executedFinality }]
}

/** Null for a log that is not of the event's form. */
function decode(topics: readonly string[], data: string) {
  try {
    const [first, ...more] = topics as Hex[]
    if (first === undefined) return null
    return decodeEventLog({
      abi: messageTransmitterAbi,
      eventName: 'MessageReceived',
      topics: [first, ...more],
      data: data as Hex,
    }).args
  } catch {
    return null
  }
}
