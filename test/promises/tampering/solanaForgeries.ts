import { base58 } from '@scure/base'
import type { RpcBlock, RpcMeta, RpcTokenBalance } from '../../../src/chains/solana/rpcTypes.ts'

/** The answer of `getBlock` in each form: whole as JSON or bytes, or accounts and balances only. */
export interface ServedBlock extends Omit<RpcBlock, 'transactions' | 'blockTime'> {
  blockTime: number
  transactions: ServedTransaction[]
}

interface ServedTransaction {
  transaction: [string, 'base64'] | Signed
  meta: RpcMeta
}

interface Signed {
  signatures: string[]
  message?: {
    accountKeys: string[]
    instructions: { programIdIndex: number; accounts: number[]; data: string }[]
  }
}

type Lie = (block: ServedBlock) => ServedBlock | null

const outsider = base58.encode(Buffer.alloc(32, 0xc0))
const otherHash = base58.encode(Buffer.alloc(32, 0xde))
const memoProgram = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

/**
 * False answers about a slot under its known hash. Each returns null for a block that it does not apply to.
 */
export const solanaForgeries = {
  'a transaction is left out': (block) => onPayment(block, () => []),
  'a token balance is left out': (block) =>
    withBalances(block, (each, gain) => (each.accountIndex === gain.accountIndex ? [] : [each])),
  'a transaction is added': (block) =>
    onPayment(block, (each) => [
      each,
      { ...each, transaction: withSignature(each.transaction), meta: withMore(each.meta) },
    ]),
  'an amount is another': (block) => onPayment(block, (each) => [{ ...each, meta: withMore(each.meta) }]),
  'a receiver is another': (block) =>
    withBalances(block, (each, gain) => [
      each.accountIndex === gain.accountIndex ? { ...each, owner: outsider } : each,
    ]),
  'a sender is another': (block) =>
    withBalances(block, (each, { owner }) => [each.owner === owner ? each : { ...each, owner: outsider }]),
  'a token is another': (block) =>
    withBalances(block, (each, { mint }) => [each.mint === mint ? { ...each, mint: outsider } : each]),
  'a success is shown as a failure': (block) =>
    onPayment(block, (each) => [
      { ...each, meta: { ...each.meta, err: { InstructionError: [0, { Custom: 1 }] } } },
    ]),
  'a failure is shown as a success': (block) =>
    onFirst(
      block,
      ({ meta }) => meta.err !== null && meta.postBalances.length > 1,
      (each) => [{ ...each, meta: withLamports({ ...each.meta, err: null }, 1) }],
    ),
  'two transactions are swapped': (block) => {
    const [first, second, ...others] = block.transactions
    return first && second ? { ...block, transactions: [second, first, ...others] } : null
  },
  'a transaction is repeated': (block) => onPayment(block, (each) => [each, each]),
  'the block is empty': (block) => ({ ...block, transactions: [] }),
  'the time is another': (block) => ({ ...block, blockTime: block.blockTime + 3600 }),
  'the parent is another': (block) => ({ ...block, previousBlockhash: otherHash }),
  'a slot before it is skipped': (block) => ({ ...block, parentSlot: block.parentSlot - 1 }),
  'native coin is added': (block) =>
    onFirst(
      block,
      ({ meta }) => meta.err === null && unmoved(meta) >= 0,
      (each) => [{ ...each, meta: withLamports(each.meta, unmoved(each.meta)) }],
    ),
  'an amount of the native coin is another': (block) =>
    onFirst(
      block,
      ({ meta }) => meta.err === null && moved(meta) >= 0,
      (each) => [{ ...each, meta: withLamports(each.meta, moved(each.meta)) }],
    ),
  'a memo is added': (block) =>
    onFirst(
      block,
      (each) =>
        gainIn(each) !== null && !Array.isArray(each.transaction) && each.transaction.message !== undefined,
      (each) => [withMemo(each)],
    ),
} satisfies Record<string, Lie>

export type SolanaForgery = keyof typeof solanaForgeries
export const solanaForgeryNames = Object.keys(solanaForgeries) as SolanaForgery[]

function onFirst(
  block: ServedBlock,
  suits: (each: ServedTransaction) => boolean,
  change: (each: ServedTransaction) => ServedTransaction[],
): ServedBlock | null {
  const at = block.transactions.findIndex(suits)
  return at < 0
    ? null
    : {
        ...block,
        transactions: block.transactions.flatMap((each, index) => (index === at ? change(each) : [each])),
      }
}

