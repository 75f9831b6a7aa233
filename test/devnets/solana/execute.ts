import { base58 } from '@scure/base'
import type { Address, EncodedAccount } from '@solana/kit'
import { FailedTransactionMetadata, type TransactionMetadata } from 'litesvm'
import { withCctp } from './cctpRun.ts'
import { type TransactionError, transactionError } from './errors.ts'
import { accountOf, headOf, isRecent, type Ledger } from './ledger.ts'
import { readMint, readTokenAccount, tokenPrograms, uiTokenAmount } from './tokens.ts'
import type { ExecutedTransaction, Meta, TokenBalance } from './transaction.ts'
import { isWritable, type WireTransaction } from './wire.ts'

/** The reason why a transaction gets into no block. */
export interface Refusal {
  refused: TransactionError
  logs: string[]
}

/** Offset of the addresses in a lookup table, after its header (Solana docs, Address lookup tables). */
const tableHead = 56

/**
 * Accounts loaded from the message's tables; no accounts for a missing table, which the engine then refuses.
 */
export function loadedAddresses(
  ledger: Pick<Ledger, 'svm'>,
  wire: Pick<WireTransaction, 'lookups'>,
): Meta['loadedAddresses'] {
  const pick = (indexes: 'writableIndexes' | 'readonlyIndexes'): Address[] =>
    wire.lookups.flatMap((lookup) => {
      const data = accountOf(ledger, lookup.accountKey)?.data
      if (!data) return []
      return lookup[indexes].map(
        (i) =>
          base58.encode(
            Uint8Array.from(data.subarray(tableHead + 32 * i, tableHead + 32 * (i + 1))),
          ) as Address,
      )
    })
  return { writable: pick('writableIndexes'), readonly: pick('readonlyIndexes') }
}

/**
 * The node's checks before execution, in its order: the blockhash's age, then duplicates.
 * @param height of the parent block
 * @param slot the highest slot in which a duplicate counts
 */
export function checkAge(
  ledger: Ledger,
  wire: WireTransaction,
  height: number,
  slot: number,
): TransactionError | null {
  if (!isRecent(ledger, wire.recentBlockhash, height)) return 'BlockhashNotFound'
  const known = ledger.bySignature.get(wire.signatures[0] ?? '')
  return known && known.slot <= slot ? 'AlreadyProcessed' : null
}

/**
 * Runs a transaction in the open slot. A failed one still pays its fee and is kept; one that cannot pay
 * leaves no trace. The engine decides which: it took lamports or not.
 */
export function execute(ledger: Ledger, wire: WireTransaction): ExecutedTransaction | Refusal {
  const early = checkAge(ledger, wire, headOf(ledger).height, ledger.open.slot)
  if (early) return { refused: early, logs: [] }
  const loaded = loadedAddresses(ledger, wire)
  const keys = [...wire.accountKeys, ...loaded.writable, ...loaded.readonly]
  const read = () => keys.map((key) => accountOf(ledger, key))
  const before = read()
  const tokensBefore = tokenBalances(ledger, keys, before)
  const result = withCctp(ledger, wire, loaded, () => ledger.svm.sendTransaction(wire.transaction))
  const err = result instanceof FailedTransactionMetadata ? transactionError(result.err()) : null
  const run = result instanceof FailedTransactionMetadata ? result.meta() : result
  const after = read()
  // Only the fee takes lamports out of a transaction's accounts.
  const fee = sum(before) - sum(after)
  if (err !== null && fee === 0n) return { refused: err, logs: run.logs() }
  keys.forEach((address, i) => {
    if (isWritable(wire, i, loaded.writable.length))
      ledger.open.changes.push({ address, before: before[i] ?? null })
  })
  const executed: ExecutedTransaction = {
    signature: wire.signatures[0] ?? '',
    slot: ledger.open.slot,
    wire,
    meta: {
      err,
      status: err === null ? { Ok: null } : { Err: err },
      fee: Number(fee),
      preBalances: before.map(lamportsOf),
      postBalances: after.map(lamportsOf),
      innerInstructions: innerInstructions(run),
      logMessages: run.logs(),
      preTokenBalances: tokensBefore,
      postTokenBalances: tokenBalances(ledger, keys, after),
      rewards: [],
      loadedAddresses: loaded,
      computeUnitsConsumed: Number(run.computeUnitsConsumed()),
      ...returnDataOf(run),
    },
  }
  ledger.open.transactions.push(executed)
  ledger.bySignature.set(executed.signature, executed)
  return executed
}

const lamportsOf = (account: EncodedAccount | null): number => Number(account?.lamports ?? 0n)
const sum = (accounts: readonly (EncodedAccount | null)[]): bigint =>
  accounts.reduce((total, account) => total + (account?.lamports ?? 0n), 0n)

export function innerInstructions(run: TransactionMetadata): Meta['innerInstructions'] {
  return run
    .innerInstructions()
    .map((group, index) => ({
      index,
      instructions: group.map((inner) => {
        const instruction = inner.instruction()
        return {
          programIdIndex: instruction.programIdIndex(),
          accounts: [...instruction.accounts()],
          data: base58.encode(Uint8Array.from(instruction.data())),
          stackHeight: inner.stackHeight(),
        }
      }),
    }))
    .filter((group) => group.instructions.length > 0)
}

/** Without return data the field is absent. */
export function returnDataOf(run: TransactionMetadata): Pick<Meta, 'returnData'> {
  const data = run.returnData().data()
  if (data.length === 0) return {}
  return {
    returnData: {
      programId: base58.encode(Uint8Array.from(run.returnData().programId())),
      data: [Buffer.from(data).toString('base64'), 'base64'],
    },
  }
}

/**
 * As the node collects them (agave, `ledger/src/token_balances.rs`): only if a token program is among the
 * accounts, and of every token account among them. An account that the transaction creates is missing before,
 * one that it closes is missing after. A zero amount has no `uiAmount`: the node's record does not
 * distinguish 0 from null.
 */
export function tokenBalances(
  ledger: Pick<Ledger, 'svm'>,
  keys: readonly Address[],
  accounts: readonly (EncodedAccount | null)[],
): TokenBalance[] {
  if (!keys.some((key) => tokenPrograms.includes(key))) return []
  return accounts.flatMap((account, accountIndex) => {
    const token = readTokenAccount(account)
    const mint = token && readMint(accounts[keys.indexOf(token.mint)] ?? accountOf(ledger, token.mint))
    if (!token || !mint) return []
    const amount = uiTokenAmount(token.amount, mint.decimals)
    return [
      {
        accountIndex,
        mint: token.mint,
        uiTokenAmount: {
          uiAmount: token.amount === 0n ? null : amount.uiAmount,
          decimals: mint.decimals,
          amount: amount.amount,
          uiAmountString: amount.uiAmountString,
        },
        owner: token.owner,
        programId: token.programId,
      },
    ]
  })
}
