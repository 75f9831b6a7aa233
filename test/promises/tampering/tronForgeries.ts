import { createHash } from 'node:crypto'
import type { TronInternal, TronLog, TronTransactionInfo } from '../../../src/chains/tron/rpcTypes.ts'
import type { Transaction, TronRecording } from '../../support/recordedTron.ts'

/** A block with its outcomes, as a node serves them. */
export interface ServedBlock {
  block: TronRecording
  infos: TronTransactionInfo[]
}

type Lie = (served: ServedBlock) => ServedBlock | null

const outsider = 'c0'.repeat(20)
const succeeded = 'SUCCESS'
const failed = 'OUT_OF_ENERGY'

/**
 * False answers about a block under its known id. Each returns null for a block that it does not apply to.
 */
export const tronForgeries = {
  'a transaction is left out': (served) => onTransaction(served, isPayment, () => ({ transaction: null })),
  'a transaction is left out, with its outcome': (served) =>
    onTransaction(served, isPayment, () => ({ transaction: null, info: null })),
  'a log is left out': (served) => onLog(served, () => []),
  'a transaction is added, with its outcome': (served) => {
    const [like, info] = found(served, isPayment)
    if (!like || !info) return null
    const added = renamed({ ...like, raw_data_hex: otherAmount(like) })
    return withTransactions({ ...served, infos: [...served.infos, { ...info, id: added.txID }] }, [
      ...transactionsOf(served),
      added,
    ])
  },
  'a log is added': (served) => onLog(served, (log) => [log, { ...log, data: '5'.padStart(64, '0') }]),
  'an amount in a log is another': (served) =>
    onLog(served, (log) => [{ ...log, data: otherDigit(log.data ?? '') }]),
  'a receiver in a log is another': (served) => onLog(served, (log) => [withTopic(log, 2)]),
  'a sender in a log is another': (served) => onLog(served, (log) => [withTopic(log, 1)]),
  'the token of a log is another': (served) => onLog(served, (log) => [{ ...log, address: outsider }]),
  'a log is repeated': (served) => onLog(served, (log) => [log, log]),
  'a log is moved to another transaction': (served) => {
    const from = served.infos.findIndex(({ log = [] }) => log.length > 0)
    const to = served.infos.findIndex(({ receipt }, index) => index > from && receipt?.result === succeeded)
    const moved = served.infos[from]?.log ?? []
    if (from < 0 || to < 0) return null
    const logs = (index: number, { log = [] }: TronTransactionInfo) => {
      if (index === from) return []
      return index === to ? [...log, ...moved] : log
    }
    return { ...served, infos: served.infos.map((info, index) => ({ ...info, log: logs(index, info) })) }
  },
  'an amount in the JSON is another': (served) =>
    onTransaction(served, isPayment, ({ raw_data, ...transaction }) => {
      const contract = raw_data.contract.map((each) => ({
        ...each,
        parameter: { value: { ...each.parameter.value, amount: 5, data: 'aa' } },
      }))
      return { transaction: { ...transaction, raw_data: { ...raw_data, contract } } }
    }),
  'an amount in the signed bytes is another': (served) =>
    onTransaction(served, isPayment, (transaction) => ({
      transaction: { ...transaction, raw_data_hex: otherAmount(transaction) },
    })),
  'an amount in the signed bytes is another, with its id': (served) =>
    onTransaction(served, isPayment, (transaction, info) => {
      const other = renamed({ ...transaction, raw_data_hex: otherAmount(transaction) })
      return { transaction: other, info: { ...info, id: other.txID } }
    }),
  'a success is shown as a failure by the block': (served) =>
    onTransaction(served, isPayment, (transaction) => ({
      transaction: { ...transaction, ret: [{ contractRet: failed }] },
    })),
  'a success is shown as a failure by the outcome': (served) =>
    onTransaction(served, isPayment, (_, info) => ({ info: { ...info, result: 'FAILED' } })),
  'a failure is shown as a success by the block': (served) =>
    onTransaction(served, isFailure, (transaction) => ({
      transaction: { ...transaction, ret: [{ contractRet: succeeded }] },
    })),
  'a failure is shown as a success by both': (served) =>
    onTransaction(served, isFailure, (transaction, { result: _, ...info }) => ({
      transaction: { ...transaction, ret: [{ contractRet: succeeded }] },
      info: {
        ...info,
        ...(info.receipt?.result ? { receipt: { result: succeeded } } : {}),
        log: [transferLog],
      },
    })),
  'two transactions are swapped': (served) => swapped(served, true, false),
  'two outcomes are swapped': (served) => swapped(served, false, true),
  'a transaction is repeated': (served) =>
    withTransactions(served, [...transactionsOf(served), ...transactionsOf(served).slice(0, 1)]),
  'a transaction is repeated, with its outcome': (served) =>
    withTransactions({ ...served, infos: [...served.infos, ...served.infos.slice(0, 1)] }, [
      ...transactionsOf(served),
      ...transactionsOf(served).slice(0, 1),
    ]),
  'the block is empty': ({ block: { transactions: _, ...block } }) => ({ block, infos: [] }),
  'the time is another': (served) =>
    withHeader(served, { timestamp: served.block.block_header.raw_data.timestamp + 3000 }),
  'the parent is another': (served) => withHeader(served, { parentHash: 'ab'.repeat(32) }),
  'an internal movement is left out': (served) => onInternal(served, () => []),
  'an internal movement is added': (served) =>
    onInternal(served, (each) => [each, { ...each, transferTo_address: `41${outsider}` }]),
  'an internal movement is another': (served) =>
    onInternal(served, (each) => [{ ...each, callValueInfo: [{ callValue: 5_000_000 }] }]),
} satisfies Record<string, Lie>

