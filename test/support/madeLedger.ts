import { createHash } from 'node:crypto'
import {
  Account,
  Address,
  Asset,
  Keypair,
  type Memo,
  nativeToScVal,
  Operation,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base'
import { createProviders } from '../../src/chains/providers/providers.ts'
import { stellarBlockReader } from '../../src/chains/stellar/blockReader.ts'
import {
  headerOf,
  type LedgerSource,
  type RawLedger,
  type RawTransaction,
} from '../../src/chains/stellar/ledger.ts'

/** Synthetic ledgers with valid hashes, and sources in this process that serve them. */

export const network = 'A network that a test made up'
const sha256 = (...parts: Uint8Array[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
export const keyOf = (name: string): Keypair => Keypair.fromRawEd25519Seed(sha256(Buffer.from(name)))
export const addressOf = (name: string): string => keyOf(name).publicKey()

const issuer = addressOf('issuer')
export const usdcAsset = new Asset('USDC', issuer)
export const usdcCode = `USDC:${issuer}`

/** One operation with its effects. */
export interface MadeOperation {
  operation: xdr.Operation
  result?: xdr.OperationResultTr
  events?: xdr.ContractEvent[]
  changes?: xdr.LedgerEntryChange[]
}

/** The form of the node's meta; `none`: it gives no meta. */
export type MetaForm = 'v4' | 'v3' | 'v2' | 'v1' | 'operations' | 'none'

export interface MadeTransactionOptions {
  memo?: Memo
  meta?: MetaForm
  failed?: boolean
  /** Wrapped by another account, which pays the fee. */
  bumped?: boolean
  source?: string
}

const v0 = () => xdr.ExtensionPoint.v0()
const paid = () => xdr.OperationResultTr.payment(xdr.PaymentResult.paymentSuccess())

/** A transaction of `payer`, in a node's form. */
export function madeTransaction(
  operations: readonly MadeOperation[],
  options: MadeTransactionOptions = {},
): RawTransaction {
  const { memo, meta = 'v4', failed = false, bumped = false, source = 'payer' } = options
  const builder = new TransactionBuilder(new Account(addressOf(source), '7'), {
    fee: '100',
    networkPassphrase: network,
    ...(memo ? { memo } : {}),
  })
  for (const { operation } of operations) builder.addOperation(operation)
  const inner = builder.setTimeout(0).build()
  inner.sign(keyOf(source))
  const sent = bumped
    ? TransactionBuilder.buildFeeBumpTransaction(keyOf('sponsor'), '200', inner, network)
    : inner
  const results = operations.map(({ result }) => xdr.OperationResult.opInner(result ?? paid()))
  return {
    hash: Buffer.from(sent.hash()).toString('hex'),
    envelopeXdr: sent.toEnvelope().toXdr('base64'),
    resultXdr: resultOf(results, failed, bumped ? inner.hash() : null).toXdr('base64'),
    metaXdr: meta === 'none' ? null : metaOf(meta, operations).toXdr('base64'),
  }
}

function resultOf(
  results: xdr.OperationResult[],
  failed: boolean,
  innerHash: Uint8Array | null,
): xdr.TransactionResult {
  const make = xdr.TransactionResultResult
  const plain = failed ? make.txFailed(results) : make.txSuccess(results)
  if (!innerHash)
    return new xdr.TransactionResult({ feeCharged: 100n, result: plain, ext: xdr.TransactionResultExt.v0() })
  const ofInner = failed
    ? xdr.InnerTransactionResultResult.txFailed(results)
    : xdr.InnerTransactionResultResult.txSuccess(results)
  const pair = new xdr.InnerTransactionResultPair({
    transactionHash: innerHash,
    result: new xdr.InnerTransactionResult({
      feeCharged: 0n,
      result: ofInner,
      ext: xdr.InnerTransactionResultExt.v0(),
    }),
  })
  const result = failed ? make.txFeeBumpInnerFailed(pair) : make.txFeeBumpInnerSuccess(pair)
  return new xdr.TransactionResult({ feeCharged: 200n, result, ext: xdr.TransactionResultExt.v0() })
}

/** Up to protocol 22 (`v3` and before) only contracts emitted events, listed for the whole transaction. */
function metaOf(form: Exclude<MetaForm, 'none'>, made: readonly MadeOperation[]): xdr.TransactionMeta {
  const operations = made.map(({ changes = [] }) => new xdr.OperationMeta({ changes }))
  const around = { txChangesBefore: [], operations, txChangesAfter: [] }
  switch (form) {
    case 'operations':
      return xdr.TransactionMeta.operations(operations)
    case 'v1':
      return xdr.TransactionMeta.v1(new xdr.TransactionMetaV1({ txChanges: [], operations }))
    case 'v2':
      return xdr.TransactionMeta.v2(new xdr.TransactionMetaV2(around))
    case 'v3': {
      const events = made.flatMap((each) => each.events ?? [])
      const ext = xdr.SorobanTransactionMetaExt.v0()
      const sorobanMeta =
        events.length === 0
          ? null
          : new xdr.SorobanTransactionMeta({
              ext,
              events,
              returnValue: xdr.ScVal.scvVoid(),
              diagnosticEvents: [],
            })
      return xdr.TransactionMeta.v3(new xdr.TransactionMetaV3({ ext: v0(), ...around, sorobanMeta }))
    }
    case 'v4':
      return xdr.TransactionMeta.v4(
        new xdr.TransactionMetaV4({
          ext: v0(),
          ...around,
          operations: made.map(
            ({ changes = [], events = [] }) => new xdr.OperationMetaV2({ ext: v0(), changes, events }),
          ),
          sorobanMeta: null,
          events: [],
          diagnosticEvents: [],
        }),
      )
  }
}

export interface MadeEvent {
  name?: 'transfer' | 'mint' | 'burn'
  from?: string
  to: string
  /** In the event's form: `native` or `CODE:ISSUER`. */
  asset?: string
  amount: bigint
  /**
   * CAP-67, "Multiplexing support": a number belongs to a muxed address or a memo, text and bytes to a memo.
   */
  id?: bigint | string | Uint8Array
  /** The contract of the event, if not the asset's own: `C…`. */
  contract?: string
  /** Up to protocol 22 `mint` listed its administrator first. */
  admin?: string
}

const scAddress = (address: string) => xdr.ScVal.scvAddress(Address.fromString(address).toScAddress())
const ownContract = (asset: string) => {
  const [code = '', by] = asset.split(':')
  return (asset === 'native' ? Asset.native() : new Asset(code, by)).contractId(network)
}

function muxedId(id: MadeEvent['id']): xdr.ScVal | null {
  if (typeof id === 'bigint') return xdr.ScVal.scvU64(id)
  if (typeof id === 'string') return xdr.ScVal.scvString(id)
  return id ? xdr.ScVal.scvBytes(id) : null
}

/** An event in the form of CAP-67. */
export function madeEvent({
  name = 'transfer',
  from = addressOf('payer'),
  to,
  asset = usdcCode,
  amount,
  id,
  contract,
  admin,
}: MadeEvent): xdr.ContractEvent {
  const i128 = nativeToScVal(amount, { type: 'i128' })
  const entry = (key: string, val: xdr.ScVal) => new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(key), val })
  const idValue = muxedId(id)
  const data = idValue ? xdr.ScVal.scvMap([entry('amount', i128), entry('to_muxed_id', idValue)]) : i128
  const parties = {
    mint: [...(admin ? [scAddress(admin)] : []), scAddress(to)],
    burn: [scAddress(from)],
    transfer: [scAddress(from), scAddress(to)],
  }[name]
  const topics = [xdr.ScVal.scvSymbol(name), ...parties, xdr.ScVal.scvString(asset)]
  return new xdr.ContractEvent({
    ext: v0(),
    contractId: Address.fromString(contract ?? ownContract(asset)).toScAddress().value as xdr.ContractId,
    type: xdr.ContractEventType.contract,
    body: xdr.ContractEventBody.v0(new xdr.ContractEventV0({ topics, data })),
  })
}

/** A payment of USDC, in whole units, with its event. */
export function madePayment(
  destination: string,
  amount: string,
  events: readonly MadeEvent[] | null = null,
): MadeOperation {
  return {
    operation: Operation.payment({ destination, asset: usdcAsset, amount }),
    events: (events ?? []).map(madeEvent),
  }
}

/** The changes of a claim of a claimable balance: its former state, and its removal. */
export function claimedBalance(id: string, asset: Asset, amount: bigint): xdr.LedgerEntryChange[] {
  const balanceId = xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(sha256(Buffer.from(id)))
  const claimableBalance = new xdr.ClaimableBalanceEntry({
    balanceId,
    claimants: [],
    asset: asset.toXdrObject(),
    amount,
    ext: xdr.ClaimableBalanceEntryExt.v0(),
  })
  const data = xdr.LedgerEntryData.claimableBalance(claimableBalance)
  return [
    xdr.LedgerEntryChange.ledgerEntryState(
      new xdr.LedgerEntry({ lastModifiedLedgerSeq: 1, data, ext: xdr.LedgerEntryExt.v0() }),
    ),
    xdr.LedgerEntryChange.ledgerEntryRemoved(
      xdr.LedgerKey.claimableBalance(new xdr.LedgerKeyClaimableBalance({ balanceId })),
    ),
  ]
}

/** The header over these transactions; another `fork` gives another header. */
export function madeHeader(
  height: number,
  transactions: readonly RawTransaction[] = [],
  fork = 'a',
): xdr.LedgerHeader {
  const pairs = transactions.map(
    ({ hash, resultXdr }) =>
      new xdr.TransactionResultPair({
        transactionHash: Buffer.from(hash, 'hex'),
        result: xdr.TransactionResult.fromXdr(resultXdr, 'base64'),
      }),
  )
  const zero = new Uint8Array(32)
  const basic = {
    txSetHash: zero,
    closeTime: BigInt(closedAt(height)),
    upgrades: [],
    ext: xdr.StellarValueExt.stellarValueBasic(),
  }
  return new xdr.LedgerHeader({
    ledgerVersion: 23,
    previousLedgerHash: height > 1 ? sha256(madeHeader(height - 1, [], fork).toXdr()) : zero,
    scpValue: new xdr.StellarValue(basic),
    txSetResultHash: sha256(new xdr.TransactionResultSet({ results: pairs }).toXdr()),
    bucketListHash: sha256(Buffer.from(fork)),
    ledgerSeq: height,
    totalCoins: 1n,
    feePool: 0n,
    inflationSeq: 0,
    idPool: 0n,
    baseFee: 100,
    baseReserve: 5_000_000,
    maxTxSetSize: 1000,
    skipList: [zero, zero, zero, zero],
    ext: xdr.LedgerHeaderExt.v0(),
  })
}

/** Unix seconds. */
export const closedAt = (height: number): number => 1_700_000_000 + 5 * height

export const madeLedger = (height: number, transactions: RawTransaction[] = [], fork = 'a'): RawLedger => ({
  header: headerOf(madeHeader(height, transactions, fork), height),
  transactions,
})

/** A source that has these ledgers; `change` replaces answers. */
export function madeSource(
  name: string,
  ledgers: readonly RawLedger[],
  change: Partial<LedgerSource> = {},
): LedgerSource {
  const at = (height: number) => ledgers.find(({ header }) => header.height === height) ?? null
  return {
    name,
    close: async () => {},
    network: async () => network,
    async newest() {
      const newest = ledgers.at(-1)
      if (!newest) throw new Error('a made source needs a ledger')
      return newest.header
    },
    header: async (height) => at(height)?.header ?? null,
    ledger: async (height) => at(height),
    async transaction(txId) {
      const ledger = ledgers.find(({ transactions }) => transactions.some(({ hash }) => hash === txId))
      const transaction = ledger?.transactions.find(({ hash }) => hash === txId)
      return ledger && transaction ? { height: ledger.header.height, transaction } : null
    },
    ...change,
  }
}

/** A reader of these sources, the best one first; lists the sources whose answers it refused. */
export function madeStellarReader(sources: readonly LedgerSource[], { trusted = false } = {}) {
  const refused: string[] = []
  const providers = createProviders<LedgerSource>(
    sources.map((source) => () => source),
    { observe: { called: () => {}, refused: (provider) => void refused.push(provider) } },
  )
  return { reader: stellarBlockReader({ providers, rules: { network, trusted } }), refused }
}
