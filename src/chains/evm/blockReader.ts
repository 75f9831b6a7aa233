import { messageOf } from '../../platform/errors.ts'
import { type Block, type BlockHeader, type BlockReader, ProviderError, type Transfer } from '../chain.ts'
import { bloomOf } from './bloom.ts'
import type { JsonRpc } from './jsonRpc.ts'
import type { Providers } from './providers.ts'

// keccak256("Transfer(address,address,uint256)")
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

interface RpcHeader {
  number: string
  hash: string
  parentHash: string
  timestamp: string
  logsBloom: string
}

interface RpcTransaction {
  hash: string
  from: string
  to: string | null
  value: string
}

interface RpcBlock extends RpcHeader {
  transactions: RpcTransaction[]
}

interface RpcLog {
  address: string
  topics: string[]
  data: string
  logIndex: string
  removed?: boolean
}

interface RpcReceipt {
  transactionHash: string
  blockHash: string
  status: string
  contractAddress: string | null
  logsBloom: string
  logs: RpcLog[]
}

/** Reads an EVM chain by two calls a block: the full block and its receipts, both from one provider. */
export function evmBlockReader(providers: Providers): BlockReader {
  return {
    async head() {
      // A stale provider answers an old head; the highest of those that answer is the chain's.
      const heads = await providers.askAll(async (rpc) => {
        const block = await getBlock<RpcHeader>(rpc, 'latest', false)
        if (!block) throw new ProviderError(`${rpc.name} has no latest block`)
        return sound(() => headerOf(block))
      })
      return heads.reduce((best, head) => (head.height > best.height ? head : best))
    },
    header: (height) =>
      providers.ask(async (rpc) => {
        const block = await getBlock<RpcHeader>(rpc, hex(height), false)
        return block && sound(() => headerOf(atHeight(block, height)))
      }),
    block: (height) =>
      providers.ask(async (rpc) => {
        const [block, receipts] = await Promise.all([getBlock<RpcBlock>(rpc, hex(height), true), rpc.call('eth_getBlockReceipts', [hex(height)])])
        return block && sound(() => readBlock(atHeight(block, height), receipts as RpcReceipt[]))
      }),
  }
}

/** Reads what a provider answered. Whatever cannot be read, however it is malformed, is that provider's failure and another one is asked. */
function sound<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof ProviderError ? error : new ProviderError(`a malformed answer: ${messageOf(error)}`)
  }
}

const hex = (height: number) => `0x${height.toString(16)}`

const getBlock = async <B extends RpcHeader>(rpc: JsonRpc, at: string, full: boolean) =>
  (await rpc.call('eth_getBlockByNumber', [at, full])) as B | null

function atHeight<B extends RpcHeader>(block: B, height: number): B {
  if (Number(block.number) !== height) throw new ProviderError(`asked for block ${height}, got ${block.number}`)
  return block
}

function headerOf(block: RpcHeader): BlockHeader {
  const height = Number(block.number)
  const seconds = Number(block.timestamp)
  if (!Number.isSafeInteger(height) || !Number.isSafeInteger(seconds) || !isHash(block.hash) || !isHash(block.parentHash)) {
    throw new ProviderError('a block without number, time or hashes')
  }
  return { height, id: block.hash, parentId: block.parentHash, time: new Date(seconds * 1000) }
}

const isHash = (text: unknown): text is string => typeof text === 'string' && text.length === 66

/**
 * The movements of one block: ERC-20 `Transfer` logs and native value of successful transactions.
 * @throws ProviderError when block and receipts do not hold together or are malformed, so that another provider is asked
 */
export const readBlock = (block: RpcBlock, receipts: RpcReceipt[]): Block => sound(() => movementsOf(block, receipts))

