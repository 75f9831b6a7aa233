import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { VersionedTransaction } from '@solana/web3.js'
import { readFixture } from '../test/fixtures/readFixture.ts'

/**
 * The recorded block of Solana mainnet in the forms of a node's answers, with payments to watched addresses.
 */
export const solanaBlock = '254170887'

/** Values of `transactionDetails`. */
export type SolanaDetails = 'none' | 'accounts' | 'full'

interface RecordedMeta {
  err: unknown
  preTokenBalances: TokenBalance[]
  postTokenBalances: TokenBalance[]
  loadedAddresses?: { writable: string[]; readonly: string[] }
}

interface TokenBalance {
  accountIndex: number
  mint: string
  owner: string
  programId?: string
  uiTokenAmount: { amount: string; decimals: number; uiAmount: number | null; uiAmountString: string }
}

interface RecordedTransaction {
  transaction: [string, 'base64']
  meta: RecordedMeta
  version?: 'legacy' | number
}

const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

/**
 * Forty-four characters of base58 in place of an address: hashes of the numbers, as `watchedDatabase` inserts
 * them.
 */
export const syntheticSolanaAddress = (number: number): string =>
  createHash('sha256')
    .update(String(number))
    .digest('base64')
    .replace(/[+/=0OIl]/g, (odd) => String('+/=0OIl'.indexOf(odd) + 1))

/** Transactions of the block, of which `payments` pay one made-up address each, starting at `from`. */
export function solanaTransactions(
  details: Exclude<SolanaDetails, 'none'>,
  payments: number,
  from: number,
): unknown[] {
  const { transactions } = readFixture<{ transactions: RecordedTransaction[] }>(
    `solana/block-${solanaBlock}.json`,
  )
  const paying = transactions.filter(
    ({ meta }) =>
      meta.err === null && meta.postTokenBalances.some((each) => each.mint === usdc && isGain(meta, each)),
  )
  if (paying.length < payments) throw new Error(`the block has ${paying.length} transactions that pay USDC`)
  for (const [n, { meta }] of paying.slice(0, payments).entries())
    payTo(meta, syntheticSolanaAddress(from + n))
  return transactions.map(details === 'full' ? asJson : withAccounts)
}

const amountOf = (balances: readonly TokenBalance[], owner: string) =>
  balances
    .filter((each) => each.owner === owner && each.mint === usdc)
    .reduce((sum, { uiTokenAmount }) => sum + BigInt(uiTokenAmount.amount), 0n)

const isGain = (meta: RecordedMeta, { owner }: TokenBalance) =>
  amountOf(meta.postTokenBalances, owner) > amountOf(meta.preTokenBalances, owner)

/** Replaces the owner of the first USDC gain by `address`. */
function payTo(meta: RecordedMeta, address: string): void {
  const owner = meta.postTokenBalances.find((each) => each.mint === usdc && isGain(meta, each))?.owner
  for (const balance of [...meta.preTokenBalances, ...meta.postTokenBalances])
    if (balance.owner === owner && balance.mint === usdc) balance.owner = address
}

const decoded = ({ transaction: [base64] }: RecordedTransaction) =>
  VersionedTransaction.deserialize(Buffer.from(base64, 'base64'))

/** The encoding `json` (Solana docs, "getBlock"). */
function asJson(recorded: RecordedTransaction): unknown {
  const { signatures, message } = decoded(recorded)
  return {
    meta: recorded.meta,
    transaction: {
      message: {
        accountKeys: message.staticAccountKeys.map(String),
        header: message.header,
        instructions: message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
          accounts: accountKeyIndexes,
          data: base58.encode(data),
          programIdIndex,
          stackHeight: null,
        })),
        recentBlockhash: message.recentBlockhash,
        ...(message.version === 'legacy'
          ? {}
          : {
              addressTableLookups: message.addressTableLookups.map(
                ({ accountKey, writableIndexes, readonlyIndexes }) => ({
                  accountKey: accountKey.toBase58(),
                  readonlyIndexes,
                  writableIndexes,
                }),
              ),
            }),
      },
      signatures: signatures.map((each) => base58.encode(each)),
    },
    version: message.version,
  }
}

/** `transactionDetails: accounts`: accounts with their balances before and after. */
function withAccounts(recorded: RecordedTransaction): unknown {
  const { signatures, message } = decoded(recorded)
  const { err, preTokenBalances, postTokenBalances, loadedAddresses, ...meta } =
    recorded.meta as RecordedMeta & Record<string, unknown>
  const own = message.staticAccountKeys.map((key, index) => ({
    pubkey: key.toBase58(),
    signer: message.isAccountSigner(index),
    source: 'transaction',
    writable: message.isAccountWritable(index),
  }))
  const loaded = (keys: readonly string[], writable: boolean) =>
    keys.map((pubkey) => ({ pubkey, signer: false, source: 'lookupTable', writable }))
  const { fee, preBalances, postBalances, status } = meta
  return {
    meta: { err, fee, postBalances, postTokenBalances, preBalances, preTokenBalances, status },
    transaction: {
      accountKeys: [
        ...own,
        ...loaded(loadedAddresses?.writable ?? [], true),
        ...loaded(loadedAddresses?.readonly ?? [], false),
      ],
      signatures: signatures.map((each) => base58.encode(each)),
    },
    version: message.version,
  }
}
