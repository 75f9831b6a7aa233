import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { type JsonRpc, RpcError } from '../../src/chains/providers/jsonRpc.ts'
import { createProviders } from '../../src/chains/providers/providers.ts'
import { solanaBlockReader } from '../../src/chains/solana/read/blockReader.ts'
import type {
  RpcInstruction,
  RpcMeta,
  RpcTokenBalance,
  RpcTransaction,
} from '../../src/chains/solana/rpcTypes.ts'
import { readByBytes } from './readByBytes.ts'

/** Synthetic slots of Solana, and nodes in this process that answer as Agave does. */

const sha256 = (text: string) => createHash('sha256').update(text).digest()
/** The address, or hash, of a text. */
export const key = (word: string): string => base58.encode(sha256(word))
export const signatureOf = (word: string): string =>
  base58.encode(Buffer.concat([sha256(word), sha256(`${word} again`)]))
export const payer = key('payer')
export const mint = key('mint')
export const systemProgram = '11111111111111111111111111111111'
export const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const memoProgram = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

export interface MadeSolana {
  signature?: string
  /** After the payer, whose balance does not change by default. */
  accounts?: { key: string; before?: number; after?: number }[]
  payerBefore?: number
  payerAfter?: number
  tokens?: {
    owner?: string
    mint?: string
    before?: bigint | null
    after?: bigint | null
    account?: number
  }[]
  instructions?: RpcInstruction[]
  meta?: Partial<RpcMeta>
}

let made = 0

/** A transaction in the encoding `json`. A token balance of null is left out: the account did not exist. */
export function madeSolana({
  signature,
  accounts = [],
  payerBefore = 0,
  payerAfter = payerBefore,
  tokens = [],
  instructions = [],
  meta,
}: MadeSolana): RpcTransaction {
  made += 1
  const balances = (which: 'before' | 'after'): RpcTokenBalance[] =>
    tokens.flatMap(({ owner, mint: of = mint, account = 0, [which]: amount = 0n }) =>
      amount === null
        ? []
        : [
            {
              accountIndex: account,
              mint: of,
              ...(owner === undefined ? {} : { owner }),
              uiTokenAmount: { amount: amount.toString() },
            },
          ],
    )
  return {
    transaction: {
      signatures: [signature ?? signatureOf(`transaction ${made}`)],
      message: { accountKeys: [payer, ...accounts.map((each) => each.key)], instructions },
    },
    meta: {
      err: null,
      fee: 0,
      preBalances: [payerBefore, ...accounts.map(({ before = 0 }) => before)],
      postBalances: [payerAfter, ...accounts.map(({ before = 0, after = before }) => after)],
      preTokenBalances: balances('before'),
      postTokenBalances: balances('after'),
      innerInstructions: [],
      loadedAddresses: { writable: [], readonly: [] },
      ...meta,
    },
  }
}

/** A block of a slot; slots between it and its parent were skipped. */
export interface MadeSlot {
  slot: number
  parent: number
  transactions: RpcTransaction[]
  fork: string
}

export const madeSlot = (
  slot: number,
  transactions: RpcTransaction[] = [],
  { parent = slot - 1, fork = 'a' } = {},
): MadeSlot => ({
  slot,
  parent,
  transactions,
  fork,
})

export const hashOf = (slot: number, fork = 'a'): string => key(`block ${fork} ${slot}`)
export const timeOf = (slot: number): number => 1_700_000_000 + slot

export interface GetBlockOptions {
  transactionDetails?: 'full' | 'accounts' | 'none'
  commitment?: string
  maxSupportedTransactionVersion?: number
}

function blockJson({ slot, parent, transactions, fork }: MadeSlot, { transactionDetails }: GetBlockOptions) {
  const accounts = (each: RpcTransaction) => {
    if (Array.isArray(each.transaction)) throw new Error('made transactions are JSON')
    const keys = [
      ...each.transaction.message.accountKeys,
      ...(each.meta?.loadedAddresses?.writable ?? []),
      ...(each.meta?.loadedAddresses?.readonly ?? []),
    ]
    return {
      transaction: {
        signatures: each.transaction.signatures,
        accountKeys: keys.map((pubkey) => ({ pubkey })),
      },
      meta: each.meta,
    }
  }
  return {
    blockhash: hashOf(slot, fork),
    previousBlockhash: hashOf(parent, fork),
    parentSlot: parent,
    blockTime: timeOf(slot),
    ...(transactionDetails === 'full' && { transactions }),
    ...(transactionDetails === 'accounts' && { transactions: transactions.map(accounts) }),
  }
}

export type SolanaAnswers = Record<string, (params: unknown[], truth: () => unknown) => unknown>

export interface MadeSolanaNode extends JsonRpc {
  /** Calls since the test's last check: `method parameter`. */
  asked: string[]
}

/**
 * A node that has these slots, of which `finalized` are final. `answer` replaces the answer of a method, or
 * throws.
 */
export function madeSolanaNode(
  name: string,
  slots: readonly MadeSlot[],
  answer: SolanaAnswers = {},
  finalized = slots[0]?.slot ?? 0,
): MadeSolanaNode {
  const asked: string[] = []
  const newest = slots.at(-1)?.slot ?? 0
  const truth: Record<string, (params: unknown[]) => unknown> = {
    getSlot: ([options]) =>
      (options as { commitment?: string }).commitment === 'finalized' ? finalized : newest,
    getBlock: ([slot, options]) => {
      const found = slots.find((each) => each.slot === slot)
      if (found) return blockJson(found, options as GetBlockOptions)
      // Agave's own messages.
      if (Number(slot) > newest)
        throw new RpcError(`${name}: getBlock`, -32004, `Block not available for slot ${slot}`)
      throw new RpcError(
        `${name}: getBlock`,
        -32007,
        `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
      )
    },
    getBlocksWithLimit: ([from, limit]) =>
      slots
        .filter(({ slot }) => slot >= Number(from))
        .map(({ slot }) => slot)
        .slice(0, Number(limit)),
    getTransaction: ([signature]) => {
      for (const { slot, transactions } of slots) {
        const found = transactions.find(
          ({ transaction }) => !Array.isArray(transaction) && transaction.signatures[0] === signature,
        )
        if (found) return { ...found, slot }
      }
      return null
    },
    getSignatureStatuses: () => ({ value: [null] }),
  }
  return {
    name,
    asked,
    close: async () => {},
    callMany: () => Promise.reject(new Error('not used')),
    async call(method: string, params: unknown[]) {
      asked.push(`${method} ${String(params[0])}`)
      const honest = () => truth[method]?.(params) ?? null
      return answer[method] ? answer[method](params, honest) : honest()
    },
  }
}

/** A reader of these nodes, the best one first; lists the nodes whose answers it refused. */
export function madeSolanaReader(nodes: readonly JsonRpc[]) {
  const refused: string[] = []
  const providers = createProviders<JsonRpc>(
    nodes.map((node) => () => readByBytes(node)),
    { observe: { called: () => {}, refused: (provider) => void refused.push(provider) } },
  )
  return { reader: solanaBlockReader({ providers, withoutLight: new Set() }), refused }
}
