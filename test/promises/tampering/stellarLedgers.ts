import {
  Account,
  Asset,
  Keypair,
  Networks,
  Operation,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base'
import { madeEvent } from '../../support/madeLedger.ts'
import type { HorizonLedger } from '../../support/recordedHorizon.ts'
import {
  ledgersAround,
  recordedTransactions,
  type StellarTransaction,
  withoutEvents,
  withoutMeta,
} from '../../support/recordedStellar.ts'
import { madeTransaction } from '../counting/stellar/made.ts'

/** A form in which nodes serve ledgers. */
export interface Way {
  name: string
  horizon: boolean
  form(transaction: StellarTransaction): StellarTransaction | Omit<StellarTransaction, 'resultMetaXdr'>
}

export const ways: Way[] = [
  { name: 'RPC', horizon: false, form: (each) => each },
  { name: 'RPC without events', horizon: false, form: withoutEvents },
  { name: 'Horizon', horizon: true, form: (each) => each },
  { name: 'Horizon without meta', horizon: true, form: withoutMeta },
]

const [caller, receiver] = [4, 5].map((seed) =>
  Keypair.fromRawEd25519Seed(Buffer.alloc(32, seed)).publicKey(),
) as [string, string]

const inEachLedger = 10

/**
 * The recorded transactions in ledgers of our own, followed by kinds that were not recorded: a contract call,
 * a claim, and a failed transaction. Contracts emit events on every node; without metadata, Horizon's
 * operations and effects show both.
 */
export function ledgersBy({ form }: Way): HorizonLedger[] {
  const call = contractCall()
  const made = [
    form({ ...call, resultMetaXdr: withoutEvents(call).resultMetaXdr }),
    form(madeTransaction('claim claimable balance')),
    form(failed()),
  ]
  const first = 'resultMetaXdr' in (made[0] as object) ? call : made[0]
  const recorded = recordedTransactions().map(form)
  const ledgers: HorizonLedger[] = ledgersAround(
    [...recorded, ...(first ? [first] : []), ...made.slice(1)],
    inEachLedger,
  )
  const last = ledgers.at(-1) as HorizonLedger
  const idOf = (transaction: number) =>
    ((BigInt(last.header.ledgerSeq) << 32n) | BigInt(transaction << 12) | 1n).toString()
  const moved = { asset_type: 'native', type: 'transfer', from: caller, to: receiver, amount: '0.0000009' }
  const claimed = { asset_type: 'native', type: 'account_credited', account: claimer(), amount: '7.0000000' }
  return ledgers.with(-1, {
    ...last,
    effects: [{ id: `${idOf(2)}-1`, ...claimed }],
    operations: [{ id: idOf(1), asset_balance_changes: [moved] }],
  })
}

const claimer = () => Keypair.fromRawEd25519Seed(Buffer.alloc(32, 1)).publicKey()

/** A transfer of nine units of 10^-7 XLM by XLM's contract. */
function contractCall(): StellarTransaction {
  const contract = Asset.native().contractId(Networks.PUBLIC)
  const built = new TransactionBuilder(new Account(caller, '1'), {
    fee: '100',
    networkPassphrase: Networks.PUBLIC,
  })
    .addOperation(Operation.invokeContractFunction({ contract, function: 'transfer', args: [] }))
    .setTimeout(0)
    .build()
  const result = xdr.OperationResultTr.invokeHostFunction(
    xdr.InvokeHostFunctionResult.invokeHostFunctionSuccess(Buffer.alloc(32)),
  )
  const ext = xdr.ExtensionPoint.v0()
  const events = [madeEvent({ from: caller, to: receiver, asset: 'native', amount: 9n, contract })]
  const meta = new xdr.TransactionMetaV4({
    ext,
    txChangesBefore: [],
    operations: [new xdr.OperationMetaV2({ ext, changes: [], events })],
    txChangesAfter: [],
    sorobanMeta: null,
    events: [],
    diagnosticEvents: [],
  })
  return {
    txHash: Buffer.from(built.hash()).toString('hex'),
    envelopeXdr: built.toXDR(),
    resultXdr: resultOf(xdr.TransactionResultResult.txSuccess([xdr.OperationResult.opInner(result)])),
    resultMetaXdr: xdr.TransactionMeta.v4(meta).toXDR('base64'),
  }
}

const failed = (): StellarTransaction => ({
  ...madeTransaction('create account'),
  resultXdr: resultOf(xdr.TransactionResultResult.txBadSeq()),
})

export const resultOf = (result: xdr.TransactionResultResult): string =>
  new xdr.TransactionResult({ feeCharged: 100n, result, ext: xdr.TransactionResultExt.v0() }).toXDR('base64')
