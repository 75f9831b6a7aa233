import { createHash } from 'node:crypto'
import type { TronInternal, TronLog, TronTransactionInfo } from '../../../src/chains/tron/rpcTypes.ts'
import type { Transaction, TronRecording } from '../../support/recordedTron.ts'

/** A block with its outcomes, as a node answers both. */
export interface ReportedBlock {
  block: TronRecording
  infos: TronTransactionInfo[]
}

type Lie = (told: ReportedBlock) => ReportedBlock | null

const stranger = 'c0'.repeat(20)
const succeeded = 'SUCCESS'
const failed = 'OUT_OF_ENERGY'

/** Lies about a block under its known id. Each gives null where the block offers nothing to lie about. */
export const tronLies = {
  'a transaction is left out': (told) => onTransaction(told, isPayment, () => ({ transaction: null })),
  'a transaction is left out, with its outcome': (told) => onTransaction(told, isPayment, () => ({ transaction: null, info: null })),
  'a log is left out': (told) => onLog(told, () => []),
  'a transaction is added, with its outcome': (told) => {
    const [like, info] = found(told, isPayment)
    if (!like || !info) return null
    const added = renamed({ ...like, raw_data_hex: otherAmount(like) })
    return withTransactions({ ...told, infos: [...told.infos, { ...info, id: added.txID }] }, [...transactionsOf(told), added])
  },
  'a log is added': (told) => onLog(told, (log) => [log, { ...log, data: '5'.padStart(64, '0') }]),
  'an amount in a log is another': (told) => onLog(told, (log) => [{ ...log, data: otherDigit(log.data ?? '') }]),
  'a receiver in a log is another': (told) => onLog(told, (log) => [withTopic(log, 2)]),
  'a sender in a log is another': (told) => onLog(told, (log) => [withTopic(log, 1)]),
  'the token of a log is another': (told) => onLog(told, (log) => [{ ...log, address: stranger }]),
  'a log is repeated': (told) => onLog(told, (log) => [log, log]),
  'a log is moved to another transaction': (told) => {
    const from = told.infos.findIndex(({ log = [] }) => log.length > 0)
    const to = told.infos.findIndex(({ receipt }, index) => index > from && receipt?.result === succeeded)
    const moved = told.infos[from]?.log ?? []
    if (from < 0 || to < 0) return null
    const logs = (index: number, { log = [] }: TronTransactionInfo) => (index === from ? [] : index === to ? [...log, ...moved] : log)
    return { ...told, infos: told.infos.map((info, index) => ({ ...info, log: logs(index, info) })) }
  },
  'an amount in the JSON is another': (told) =>
    onTransaction(told, isPayment, ({ raw_data, ...transaction }) => {
      const contract = raw_data.contract.map((each) => ({ ...each, parameter: { value: { ...each.parameter.value, amount: 5, data: 'aa' } } }))
      return { transaction: { ...transaction, raw_data: { ...raw_data, contract } } }
    }),
  'an amount in the signed bytes is another': (told) =>
    onTransaction(told, isPayment, (transaction) => ({ transaction: { ...transaction, raw_data_hex: otherAmount(transaction) } })),
  'an amount in the signed bytes is another, with its id': (told) =>
    onTransaction(told, isPayment, (transaction, info) => {
      const other = renamed({ ...transaction, raw_data_hex: otherAmount(transaction) })
      return { transaction: other, info: { ...info, id: other.txID } }
    }),
  'a success is shown as a failure by the block': (told) =>
    onTransaction(told, isPayment, (transaction) => ({ transaction: { ...transaction, ret: [{ contractRet: failed }] } })),
  'a success is shown as a failure by the outcome': (told) => onTransaction(told, isPayment, (_, info) => ({ info: { ...info, result: 'FAILED' } })),
  'a failure is shown as a success by the block': (told) =>
    onTransaction(told, isFailure, (transaction) => ({ transaction: { ...transaction, ret: [{ contractRet: succeeded }] } })),
  'a failure is shown as a success by both': (told) =>
    onTransaction(told, isFailure, (transaction, { result: _, ...info }) => ({
      transaction: { ...transaction, ret: [{ contractRet: succeeded }] },
      info: { ...info, ...(info.receipt?.result ? { receipt: { result: succeeded } } : {}), log: [transferLog] },
    })),
  'two transactions are swapped': (told) => swapped(told, true, false),
  'two outcomes are swapped': (told) => swapped(told, false, true),
  'a transaction is repeated': (told) => withTransactions(told, [...transactionsOf(told), ...transactionsOf(told).slice(0, 1)]),
  'a transaction is repeated, with its outcome': (told) =>
    withTransactions({ ...told, infos: [...told.infos, ...told.infos.slice(0, 1)] }, [...transactionsOf(told), ...transactionsOf(told).slice(0, 1)]),
  'the block is empty': ({ block: { transactions: _, ...block } }) => ({ block, infos: [] }),
  'the time is another': (told) => withHeader(told, { timestamp: told.block.block_header.raw_data.timestamp + 3000 }),
  'the parent is another': (told) => withHeader(told, { parentHash: 'ab'.repeat(32) }),
  'an internal movement is left out': (told) => onInternal(told, () => []),
  'an internal movement is added': (told) => onInternal(told, (each) => [each, { ...each, transferTo_address: `41${stranger}` }]),
  'an internal movement is another': (told) => onInternal(told, (each) => [{ ...each, callValueInfo: [{ callValue: 5_000_000 }] }]),
} satisfies Record<string, Lie>

