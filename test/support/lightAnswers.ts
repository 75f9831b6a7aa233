import { solanaTransactions } from '../../bench/solanaTransactions.ts'
import type { Random } from '../promises/foreignBytes/mutate.ts'
import { type Change, formChanges, oddChangesOf } from './answerChanges.ts'
import { hashOf, timeOf } from './madeSolana.ts'

/** Answers to `getBlock` with `transactionDetails: accounts`, and changes of them. */

export interface LightTransaction {
  meta: Record<string, unknown> & {
    preBalances: number[]
    postBalances: number[]
    postTokenBalances: object[]
  }
  transaction: { accountKeys: { pubkey: string }[]; signatures: string[] }
  [more: string]: unknown
}

export interface LightAnswer {
  jsonrpc: '2.0'
  result: { transactions: LightTransaction[]; [more: string]: unknown }
  id: number
}

export const answerSlot = 1000
export const answerId = 7

export const lightAnswer = (transactions: readonly LightTransaction[]): LightAnswer => ({
  jsonrpc: '2.0',
  result: {
    blockHeight: answerSlot - 10,
    blockTime: timeOf(answerSlot),
    blockhash: hashOf(answerSlot),
    parentSlot: answerSlot - 1,
    previousBlockhash: hashOf(answerSlot - 1),
    transactions: [...transactions],
  },
  id: answerId,
})

/** The transactions of the recorded block of mainnet. */
export const recordedLight = (): LightTransaction[] =>
  solanaTransactions('accounts', 0, 1) as LightTransaction[]

/** The fields that are read. */
export const knownOfLight: ReadonlySet<string> = new Set([
  ...['id', 'result', 'blockhash', 'previousBlockhash', 'parentSlot', 'blockTime', 'transactions'],
  ...[
    'meta',
    'transaction',
    'err',
    'fee',
    'preBalances',
    'postBalances',
    'preTokenBalances',
    'postTokenBalances',
    'accountKeys',
    'pubkey',
    'owner',
  ],
])

const errors = [{ InstructionError: [3, { Custom: 27 }] }, 'AccountNotFound', false, 0, '', [], null]

type LightChange = Change<LightAnswer>

const ofTransaction =
  (change: (transaction: LightTransaction, random: Random) => unknown): LightChange =>
  (answer, random) => {
    const copy = structuredClone(answer)
    change(random.of(copy.result.transactions), random)
    return JSON.stringify(copy)
  }

/** Nodes may answer so: the reader of bytes should understand it, and most of all get it right. */
export const plainChanges: Record<string, LightChange> = {
  ...formChanges,
  lamports: ofTransaction(({ meta }, random) => {
    const balances = random.chance(0.5) ? meta.preBalances : meta.postBalances
    balances[random.below(balances.length)] = random.of([
      0,
      1,
      4999,
      5000,
      5001,
      random.of(meta.preBalances),
      random.of(meta.postBalances),
      2 ** 53 - 1,
    ])
  }),
  fee: ofTransaction(({ meta }, random) =>
    Object.assign(meta, { fee: random.of([0, 1, 5000, 10_000, random.below(1e6)]) }),
  ),
  err: ofTransaction(({ meta }, random) => Object.assign(meta, { err: random.of(errors) })),
  'no err': ofTransaction(({ meta }) => Reflect.deleteProperty(meta, 'err')),
  'no tokens': ofTransaction(({ meta }, random) =>
    Object.assign(meta, { [random.of(['preTokenBalances', 'postTokenBalances'])]: null }),
  ),
  'more fields': ofTransaction(({ meta, transaction }, random) =>
    Object.assign(random.of([meta, transaction, transaction.accountKeys[0] ?? {}]), {
      more: random.of([1, -1.5e-7, true, 'text', { owner: [{}] }]),
    }),
  ),
  accounts: ofTransaction(({ meta, transaction }, random) => {
    const at = random.below(transaction.accountKeys.length)
    for (const list of [meta.preBalances, meta.postBalances, transaction.accountKeys]) list.splice(at, 1)
  }),
  transactions: (answer, random) => {
    const { transactions } = answer.result
    const some = Array.from({ length: random.below(5) }, () => random.of(transactions))
    return JSON.stringify({ ...answer, result: { ...answer.result, transactions: some } })
  },
}

/** Most of these are refused, by both readers or by that of bytes alone. */
export const oddChanges: Record<string, LightChange> = oddChangesOf(knownOfLight)
