import {
  type Block,
  type BlockHeader,
  type BlockReader,
  ProviderError,
  type ProviderTip,
  type TransactionFacts,
  type Transfer,
} from '../chain.ts'
import { createLateAnswers, type Providers } from '../providers/providers.ts'
import { type Rest, RestError } from '../providers/rest.ts'
import { sound } from '../providers/sound.ts'
import { atBlock, crossCheckBy, headBy, onlyBy, orUndefined, readPrefix } from '../reading.ts'
import { storable, timeOf } from '../storable.ts'
import { blockId, emptyRoot, transactionId } from './blockProof.ts'
import { contractOf, intended, succeeded, transfersOf } from './movements.ts'
import type { TronBlock, TronTransaction, TronTransactionInfo } from './rpcTypes.ts'

/** Dependencies of the Tron reader. */
export interface TronReaderContext {
  providers: Providers<Rest>
}

/**
 * Reads Tron with two calls per block, both to one provider: the block, and the outcomes of its transactions.
 */
export function tronBlockReader(ctx: TronReaderContext): BlockReader {
  const { providers } = ctx
  const lateHeads = createLateAnswers<BlockHeader & { source: string }>()
  const lateTips = createLateAnswers<ProviderTip>()
  // Only nodes that are configured so record internal transfers. One that records them and lacks a transfer
  // contradicts it.
  const recorders = new Set<string>()
  const isReported = ({ movementKey }: Transfer, source: string) =>
    !movementKey.startsWith('trace:') || recorders.has(source)
  const block = (height: number) =>
    atBlock(
      height,
      providers.ask((rest) => readBlock(rest, height, recorders)),
    )
  return {
    head: () => headBy(providers, (rest) => newest(rest, '/wallet/getnowblock'), lateHeads),
    tips: () =>
      providers.askAll(async (rest) => {
        const [{ height: head }, finalized] = await Promise.all([
          newest(rest, '/wallet/getnowblock'),
          orUndefined(
            newest(rest, '/walletsolidity/getnowblock').catch((error: unknown) => {
              // A full node without the solidity API is not a failure: another one may have it.
              if (error instanceof RestError && (error.status === 404 || error.status === 405)) return null
              throw error
            }),
          ),
        ])
        return { source: rest.name, head, finalized }
      }, lateTips),
    header: (height, source) =>
      atBlock(
        height,
        providers.ask(async (rest) => {
          const block = await getBlock(rest, height)
          return block && sound(() => headerOf(block, height))
        }, onlyBy(source)),
      ),
    block,
    blocks: (from, to) => readPrefix(from, to, block),
    crossCheck: (block, transfers) =>
      crossCheckBy(
        providers,
        block,
        transfers,
        (rest) => readBlock(rest, block.height, recorders),
        isReported,
      ),
    transaction: (txId) => providers.ask((rest) => explain(rest, txId)),
    verify: () => providers.verify(),
    sources: providers.names,
    doubt: (source) => providers.doubt(source),
    internalMethod: 'included',
  }
}

/** Null if the node does not have the block: it answers an empty object. */
async function getBlock(rest: Rest, height: number): Promise<TronBlock | null> {
  const block = (await rest.post('/wallet/getblockbynum', { num: height })) as TronBlock & { Error?: string }
  return sound(() => {
    // Nodes report errors with status 200.
    if (block.Error !== undefined)
      throw new ProviderError(`${rest.name}: getblockbynum: ${String(block.Error).slice(0, 200)}`)
    return block.blockID === undefined ? null : block
  })
}

async function newest(rest: Rest, path: string): Promise<BlockHeader> {
  const block = (await rest.post(path, {})) as TronBlock
  return sound(() => headerOf(block, block.block_header?.raw_data?.number ?? 0))
}

/** @param recorders receives the provider's name if it records internal transfers */
async function readBlock(rest: Rest, height: number, recorders: Set<string>): Promise<Block | null> {
  const [block, answered] = await Promise.all([
    getBlock(rest, height),
    rest.post('/wallet/gettransactioninfobyblocknum', { num: height }),
  ])
  if (!block) return null
  return sound(() => {
    const header = headerOf(block, height)
    const transactions = block.transactions ?? []
    requireSound(height, block.block_header?.raw_data?.txTrieRoot, transactions)
    const infos = infosOf(height, transactions, answered)
    if ([...infos.values()].some(({ internal_transactions: internal = [] }) => internal.length > 0))
      recorders.add(rest.name)
    const transfers = transactions.flatMap((transaction) =>
      transfersOf(transaction, infos.get(transaction.txID) as TronTransactionInfo),
    )
    return storable({ ...header, transfers, source: rest.name, traced: true })
  })
}