export type TronLie = keyof typeof tronLies
export const tronLieNames = Object.keys(tronLies) as TronLie[]

const transactionsOf = ({ block }: ReportedBlock): Transaction[] => block.transactions ?? []
const withTransactions = (told: ReportedBlock, transactions: Transaction[]): ReportedBlock => ({ ...told, block: { ...told.block, transactions } })

const withHeader = (told: ReportedBlock, more: Partial<TronRecording['block_header']['raw_data']>): ReportedBlock => ({
  ...told,
  block: { ...told.block, block_header: { raw_data: { ...told.block.block_header.raw_data, ...more } } },
})

/** It moves a token by a log, or TRX by itself. */
const isPayment = ({ ret, raw_data }: Transaction, { log = [] }: TronTransactionInfo) =>
  ret[0]?.contractRet === succeeded && (log.length > 0 || raw_data.contract[0]?.type === 'TransferContract')
const isFailure = ({ ret }: Transaction) => ret[0]?.contractRet !== succeeded

function found(told: ReportedBlock, suits: (each: Transaction, info: TronTransactionInfo) => boolean): [Transaction?, TronTransactionInfo?] {
  const infos = new Map(told.infos.map((info) => [info.id, info]))
  const transaction = transactionsOf(told).find((each) => suits(each, infos.get(each.txID) as TronTransactionInfo))
  return transaction ? [transaction, infos.get(transaction.txID) as TronTransactionInfo] : []
}

interface Change {
  /** Null leaves it out; without it the true one stays. */
  transaction?: Transaction | null
  info?: TronTransactionInfo | null
}

function onTransaction(
  told: ReportedBlock,
  suits: (each: Transaction, info: TronTransactionInfo) => boolean,
  change: (transaction: Transaction, info: TronTransactionInfo) => Change,
): ReportedBlock | null {
  const [chosen, outcome] = found(told, suits)
  if (!chosen || !outcome) return null
  const { transaction = chosen, info = outcome } = change(chosen, outcome)
  const put = <T>(list: readonly T[], old: T, other: T | null) => list.flatMap((each) => (each !== old ? [each] : other === null ? [] : [other]))
  return withTransactions({ ...told, infos: put(told.infos, outcome, info) }, put(transactionsOf(told), chosen, transaction))
}

const onLog = (told: ReportedBlock, change: (log: TronLog) => TronLog[]): ReportedBlock | null =>
  onTransaction(
    told,
    (_, { log = [] }) => log.length > 0,
    (_, info) => ({ info: { ...info, log: (info.log ?? []).flatMap(change) } }),
  )

const onInternal = (told: ReportedBlock, change: (each: TronInternal) => TronInternal[]): ReportedBlock | null =>
  onTransaction(
    told,
    (_, { internal_transactions: internal = [] }) => internal.length > 0,
    (_, info) => ({ info: { ...info, internal_transactions: (info.internal_transactions ?? []).flatMap(change) } }),
  )

const swap = <T>([first, second, ...others]: readonly T[], is: boolean): T[] =>
  is && first !== undefined && second !== undefined ? [second, first, ...others] : [first, second, ...others].flatMap((each) => each ?? [])

const swapped = (told: ReportedBlock, transactions: boolean, infos: boolean): ReportedBlock | null =>
  told.infos.length < 2 ? null : withTransactions({ ...told, infos: swap(told.infos, infos) }, swap(transactionsOf(told), transactions))

const otherDigit = (data: string) => `${data.slice(0, -1)}${data.endsWith('7') ? '8' : '7'}`
const withTopic = (log: TronLog, at: number): TronLog => ({
  ...log,
  topics: (log.topics ?? []).map((topic, index) => (index === at ? stranger.padStart(64, '0') : topic)),
})

/** The signed time stands at the end of the bytes: with another one they are still a transaction, and one that was not signed. */
const otherAmount = ({ raw_data_hex }: Transaction): string => {
  const last = Number.parseInt(raw_data_hex.slice(-2), 16)
  return raw_data_hex.slice(0, -2) + (last ^ 1).toString(16).padStart(2, '0')
}

const renamed = (transaction: Transaction): Transaction => ({
  ...transaction,
  txID: createHash('sha256').update(Buffer.from(transaction.raw_data_hex, 'hex')).digest('hex'),
})

const transferLog: TronLog = {
  address: stranger,
  topics: ['ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', '1'.padStart(64, '0'), stranger.padStart(64, '0')],
  data: '5'.padStart(64, '0'),
}
