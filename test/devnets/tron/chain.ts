/** The chain: pending transactions, blocks, and reorgs. java-tron, Manager. */
import { type Block, makeBlock, witnessAddress } from './blocks.ts'
import { Refusal } from './errors.ts'
import { type BlockContext, execute, type Outcome, ownerOf, type Transaction } from './execute.ts'
import { limits } from './parameters.ts'
import { checkSignatures } from './signatures.ts'
import { encodeTransaction } from './wire.ts'
import { type Changes, rollBack, sealChanges, undoSealed, type World } from './world.ts'

export interface Chain {
  world: World
  blocks: Block[]
  /** Height of each transaction's block. */
  heights: Map<string, number>
  /** Executed on top of the head at once, as java-tron does; executed again in the block. */
  pending: { tx: Transaction; outcome: Outcome }[]
  /** Blocks dropped by reorgs, by height; the latest one of each height. */
  dropped: Map<number, Block>
  /** Number of forks: shifts the producers' turns, so that a block never gets the same id again. */
  forks: number
  solidifiedDepth: number
}

/** Number of blocks that can be undone. */
export const reorgWindow = 1000

export const newChain = (solidifiedDepth: number): Chain => ({
  world: { entries: new Map(), changes: [] },
  blocks: [],
  heights: new Map(),
  pending: [],
  dropped: new Map(),
  forks: 0,
  solidifiedDepth,
})

export function headOf(chain: Chain): Block {
  const head = chain.blocks.at(-1)
  if (!head) throw new Error('the chain has no genesis')
  return head
}

/**
 * A block is final when enough Super Representatives have built on it (TRON developers, "DPoS", solidified
 * blocks). With 27 of them java-tron is at 18 blocks behind the head (DposService.updateSolidBlock counts a
 * block's own producer).
 */
export const solidHeight = (chain: Chain, head: number): number => Math.max(0, head - chain.solidifiedDepth)

const contextAt = (chain: Chain, timestamp: number): BlockContext => {
  const head = headOf(chain)
  const number = head.header.number + 1
  return {
    number,
    timestamp,
    witness: witnessAddress(number + chain.forks),
    headTime: head.header.timestamp,
    genesisTime: chain.blocks[0]?.header.timestamp ?? 0,
  }
}

const contains = (chain: Chain, id: string) =>
  chain.heights.has(id) || chain.pending.some(({ tx }) => tx.id === id)

/**
 * Queues a signed transaction for the next block. Checks in java-tron's order: expiration before the next
 * slot, signatures, reference block, size and time, duplicates, then bandwidth and the contract.
 * @throws Refusal
 */
export async function push(chain: Chain, tx: Transaction): Promise<Outcome> {
  const head = headOf(chain).header
  if ((tx.data.expiration ?? 0) < head.timestamp + limits.blockIntervalMs)
    throw new Refusal('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired')
  const permissionId = tx.data.contract[0].Permission_id ?? 0
  checkSignatures(chain.world, tx, { owner: ownerOf(tx), permissionId, type: tx.type })
  checkReference(chain, tx)
  checkSizeAndTime(chain, tx)
  if (contains(chain, tx.id)) throw new Refusal('DUP_TRANSACTION_ERROR', 'Dup transaction.')
  const outcome = await execute(chain.world, tx, contextAt(chain, Math.max(Date.now(), head.timestamp)))
  chain.pending.push({ tx, outcome })
  return outcome
}

/**
 * TAPOS: two bytes of a recent block's number and eight of its id. TRON developers, "Transactions",
 * ref_block_bytes.
 */
function checkReference(chain: Chain, tx: Transaction): void {
  const low = Number.parseInt(tx.data.ref_block_bytes || '0', 16)
  const head = headOf(chain).header.number
  const number = head - ((head - low + limits.recentBlocks) % limits.recentBlocks)
  if (chain.blocks[number]?.id.slice(16, 32) !== tx.data.ref_block_hash)
    throw new Refusal('TAPOS_ERROR', 'Tapos check error.')
}

