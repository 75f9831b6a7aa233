import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import type { BlockReader, Transfer } from '../../../../src/chains/chain.ts'
import { type JsonRpc, RpcError } from '../../../../src/chains/providers/jsonRpc.ts'
import type { SilenceOptions } from '../../../../src/chains/providers/silence.ts'
import { solanaBlockReader } from '../../../../src/chains/solana/read/blockReader.ts'
import type { RpcMeta, RpcTokenBalance } from '../../../../src/chains/solana/rpcTypes.ts'
import { readByBytes } from '../../../support/readByBytes.ts'
import type { NodeOfView, ProtocolDialect, View } from '../dialect.ts'
import { type Transaction, type TreeBlock, type TreeTransfer, withBlock } from '../tree.ts'
import { configuredOne } from './configured.ts'
import { cached, onlyNode, providersOf } from './endpoint.ts'

const key = (text: string) => base58.encode(createHash('sha256').update(text).digest())
const payer = key('payer')
const base = configuredOne('SOLANA')
const mintOf = (symbol: string) => base.tokens.find((token) => token.symbol === symbol)?.contract ?? ''

/** Solana: slots without a block, forks of confirmed blocks, and finality by the chain's own report. */
export const solanaDialect: ProtocolDialect = {
  family: 'solana',
  chain: (confirmations) => ({ ...base, confirmations }),
  usdc: mintOf('USDC'),
  usdt: mintOf('USDT'),
  unknownToken: key('unknown mint'),
  unwatched: key('unwatched'),
  finalDepth: 4,
  skips: true,
  paysAhead: true,
  undirected: () => [],
  noParent: key('before the first'),
  transactionId: (nonce) => base58.encode(createHash('sha512').update(`${nonce}`).digest()),
  blockId: (block) =>
    block.skipped > 0 && block.parent ? `${withBlock(block.parent).id}+${block.skipped}` : key(block.content),
  transfersOf: (block) => block.placed.flatMap(({ transaction }) => gainsOf(transaction)),
  readerOf: (source, point) => readerOver([onlyNode(source, point)]),
  readerOver,
}

function readerOver(nodes: readonly NodeOfView[], silence?: SilenceOptions): BlockReader {
  return solanaBlockReader({ providers: providersOf(nodes.map(nodeOf), silence), withoutLight: new Set() })
}

/** An owner's gain of one token in one transaction is one transfer. */
function gainsOf({ id, transfers }: Transaction): Transfer[] {
  const gains = new Map<string, Transfer>()
  for (const { kind, contract, to, amount } of transfers) {
    if (kind === 'failed') continue
    const movementKey = `${to}:${contract ?? 'native'}`
    gains.set(movementKey, {
      txId: id,
      movementKey,
      contract,
      from: payer,
      to,
      amount: (gains.get(movementKey)?.amount ?? 0n) + amount,
    })
  }
  return [...gains.values()]
}

// --- A node with the methods that readers use (Solana docs, "RPC methods")
// --------------------------------------------------------

/** Nodes' codes for a skipped slot; they use some of them for missing slots too. */
const skippedCodes = [-32007, -32009, -32004] as const
const notAvailable = -32004

/** One block in eight, by its id. */
const isLate = ({ id }: TreeBlock) => (base58.decode(id)[0] ?? 1) % 8 === 0

/** Blocks that were requested before they were available; all readers of a tree share a node. */
const askedOf = cached((_: View) => new Set<string>())

