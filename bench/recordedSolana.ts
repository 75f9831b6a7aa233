import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { VersionedTransaction } from '@solana/web3.js'
import { readFixture } from '../test/fixtures/readFixture.ts'
import { cast, type Mould, mouldOf } from './mould.ts'
import { firstHeight, type Paying, paymentsAt } from './recordedChain.ts'

/** The recorded block of Solana's mainnet, in the forms that a node answers it in, with payments to watched addresses. */
export const solanaBlock = '254170887'

/** By `transactionDetails`. */
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

/** Forty-four characters of base58, which stand for an address: hashes of the numbers, as `watchedDatabase` inserts them. */
export const madeUpSolanaAddress = (number: number): string =>
  createHash('sha256')
    .update(String(number))
    .digest('base64')
    .replace(/[+/=0OIl]/g, (odd) => String('+/=0OIl'.indexOf(odd) + 1))

/** The transactions of the block, with so many more that each pay one of the made-up addresses, from `from` on. */
export function solanaTransactions(details: Exclude<SolanaDetails, 'none'>, payments: number, from: number): unknown[] {
  const { transactions } = readFixture<{ transactions: RecordedTransaction[] }>(`solana/block-${solanaBlock}.json`)
  const paying = transactions.filter(
    ({ meta }) => meta.err === null && meta.postTokenBalances.some((each) => each.mint === usdc && isGain(meta, each)),
  )
  if (paying.length < payments) throw new Error(`the block has ${paying.length} transactions that pay USDC`)
  for (const [n, { meta }] of paying.slice(0, payments).entries()) payTo(meta, madeUpSolanaAddress(from + n))
  return transactions.map(details === 'full' ? asJson : withAccounts)
}

const amountOf = (balances: readonly TokenBalance[], owner: string) =>
  balances.filter((each) => each.owner === owner && each.mint === usdc).reduce((sum, { uiTokenAmount }) => sum + BigInt(uiTokenAmount.amount), 0n)

const isGain = (meta: RecordedMeta, { owner }: TokenBalance) => amountOf(meta.postTokenBalances, owner) > amountOf(meta.preTokenBalances, owner)

/** Whoever gains USDC first is somebody else now. */
function payTo(meta: RecordedMeta, address: string): void {
  const owner = meta.postTokenBalances.find((each) => each.mint === usdc && isGain(meta, each))?.owner
  for (const balance of [...meta.preTokenBalances, ...meta.postTokenBalances])
    if (balance.owner === owner && balance.mint === usdc) balance.owner = address
}

const decoded = ({ transaction: [base64] }: RecordedTransaction) => VersionedTransaction.deserialize(Buffer.from(base64, 'base64'))

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
              addressTableLookups: message.addressTableLookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => ({
                accountKey: accountKey.toBase58(),
                readonlyIndexes,
                writableIndexes,
              })),
            }),
      },
      signatures: signatures.map((each) => base58.encode(each)),
    },
    version: message.version,
  }
}

/** `transactionDetails: accounts`: whose accounts, and what they held before and after. */
function withAccounts(recorded: RecordedTransaction): unknown {
  const { signatures, message } = decoded(recorded)
  const { err, preTokenBalances, postTokenBalances, loadedAddresses, ...meta } = recorded.meta as RecordedMeta & Record<string, unknown>
  const own = message.staticAccountKeys.map((key, index) => ({
    pubkey: key.toBase58(),
    signer: message.isAccountSigner(index),
    source: 'transaction',
    writable: message.isAccountWritable(index),
  }))
  const loaded = (keys: readonly string[], writable: boolean) => keys.map((pubkey) => ({ pubkey, signer: false, source: 'lookupTable', writable }))
  const { fee, preBalances, postBalances, status } = meta
  return {
    meta: { err, fee, postBalances, postTokenBalances, preBalances, preTokenBalances, status },
    transaction: {
      accountKeys: [...own, ...loaded(loadedAddresses?.writable ?? [], true), ...loaded(loadedAddresses?.readonly ?? [], false)],
      signatures: signatures.map((each) => base58.encode(each)),
    },
    version: message.version,
  }
}

/** In an answer; the two numbers stand where nothing else does. */
const holes = { hash: 'h'.repeat(44), parentHash: 'p'.repeat(44), parentSlot: '<parentSlot>', time: '<blockTime>' }

const genesisTime = 1_700_000_000
const slotsASecond = 2.5

/** Names its slot, in the form of a block's hash. */
export const solanaHashAt = (slot: number): string => madeUpSolanaAddress(-slot)

/** What a node answers about the chain: the recorded block in each slot, under hashes of its own. */
export function recordedSolana(): (slot: number, details: SolanaDetails, paying: Paying) => Buffer {
  const moulds = new Map<string, Mould<keyof typeof holes>>()
  return (slot, details, paying) => {
    const payments = details === 'none' ? 0 : paymentsAt(slot, paying)
    const key = `${details} ${payments}`
    const mould = moulds.get(key) ?? mouldOf(holes, answerOf(details, payments))
    moulds.set(key, mould)
    const time = genesisTime + Math.floor((slot - firstHeight) / slotsASecond)
    return cast(holes, mould, { hash: solanaHashAt(slot), parentHash: solanaHashAt(slot - 1), parentSlot: padded(slot - 1), time: padded(time, 11) })
  }
}

/** JSON takes white space for nothing: a number can be as long as its hole. */
const padded = (value: number, length = 12) => String(value).padStart(length, ' ')

/** With hints where numbers go that a slot has of its own. */
const answerOf = (details: SolanaDetails, payments: number): string =>
  JSON.stringify({
    blockHeight: 1,
    blockTime: 'blockTime',
    blockhash: holes.hash,
    parentSlot: 'parentSlot',
    previousBlockhash: holes.parentHash,
    ...(details === 'none' ? {} : { transactions: solanaTransactions(details, payments, 1) }),
  })
    .replace('"blockTime":"blockTime"', `"blockTime": ${holes.time}`)
    .replace('"parentSlot":"parentSlot"', `"parentSlot": ${holes.parentSlot}`)