/** Prefers a payment between two owners, so that there is a sender. */
function onPayment(
  block: ServedBlock,
  change: (each: ServedTransaction) => ServedTransaction[],
): ServedBlock | null {
  const hasSender = block.transactions.some(isPayment)
  return onFirst(block, (each) => (hasSender ? isPayment(each) : gainIn(each) !== null), change)
}

const amountIn = (balances: readonly RpcTokenBalance[] | null | undefined, accountIndex: number): bigint =>
  BigInt(balances?.find((each) => each.accountIndex === accountIndex)?.uiTokenAmount.amount ?? 0)

const gainOf = ({ preTokenBalances, postTokenBalances }: RpcMeta, account: number): bigint =>
  amountIn(postTokenBalances, account) - amountIn(preTokenBalances, account)

/** The token balance that increased. */
const gainIn = ({ meta }: ServedTransaction): RpcTokenBalance | null =>
  meta.err === null
    ? (meta.postTokenBalances?.find(({ accountIndex }) => gainOf(meta, accountIndex) > 0n) ?? null)
    : null

function isPayment(each: ServedTransaction): boolean {
  const gain = gainIn(each)
  const before = each.meta.preTokenBalances ?? []
  return (
    gain !== null &&
    before.some(
      ({ mint, owner, accountIndex }) =>
        mint === gain.mint && owner !== gain.owner && gainOf(each.meta, accountIndex) < 0n,
    )
  )
}

const withBalances = (
  block: ServedBlock,
  change: (balance: RpcTokenBalance, gain: RpcTokenBalance) => RpcTokenBalance[],
): ServedBlock | null =>
  onPayment(block, (each) => {
    const gain = gainIn(each) as RpcTokenBalance
    const changed = (balances: RpcMeta['preTokenBalances']) =>
      (balances ?? []).flatMap((balance) => change(balance, gain))
    const { preTokenBalances, postTokenBalances } = each.meta
    return [
      {
        ...each,
        meta: {
          ...each.meta,
          preTokenBalances: changed(preTokenBalances),
          postTokenBalances: changed(postTokenBalances),
        },
      },
    ]
  })

function withMore(meta: RpcMeta): RpcMeta {
  const grown = meta.postTokenBalances?.find(({ accountIndex }) => gainOf(meta, accountIndex) > 0n)
  const more = (balance: RpcTokenBalance) => ({
    ...balance,
    uiTokenAmount: { amount: `${BigInt(balance.uiTokenAmount.amount) + 1n}` },
  })
  return {
    ...meta,
    postTokenBalances: (meta.postTokenBalances ?? []).map((each) => (each === grown ? more(each) : each)),
  }
}

const withLamports = (meta: RpcMeta, at: number): RpcMeta => ({
  ...meta,
  postBalances: meta.postBalances.map((balance, index) => (index === at ? balance + 5 : balance)),
})

const unmoved = ({ preBalances, postBalances }: RpcMeta) =>
  postBalances.findIndex((after, index) => index > 0 && after === preBalances[index])
const moved = ({ preBalances, postBalances }: RpcMeta) =>
  postBalances.findIndex((after, index) => index > 0 && after > (preBalances[index] ?? 0))

/** The signature identifies the transaction; in bytes it follows the count of signatures. */
function withSignature(transaction: ServedTransaction['transaction']): ServedTransaction['transaction'] {
  if (!Array.isArray(transaction))
    return {
      ...transaction,
      signatures: [base58.encode(Buffer.alloc(64, 7)), ...transaction.signatures.slice(1)],
    }
  const bytes = Buffer.from(transaction[0], 'base64')
  return [bytes.fill(7, 1, 65).toString('base64'), 'base64']
}

function withMemo(each: ServedTransaction): ServedTransaction {
  const signed = each.transaction as Required<Signed>
  const { accountKeys, instructions } = signed.message
  const memo = {
    programIdIndex: accountKeys.length,
    accounts: [],
    data: base58.encode(Buffer.from('order 5')),
  }
  const { preBalances, postBalances, loadedAddresses } = each.meta
  // Accounts of lookup tables come after the message's own.
  const count = (loadedAddresses?.writable.length ?? 0) + (loadedAddresses?.readonly.length ?? 0)
  const at = accountKeys.length
  const insert = (balances: readonly number[]) => [
    ...balances.slice(0, at),
    1,
    ...balances.slice(balances.length - count),
  ]
  return {
    transaction: {
      ...signed,
      message: {
        ...signed.message,
        accountKeys: [...accountKeys, memoProgram],
        instructions: [...instructions, memo],
      },
    },
    meta: { ...each.meta, preBalances: insert(preBalances), postBalances: insert(postBalances) },
  }
}
