import {
  Asset,
  Keypair,
  Memo,
  Networks,
  Operation,
  Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base'
import type { HorizonLedger } from '../../support/recordedHorizon.ts'
import { type EventForgery, eventForgeries } from './stellarEventForgeries.ts'
import { resultOf } from './stellarLedgers.ts'

type ServedTransaction = HorizonLedger['transactions'][number]
type Lie = (ledger: HorizonLedger) => HorizonLedger | null
type Built = Transaction['operations'][number]

const outsider = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 0xc0)).publicKey()
const otherTransfer = { asset_type: 'native', type: 'mint', to: outsider, amount: '5.0000000' }
const outsiderAsset = new Asset('USDC', outsider)

/**
 * False answers about a ledger under its known hash. Each returns null for a ledger that it does not apply
 * to.
 */
export const stellarForgeries: Record<string, Lie> = {
  'a transaction is left out': (ledger) => ({ ...ledger, transactions: ledger.transactions.slice(1) }),
  'a transaction is added': (ledger) => {
    const added = rebuilt(paymentOf(ledger), { amount: '5' })
    return added && { ...ledger, transactions: [...ledger.transactions, added] }
  },
  'two transactions are swapped': ({ transactions: [first, second, ...others], ...ledger }) =>
    first && second ? { ...ledger, transactions: [second, first, ...others] } : null,
  'a transaction is repeated': (ledger) => ({
    ...ledger,
    transactions: [...ledger.transactions, ...ledger.transactions.slice(0, 1)],
  }),
  'the ledger is empty': (ledger) => ({ ...ledger, transactions: [] }),
  'an amount in the envelope is another': (ledger) => underOldHash(ledger, { amount: '5' }),
  'a receiver in the envelope is another': (ledger) => underOldHash(ledger, { destination: outsider }),
  'a sender in the envelope is another': (ledger) => underOldHash(ledger, { source: outsider }),
  'an asset in the envelope is another': (ledger) => underOldHash(ledger, { asset: outsiderAsset }),
  'a memo in the envelope is another': (ledger) => underOldHash(ledger, {}, Memo.id('5')),
  'an amount in the envelope is another, with its hash': (ledger) => {
    const chosen = paymentOf(ledger)
    const other = rebuilt(chosen, { amount: '5' })
    return (
      other && {
        ...ledger,
        transactions: ledger.transactions.map((each) => (each === chosen ? other : each)),
      }
    )
  },
  'a success is shown as a failure': (ledger) =>
    onFirst(ledger, succeeded, (each) => ({
      ...each,
      resultXdr: resultOf(xdr.TransactionResultResult.txBadSeq()),
    })),
  'a failure is shown as a success': (ledger) =>
    onFirst(
      ledger,
      (each) => !succeeded(each),
      (each) => ({ ...each, resultXdr: resultOf(xdr.TransactionResultResult.txSuccess([createdAccount])) }),
    ),
  'a result is another': (ledger) =>
    onFirst(ledger, succeeded, (each) => {
      const result = xdr.TransactionResult.fromXDR(each.resultXdr, 'base64')
      return {
        ...each,
        resultXdr: new xdr.TransactionResult({ ...result, feeCharged: result.feeCharged + 1n }).toXDR(
          'base64',
        ),
      }
    }),
  'the time is another': (ledger) => withHeader(ledger, { scpValue: laterThan(ledger.header.scpValue) }),
  'the parent is another': (ledger) =>
    withHeader(ledger, { previousLedgerHash: ledger.header.txSetResultHash }),
  'what a claim took is left out': (ledger) => onClaim(ledger, () => []),
  'what a claim took is another': (ledger) =>
    onClaim(ledger, (change) => (change.type === 'ledgerEntryState' ? [withAmount(change.state)] : [change])),
  "Horizon's answer about a claim is left out": (ledger) => withHorizon(ledger, { effects: [] }),
  "Horizon's answer about a claim is another": (ledger) =>
    withHorizon(ledger, {
      effects: (ledger.effects ?? []).map((each) => ({ ...each, amount: '8.0000000' })),
    }),
  "Horizon's answer about a call is left out": (ledger) => withHorizon(ledger, { operations: [] }),
  "Horizon's answer about a call is another": (ledger) =>
    withHorizon(ledger, {
      operations: (ledger.operations ?? []).map((each) => ({
        ...each,
        asset_balance_changes: [otherTransfer],
      })),
    }),
  ...Object.fromEntries(
    (['payment', 'trade', 'call'] as const).flatMap((kind) =>
      Object.entries(eventForgeries).map(([name, lie]) => [
        `an event of a ${kind} is ${name}`,
        (ledger: HorizonLedger) => onEvents(ledger, kind, lie),
      ]),
    ),
  ),
}

const createdAccount = xdr.OperationResult.opInner(
  xdr.OperationResultTr.createAccount(xdr.CreateAccountResult.createAccountSuccess()),
)

const onFirst = (
  ledger: HorizonLedger,
  suits: (each: ServedTransaction) => boolean,
  change: (each: ServedTransaction) => ServedTransaction,
): HorizonLedger | null => {
  const at = ledger.transactions.findIndex(suits)
  return at < 0
    ? null
    : {
        ...ledger,
        transactions: ledger.transactions.map((each, index) => (index === at ? change(each) : each)),
      }
}

const plainOf = ({ envelopeXdr }: ServedTransaction): Transaction | null => {
  const built = TransactionBuilder.fromXDR(envelopeXdr, Networks.PUBLIC)
  return built instanceof Transaction ? built : null
}

