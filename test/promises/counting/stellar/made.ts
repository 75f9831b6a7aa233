import {
  Account,
  Asset,
  Keypair,
  Networks,
  Operation,
  StrKey,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base'
import type { RecordedTransaction } from './rawStellar.ts'

/**
 * Transactions of kinds that were not recorded, with the resulting ledger changes; from a node without
 * events.
 */

const units = 10_000_000n
const [sender, receiver] = [
  Keypair.fromRawEd25519Seed(Buffer.alloc(32, 1)),
  Keypair.fromRawEd25519Seed(Buffer.alloc(32, 2)),
].map((key) => key.publicKey()) as [string, string]

const entry = (data: xdr.LedgerEntryData) =>
  new xdr.LedgerEntry({ lastModifiedLedgerSeq: 1, data, ext: xdr.LedgerEntryExt.v0() })
const idOf = (account: string) => xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(account))

const accountWith = (account: string, balance: bigint) =>
  entry(
    xdr.LedgerEntryData.account(
      new xdr.AccountEntry({
        accountId: idOf(account),
        balance,
        seqNum: 1n,
        numSubEntries: 0,
        inflationDest: null,
        flags: 0,
        homeDomain: '',
        thresholds: Buffer.alloc(4),
        signers: [],
        ext: xdr.AccountEntryExt.v0(),
      }),
    ),
  )

const {
  ledgerEntryState: state,
  ledgerEntryCreated: created,
  ledgerEntryUpdated: updated,
  ledgerEntryRemoved: removed,
} = xdr.LedgerEntryChange
const grown = (account: string, before: bigint, after: bigint) => [
  state(accountWith(account, before)),
  updated(accountWith(account, after)),
]

function transaction(
  operation: xdr.Operation,
  result: xdr.OperationResultTr,
  changes: xdr.LedgerEntryChange[],
): RecordedTransaction {
  const built = new TransactionBuilder(new Account(sender, '1'), {
    fee: '100',
    networkPassphrase: Networks.PUBLIC,
  })
    .addOperation(operation)
    .setTimeout(0)
    .build()
  const outcome = xdr.TransactionResultResult.txSuccess([xdr.OperationResult.opInner(result)])
  const meta = new xdr.TransactionMetaV4({
    ext: xdr.ExtensionPoint.v0(),
    txChangesBefore: [],
    operations: [new xdr.OperationMetaV2({ ext: xdr.ExtensionPoint.v0(), changes, events: [] })],
    txChangesAfter: [],
    sorobanMeta: null,
    events: [],
    diagnosticEvents: [],
  })
  return {
    txHash: Buffer.from(built.hash()).toString('hex'),
    envelopeXdr: built.toXDR(),
    resultXdr: new xdr.TransactionResult({
      feeCharged: 100n,
      result: outcome,
      ext: xdr.TransactionResultExt.v0(),
    }).toXDR('base64'),
    resultMetaXdr: xdr.TransactionMeta.v4(meta).toXDR('base64'),
  }
}

/** The sender's ten XLM go to a new account. */
const createdAccount = () =>
  transaction(
    Operation.createAccount({ destination: receiver, startingBalance: '10' }),
    xdr.OperationResultTr.createAccount(xdr.CreateAccountResult.createAccountSuccess()),
    [...grown(sender, 100n * units, 90n * units), created(accountWith(receiver, 10n * units))],
  )

/** The sender's whole balance, ninety XLM, goes to the receiver. */
const mergedAccount = () =>
  transaction(
    Operation.accountMerge({ destination: receiver }),
    xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeSuccess(90n * units)),
    [
      ...grown(receiver, 10n * units, 100n * units),
      state(accountWith(sender, 90n * units)),
      removed(xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: idOf(sender) }))),
    ],
  )

/** The sender claims a balance of seven XLM. */
function claimedBalance(): RecordedTransaction {
  const balanceId = xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(Buffer.alloc(32, 3))
  const asset = Asset.native().toXDRObject()
  const ext = xdr.ClaimableBalanceEntryExt.v0()
  const setAside = new xdr.ClaimableBalanceEntry({ balanceId, claimants: [], asset, amount: 7n * units, ext })
  return transaction(
    Operation.claimClaimableBalance({ balanceId: balanceId.toXDR('hex') }),
    xdr.OperationResultTr.claimClaimableBalance(
      xdr.ClaimClaimableBalanceResult.claimClaimableBalanceSuccess(),
    ),
    [
      state(entry(xdr.LedgerEntryData.claimableBalance(setAside))),
      removed(xdr.LedgerKey.claimableBalance(new xdr.LedgerKeyClaimableBalance({ balanceId }))),
      ...grown(sender, 90n * units, 97n * units),
    ],
  )
}

const kinds = {
  'create account': createdAccount,
  'account merge': mergedAccount,
  'claim claimable balance': claimedBalance,
}
export type MadeKind = keyof typeof kinds

export const madeTransaction = (kind: MadeKind): RecordedTransaction => kinds[kind]()

/** Expected amounts, in units of 10^-7. */
export const madeAmounts: Record<MadeKind, bigint> = {
  'create account': 10n * units,
  'account merge': 90n * units,
  'claim claimable balance': 7n * units,
}