export type TronForgery = keyof typeof tronForgeries
export const tronForgeryNames = Object.keys(tronForgeries) as TronForgery[]

const transactionsOf = ({ block }: ServedBlock): Transaction[] => block.transactions ?? []
const withTransactions = (served: ServedBlock, transactions: Transaction[]): ServedBlock => ({
  ...served,
  block: { ...served.block, transactions },
})

const withHeader = (
  served: ServedBlock,
  more: Partial<TronRecording['block_header']['raw_data']>,
): ServedBlock => ({
  ...served,
  block: { ...served.block, block_header: { raw_data: { ...served.block.block_header.raw_data, ...more } } },
})

/** Transfers a token with a log, or TRX itself. */
const isPayment = ({ ret, raw_data }: Transaction, { log = [] }: TronTransactionInfo) =>
  ret[0]?.contractRet === succeeded && (log.length > 0 || raw_data.contract[0]?.type === 'TransferContract')
const isFailure = ({ ret }: Transaction) => ret[0]?.contractRet !== succeeded

function found(
  served: ServedBlock,
  suits: (each: Transaction, info: TronTransactionInfo) => boolean,
): [Transaction?, TronTransactionInfo?] {
  const infos = new Map(served.infos.map((info) => [info.id, info]))
  const transaction = transactionsOf(served).find((each) =>
    suits(each, infos.get(each.txID) as TronTransactionInfo),
  )
  return transaction ? [transaction, infos.get(transaction.txID) as TronTransactionInfo] : []
}

interface Change {
  /** Null removes it; undefined keeps the true one. */
  transaction?: Transaction | null
  info?: TronTransactionInfo | null
}

function onTransaction(
  served: ServedBlock,
  suits: (each: Transaction, info: TronTransactionInfo) => boolean,
  change: (transaction: Transaction, info: TronTransactionInfo) => Change,
): ServedBlock | null {
  const [chosen, outcome] = found(served, suits)
  if (!chosen || !outcome) return null
  const { transaction = chosen, info = outcome } = change(chosen, outcome)
  const put = <T>(list: readonly T[], old: T, other: T | null) =>
    list.map((each) => (each === old ? other : each)).filter((each) => each !== null)
  return withTransactions(
    { ...served, infos: put(served.infos, outcome, info) },
    put(transactionsOf(served), chosen, transaction),
  )
}

const onLog = (served: ServedBlock, change: (log: TronLog) => TronLog[]): ServedBlock | null =>
  onTransaction(
    served,
    (_, { log = [] }) => log.length > 0,
    (_, info) => ({ info: { ...info, log: (info.log ?? []).flatMap(change) } }),
  )

const onInternal = (
  served: ServedBlock,
  change: (each: TronInternal) => TronInternal[],
): ServedBlock | null =>
  onTransaction(
    served,
    (_, { internal_transactions: internal = [] }) => internal.length > 0,
    (_, info) => ({
      info: { ...info, internal_transactions: (info.internal_transactions ?? []).flatMap(change) },
    }),
  )

const swap = <T>([first, second, ...others]: readonly T[], is: boolean): T[] =>
  is && first !== undefined && second !== undefined
    ? [second, first, ...others]
    : [first, second, ...others].flatMap((each) => each ?? [])

const swapped = (served: ServedBlock, transactions: boolean, infos: boolean): ServedBlock | null =>
  served.infos.length < 2
    ? null
    : withTransactions(
        { ...served, infos: swap(served.infos, infos) },
        swap(transactionsOf(served), transactions),
      )

const otherDigit = (data: string) => `${data.slice(0, -1)}${data.endsWith('7') ? '8' : '7'}`
const withTopic = (log: TronLog, at: number): TronLog => ({
  ...log,
  topics: (log.topics ?? []).map((topic, index) => (index === at ? outsider.padStart(64, '0') : topic)),
})

/** The signed time is at the end of the bytes: changing it gives another valid but unsigned transaction. */
const otherAmount = ({ raw_data_hex }: Transaction): string => {
  const last = Number.parseInt(raw_data_hex.slice(-2), 16)
  return raw_data_hex.slice(0, -2) + (last ^ 1).toString(16).padStart(2, '0')
}

const renamed = (transaction: Transaction): Transaction => ({
  ...transaction,
  txID: createHash('sha256').update(Buffer.from(transaction.raw_data_hex, 'hex')).digest('hex'),
})

const transferLog: TronLog = {
  address: outsider,
  topics: [
    'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    '1'.padStart(64, '0'),
    outsider.padStart(64, '0'),
  ],
  data: '5'.padStart(64, '0'),
}