const succeeded = ({ resultXdr }: ServedTransaction) =>
  /Success$/.test(xdr.TransactionResult.fromXDR(resultXdr, 'base64').result.type)
const isPayment = (each: ServedTransaction) =>
  plainOf(each)?.operations.some(({ type }) => type === 'payment') ?? false
const paymentOf = ({ transactions }: HorizonLedger) =>
  transactions.find((each) => succeeded(each) && isPayment(each))

/** The same transaction with another first payment or memo, and the new hash. */
function rebuilt(served: ServedTransaction | undefined, more: object, memo?: Memo): ServedTransaction | null {
  const recorded = served && plainOf(served)
  if (!served || !recorded) return null
  const timebounds = recorded.timeBounds ?? { minTime: '0', maxTime: '0' }
  const builder = TransactionBuilder.cloneFrom(recorded, {
    timebounds,
    memo: memo ?? recorded.memo,
  }).clearOperations()
  const first = recorded.operations.findIndex(({ type }) => type === 'payment')
  for (const [index, operation] of recorded.operations.entries())
    builder.addOperation(operationOf(operation, index === first ? more : {}))
  const built = builder.build()
  return { ...served, txHash: Buffer.from(built.hash()).toString('hex'), envelopeXdr: built.toXDR() }
}

const operationOf = (operation: Built, more: object) => {
  if (operation.type !== 'payment') throw new Error('only payments can be rebuilt')
  const { destination, asset, amount, source } = { ...operation, ...more }
  return Operation.payment({ destination, asset, amount, ...(source ? { source } : {}) })
}

function underOldHash(ledger: HorizonLedger, more: object, memo?: Memo): HorizonLedger | null {
  const chosen = paymentOf(ledger)
  const other = rebuilt(chosen, more, memo)
  if (!chosen || !other) return null
  const served = { ...other, txHash: chosen.txHash }
  return { ...ledger, transactions: ledger.transactions.map((each) => (each === chosen ? served : each)) }
}

const withHeader = (ledger: HorizonLedger, more: Partial<xdr.LedgerHeader>): HorizonLedger => ({
  ...ledger,
  header: new xdr.LedgerHeader({ ...ledger.header, ...more }),
})

const laterThan = (value: xdr.StellarValue) =>
  new xdr.StellarValue({ ...value, closeTime: value.closeTime + 3600n })

/** Effects and operations are read only without metadata. */
const withHorizon = (
  ledger: HorizonLedger,
  more: Pick<HorizonLedger, 'effects' | 'operations'>,
): HorizonLedger | null =>
  !ledger.effects || ledger.transactions.some((each) => 'resultMetaXdr' in each)
    ? null
    : { ...ledger, ...more }

type Change = (meta: xdr.OperationMetaV2, index: number) => xdr.OperationMetaV2

/** Changes each operation's metadata. */
function onMeta(served: ServedTransaction, change: Change): ServedTransaction {
  if (!('resultMetaXdr' in served)) return served
  const meta = xdr.TransactionMeta.fromXDR(served.resultMetaXdr, 'base64')
  if (meta.type !== 'v4') return served
  const changed = xdr.TransactionMeta.v4(
    new xdr.TransactionMetaV4({ ...meta.v4, operations: meta.v4.operations.map(change) }),
  )
  return { ...served, resultMetaXdr: changed.toXDR('base64') }
}

/** Null if no transaction changed. */
const changed = (ledger: HorizonLedger, transactions: ServedTransaction[]): HorizonLedger | null =>
  transactions.every((each, index) => JSON.stringify(each) === JSON.stringify(ledger.transactions[index]))
    ? null
    : { ...ledger, transactions }

const kindsOf = {
  payment: /^payment$/,
  trade: /^(pathPayment|manage)/,
  call: /^invokeHostFunction$/,
}

/**
 * Changes the events of the first operation of a kind that has events: only one, so that no other change
 * causes a refusal.
 */
function onEvents(
  ledger: HorizonLedger,
  kind: keyof typeof kindsOf,
  lie: EventForgery,
): HorizonLedger | null {
  let isDone = false
  const transactions = ledger.transactions.map((served) => {
    const types = plainOf(served)?.operations.map(({ type }) => type) ?? []
    return onMeta(served, (meta, index) => {
      if (isDone || meta.events.length === 0 || !kindsOf[kind].test(types[index] ?? '')) return meta
      isDone = true
      return new xdr.OperationMetaV2({ ...meta, events: lie(meta.events) })
    })
  })
  return isDone ? { ...ledger, transactions } : null
}

function onClaim(
  ledger: HorizonLedger,
  change: (each: xdr.LedgerEntryChange) => xdr.LedgerEntryChange[],
): HorizonLedger | null {
  const isClaim = (served: ServedTransaction) =>
    plainOf(served)?.operations.some(({ type }) => type === 'claimClaimableBalance')
  const transactions = ledger.transactions.map((served) =>
    isClaim(served)
      ? onMeta(served, (meta) => new xdr.OperationMetaV2({ ...meta, changes: meta.changes.flatMap(change) }))
      : served,
  )
  return changed(ledger, transactions)
}

function withAmount(entry: xdr.LedgerEntry): xdr.LedgerEntryChange {
  if (entry.data.type !== 'claimableBalance') return xdr.LedgerEntryChange.ledgerEntryState(entry)
  const balance = new xdr.ClaimableBalanceEntry({ ...entry.data.claimableBalance, amount: 5n })
  return xdr.LedgerEntryChange.ledgerEntryState(
    new xdr.LedgerEntry({ ...entry, data: xdr.LedgerEntryData.claimableBalance(balance) }),
  )
}