function nodeOf({ name, view: tree, point, onRequest }: NodeOfView): JsonRpc {
  const refuse = (method: string, code: number, message: string): never => {
    throw new RpcError(`${name}: ${method}`, code, message)
  }
  // Some blocks are unavailable when first requested, although later blocks exist: only the next block's
  // parent distinguishes that from a skipped slot.
  const asked = askedOf(tree)
  let missing: TreeBlock | null = null
  const comesLate = (block: TreeBlock) =>
    isLate(block) &&
    block.height > (tree.final()?.height ?? 0) &&
    block !== tree.tip() &&
    !asked.has(block.id)
  const answers: Record<string, (first: never, options: never) => unknown> = {
    getSlot: ({ commitment }: { commitment: string }) =>
      (commitment === 'finalized' ? tree.final() : tree.tip())?.height,
    getBlock(slot: number, { transactionDetails }: { transactionDetails: 'full' | 'accounts' | 'none' }) {
      const block = tree.at(slot)
      if (!block) return refuse('getBlock', notAvailable, `Block not available for slot ${slot}`)
      if (block.skipped > 0)
        return refuse(
          'getBlock',
          skippedCodes[slot % skippedCodes.length] ?? notAvailable,
          `Slot ${slot} was skipped`,
        )
      if (comesLate(block)) {
        asked.add(block.id)
        missing = block
        return refuse('getBlock', notAvailable, `Block not available for slot ${slot}`)
      }
      return blockJson(block, transactionDetails)
    },
    getBlocksWithLimit(start: number) {
      const late = missing
      missing = null
      for (let slot = start; slot <= tree.tip().height; slot++)
        if (tree.at(slot)?.skipped === 0 && tree.at(slot) !== late) return [slot]
      return []
    },
  }
  const call = async (method: string, params: unknown) => {
    onRequest?.(method === 'getSlot' ? 'tip' : 'block')
    await point('read')
    const [first, options] = params as [never, never]
    return answers[method]?.(first, options) ?? refuse(method, -32601, 'Method not found')
  }
  return readByBytes({
    name,
    call,
    callMany: (method, all) => Promise.all(all.map((params) => call(method, params))),
    close: async () => {},
  })
}

function blockJson(block: TreeBlock, details: 'full' | 'accounts' | 'none') {
  const before = block.parent && withBlock(block.parent)
  return {
    blockhash: block.id,
    previousBlockhash: before?.id ?? block.parentId,
    parentSlot: before?.height ?? block.height - 1,
    blockTime: block.time.getTime() / 1000,
    ...(details === 'none'
      ? {}
      : { transactions: block.placed.map(({ transaction }) => transactionJson(transaction, details)) }),
  }
}

const fee = 5000
/** Balances before, of lamports and tokens. */
const held = 1_000_000_000

function transactionJson({ id, transfers }: Transaction, details: 'full' | 'accounts') {
  const owners = [...new Set(transfers.map(({ to }) => to))]
  const mints = [...new Set(transfers.flatMap(({ contract }) => contract ?? []))]
  const accounts = [payer, ...mints].flatMap((of) =>
    of === payer ? [] : [payer, ...owners].map((owner) => ({ owner, mint: of })),
  )
  const keys = [payer, ...owners, ...accounts.map(({ owner, mint }) => key(`${owner} ${mint}`))]
  const meta = metaOf(transfers, keys.length, owners, accounts)
  return details === 'full'
    ? { transaction: { signatures: [id], message: { accountKeys: keys, instructions: [] } }, meta }
    : { transaction: { signatures: [id], accountKeys: keys.map((pubkey) => ({ pubkey })) }, meta }
}

function metaOf(
  transfers: readonly TreeTransfer[],
  keys: number,
  owners: readonly string[],
  accounts: readonly { owner: string; mint: string }[],
): RpcMeta {
  const failed = transfers.some(({ kind }) => kind === 'failed')
  const moved = (contract: string | null, to: string | null) =>
    failed
      ? 0
      : Number(
          transfers
            .filter((each) => each.contract === contract && (to === null || each.to === to))
            .reduce((sum, { amount }) => sum + amount, 0n),
        )
  const lamports = Array.from({ length: keys }, () => held)
  const tokens = (after: boolean) =>
    accounts.flatMap(({ owner, mint }, index): RpcTokenBalance[] => {
      const [isPayer, got] = [owner === payer, owner === payer ? -moved(mint, null) : moved(mint, owner)]
      // The first paying transaction opens an account: before, it is missing.
      if (!isPayer && !after) return []
      return [
        {
          accountIndex: 1 + owners.length + index,
          mint,
          owner,
          uiTokenAmount: { amount: String((isPayer ? held : 0) + (after ? got : 0)) },
        },
      ]
    })
  return {
    err: failed ? { InstructionError: [0, { Custom: 1 }] } : null,
    fee,
    preBalances: lamports,
    postBalances: lamports.map((amount, index) => {
      if (index === 0) return amount - fee - moved(null, null)
      const owner = owners[index - 1]
      return owner === undefined ? amount : amount + moved(null, owner)
    }),
    preTokenBalances: tokens(false),
    postTokenBalances: tokens(true),
    innerInstructions: [],
    loadedAddresses: { writable: [], readonly: [] },
  }
}