/** java-tron, Manager.validateCommon. */
function checkSizeAndTime(chain: Chain, tx: Transaction): void {
  const bytes = encodeTransaction(tx).length + 2 * limits.resultBytes
  if (bytes > limits.transactionBytes) {
    throw new Refusal(
      'TOO_BIG_TRANSACTION_ERROR',
      `Too big transaction with result, TxId ${tx.id}, the size is ${bytes} bytes, maxTxSize ${limits.transactionBytes}`,
    )
  }
  const [expiration, headTime] = [tx.data.expiration ?? 0, headOf(chain).header.timestamp]
  if (expiration <= headTime || expiration > headTime + limits.expirationMs)
    throw new Refusal('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired')
}

/**
 * Closes the next block with the pending transactions. Those that became invalid (mostly expired) are dropped
 * silently, as on the real chain.
 * @param timestamp milliseconds
 */
export async function mine(chain: Chain, timestamp: number): Promise<Block> {
  rollBack(chain.world, 0)
  const context = contextAt(chain, timestamp)
  const included: Block['transactions'] = []
  for (const { tx } of chain.pending.splice(0)) {
    try {
      // Expired for this block's slot: java-tron, TransactionCapsule.checkExpiration.
      if ((tx.data.expiration ?? 0) < timestamp) continue
      checkReference(chain, tx)
      included.push({ tx, outcome: await execute(chain.world, tx, context) })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return append(chain, timestamp, included)
}

export function append(chain: Chain, timestamp: number, included: Block['transactions']): Block {
  const block = makeBlock(chain.blocks.at(-1), {
    timestamp,
    transactions: included,
    turn: chain.blocks.length + chain.forks,
  })
  block.before = sealChanges(chain.world)
  chain.blocks.push(block)
  for (const { tx } of included) chain.heights.set(tx.id, block.header.number)
  const old = chain.blocks[chain.blocks.length - 1 - reorgWindow]
  if (old) old.before = null
  return block
}

/**
 * Undoes the last blocks. Pending transactions stay pending if the new head allows.
 * @param keep their transactions become pending again, except those that reference a dropped block
 * @throws if a block is too old to be undone
 */
export async function reorg(
  chain: Chain,
  depth: number,
  keep: boolean,
): Promise<{ dropped: string[]; kept: string[] }> {
  const dropping = chain.blocks.slice(chain.blocks.length - depth)
  if (depth < 1 || depth >= chain.blocks.length || dropping.some(({ before }) => before === null))
    throw new Error(`cannot undo ${depth} blocks`)
  rollBack(chain.world, 0)
  const pending = chain.pending.splice(0).map(({ tx }) => tx)
  chain.blocks.length -= depth
  chain.forks += 1
  for (const block of dropping.toReversed()) {
    undoSealed(chain.world, block.before ?? [])
    chain.dropped.set(block.header.number, block)
    for (const { tx } of block.transactions) chain.heights.delete(tx.id)
  }
  const transactions = dropping.flatMap((block) => block.transactions.map(({ tx }) => tx))
  await pushAgain(chain, [...(keep ? transactions : []), ...pending])
  const kept = transactions.filter(({ id }) => chain.pending.some(({ tx }) => tx.id === id))
  return { dropped: transactions.map(({ id }) => id), kept: kept.map(({ id }) => id) }
}

/** Drops transactions that are no longer valid. */
export async function pushAgain(chain: Chain, transactions: readonly Transaction[]): Promise<void> {
  for (const tx of transactions) {
    await push(chain, tx).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
    })
  }
}

/** Reads the state after the block at a height, then restores the current state. */
export async function stateAt<T>(chain: Chain, height: number, read: () => T | Promise<T>): Promise<T> {
  const { world, blocks } = chain
  const mark = world.changes.length
  const restore: Changes = []
  const put = ([key, before]: Changes[number]) => {
    restore.push([key, world.entries.get(key) ?? null])
    if (before === null) world.entries.delete(key)
    else world.entries.set(key, before)
  }
  for (const change of world.changes.toReversed()) put(change)
  for (const block of blocks.slice(height + 1).toReversed()) {
    if (block.before === null) throw new Error('the state of that block is no longer kept')
    for (const change of block.before) put(change)
  }
  try {
    return await read()
  } finally {
    rollBack(world, mark)
    undoSealed(world, restore.reverse())
  }
}