/** @throws ProviderError if the answer is not the block of the height, or its id does not match its header */
export function headerOf(block: TronBlock, height: number): BlockHeader {
  const raw = block.block_header?.raw_data
  if (!raw || (raw.number ?? 0) !== height)
    throw new ProviderError(`asked for block ${height}, got ${raw?.number}`)
  const isHash = (text: unknown) => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text)
  if (!isHash(block.blockID) || !isHash(raw.parentHash) || !Number.isSafeInteger(raw.timestamp ?? 0)) {
    throw new ProviderError(`block ${height} has no valid hashes or time`)
  }
  // The genesis block has no witness, and its id is not the hash of its header alone.
  if (height > 0 && blockId(raw) !== block.blockID)
    throw new ProviderError(`the id of block ${height} is not that of its header`)
  return {
    height,
    id: block.blockID as string,
    parentId: raw.parentHash as string,
    time: timeOf(raw.timestamp ?? 0),
  }
}

/**
 * Checks that each transaction's bytes match its id; the rest of its JSON is not read.
 * @param root commits to the bytes of all transactions. Checked only for whether there are any: nodes omit
 * fields that they do not know
 *   from the JSON (java-tron, `JsonFormat`), and mainnet has such fields
 * @throws ProviderError
 */
function requireSound(
  height: number,
  root: string | undefined,
  transactions: readonly TronTransaction[],
): void {
  if (root !== undefined && (root === emptyRoot) !== (transactions.length === 0)) {
    throw new ProviderError(
      `the header of block ${height} commits to other transactions than these ${transactions.length}`,
    )
  }
  for (const transaction of transactions) {
    if (transactionId(transaction) !== transaction.txID)
      throw new ProviderError(`the id of ${transaction.txID} is not that of its bytes`)
  }
}

/**
 * The outcomes by id: exactly one for each transaction, all of this block. A plain transaction from before
 * outcomes were recorded has no outcome.
 * @throws ProviderError
 */
function infosOf(
  height: number,
  transactions: readonly TronTransaction[],
  answered: unknown,
): Map<string, TronTransactionInfo> {
  const recorded = Array.isArray(answered) ? (answered as TronTransactionInfo[]) : []
  const ids = new Set(recorded.map(({ id }) => id))
  const before = transactions.filter((each) => !ids.has(each.txID) && isFromBeforeOutcomes(each))
  const list = [...recorded, ...before.map(({ txID }) => ({ id: txID, blockNumber: height }))]
  const infos = new Map(list.map((info) => [info.id, info]))
  if (infos.size !== transactions.length || list.length !== transactions.length) {
    throw new ProviderError(
      `block ${height} has ${transactions.length} transactions, and ${list.length} outcomes`,
    )
  }
  for (const { txID } of transactions) {
    const info = infos.get(txID)
    if (!info || (info.blockNumber ?? 0) !== height)
      throw new ProviderError(`${txID} of block ${height} has no outcome there`)
  }
  return infos
}

/** Such transactions have no result of their own either. Contract calls came later. */
function isFromBeforeOutcomes(transaction: TronTransaction): boolean {
  const { kind } = contractOf(transaction)
  return (
    kind !== 'trigger' &&
    kind !== 'create' &&
    (transaction.ret ?? []).every(({ contractRet }) => contractRet === undefined)
  )
}

/** Reads one transaction, with transfers of zero; null if this provider does not know it. */
async function explain(rest: Rest, txId: string): Promise<TransactionFacts | null> {
  const [transaction, info] = (await Promise.all([
    rest.post('/wallet/gettransactionbyid', { value: txId }),
    rest.post('/wallet/gettransactioninfobyid', { value: txId }),
  ])) as [Partial<TronTransaction>, Partial<TronTransactionInfo>]
  const found = completeTransaction(transaction)
  if (!found) return null
  if (found.txID !== txId || sound(() => transactionId(found)) !== txId)
    throw new ProviderError(`${rest.name} returned another transaction than ${txId}`)
  if (info.id === undefined)
    return sound(() => ({ status: 'pending', block: null, transfers: intended(found), traced: true }))
  const outcome = { ...info, id: info.id }
  const height = info.blockNumber ?? 0
  const block = await getBlock(rest, height)
  if (!block) throw new ProviderError(`${rest.name} does not have the block of a transaction that it knows`)
  return sound(() => {
    const hasSucceeded = succeeded(found, outcome, contractOf(found))
    return {
      status: hasSucceeded ? 'succeeded' : 'failed',
      block: headerOf(block, height),
      transfers: hasSucceeded ? transfersOf(found, outcome, { keepEmpty: true }) : intended(found),
      traced: true,
    }
  })
}

const completeTransaction = ({
  txID,
  raw_data_hex,
  ...more
}: Partial<TronTransaction>): TronTransaction | null =>
  txID === undefined || raw_data_hex === undefined ? null : { ...more, txID, raw_data_hex }