function movementsOf(block: RpcBlock, receipts: RpcReceipt[]): Block {
  const header = headerOf(block)
  requireComplete(block, receipts)
  const transfers: Transfer[] = []
  for (const [index, receipt] of receipts.entries()) {
    const transaction = block.transactions[index] as RpcTransaction
    const txId = transaction.hash
    if (transaction.value !== '0x0' && receipt.status === '0x1') {
      const amount = BigInt(transaction.value)
      const to = transaction.to ?? receipt.contractAddress
      if (amount > 0n && to)
        transfers.push({ txId, movementKey: 'native', contract: null, from: transaction.from.toLowerCase(), to: to.toLowerCase(), amount })
    }
    for (const log of receipt.logs) {
      // Three topics and one word of data; four topics is an ERC-721 transfer, whose last topic is an id.
      if (log.topics.length !== 3 || log.topics[0] !== transferTopic || log.data.length !== 66) continue
      const amount = BigInt(log.data)
      if (amount === 0n) continue
      transfers.push({
        txId,
        movementKey: `log:${Number(log.logIndex)}`,
        contract: log.address.toLowerCase(),
        from: addressOfTopic(log.topics[1] as string),
        to: addressOfTopic(log.topics[2] as string),
        amount,
      })
    }
  }
  return { ...header, transfers }
}

const addressOfTopic = (topic: string) => `0x${topic.slice(26)}`.toLowerCase()

/**
 * Refuses an answer that leaves something out. Providers were seen to answer receipts without logs, of
 * another fork, or fewer than there are transactions. What is checked: one receipt for each transaction,
 * of this block; the receipts' blooms make up the block's; log indexes have no gap; and the last receipt
 * with logs has the bloom that its logs give, because a gap at the very end shows in no index.
 */
function requireComplete(block: RpcBlock, receipts: RpcReceipt[]): void {
  const at = `block ${Number(block.number)}`
  if (!Array.isArray(block.transactions) || !Array.isArray(receipts)) throw new ProviderError(`${at}: no transactions or receipts`)
  if (receipts.length !== block.transactions.length) {
    throw new ProviderError(`${at}: ${receipts.length} receipts for ${block.transactions.length} transactions`)
  }
  const union = new Uint8Array(256)
  let nextLog = 0
  let lastWithLogs: RpcReceipt | undefined
  for (const [index, receipt] of receipts.entries()) {
    if (receipt?.blockHash !== block.hash || receipt.transactionHash !== block.transactions[index]?.hash) {
      throw new ProviderError(`${at}: receipt ${index} is of another block or transaction`)
    }
    if (!Array.isArray(receipt.logs)) throw new ProviderError(`${at}: receipt ${index} has no list of logs`)
    const empty = isEmptyBloom(receipt.logsBloom)
    if (empty !== (receipt.logs.length === 0))
      throw new ProviderError(`${at}: receipt ${index} has ${receipt.logs.length} logs, its bloom says otherwise`)
    if (empty) continue
    unite(union, receipt.logsBloom)
    for (const log of receipt.logs) {
      if (Number(log.logIndex) !== nextLog++) throw new ProviderError(`${at}: log ${nextLog - 1} is missing`)
    }
    lastWithLogs = receipt
  }
  if (!bloomEquals(union, block.logsBloom)) throw new ProviderError(`${at}: the receipts' logs are not all of the block's`)
  if (lastWithLogs && !bloomEquals(bloomOf(lastWithLogs.logs), lastWithLogs.logsBloom)) throw new ProviderError(`${at}: the last logs are missing`)
}

const emptyBloom = `0x${'00'.repeat(256)}`
const isEmptyBloom = (bloom: string) => bloom === emptyBloom

function unite(union: Uint8Array, bloom: string): void {
  const bytes = Buffer.from(bloom.slice(2), 'hex')
  for (let i = 0; i < 256; i++) union[i] = (union[i] as number) | (bytes[i] ?? 0)
}

const bloomEquals = (bytes: Uint8Array, bloom: string) => Buffer.from(bloom.slice(2), 'hex').equals(bytes)
