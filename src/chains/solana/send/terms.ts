import { randomInt } from 'node:crypto'
import type { Terms } from '../../sending.ts'
import type { Source } from '../tokenSources.ts'
import { readTables, type TableUse, writeTables } from './tableUses.ts'

/**
 * A transaction's data beyond its action. Amounts in lamports; `microLamports` is the price of a compute unit
 * in millionths of a lamport.
 */
export interface SolanaTerms {
  /** Of a recent block: the transaction can enter blocks up to the height `lastValidBlockHeight`. */
  blockhash: string
  lastValidBlockHeight: bigint
  /** Limit of the transaction; the priority fee is charged for all of them, used or not. */
  computeUnits: number
  microLamports: bigint
  /** The mint's token program; null for SOL and calls. */
  tokenProgram: string | null
  /** Null for SOL and calls. */
  decimals: number | null
  /** The recipient has no account for the token: the transfer opens it. */
  opensAccount: boolean
  /**
   * Token accounts of the sender that the transfer draws on, with their amounts; null: its associated
   * account.
   */
  sources: Source[] | null
  /** What the transaction takes from lookup tables; null: a legacy transaction, which has no tables. */
  lookupTables: TableUse[] | null
  /** Each has a fee. */
  signatures: number
  /** Paid by the sender for accounts that the transaction opens. */
  rent: bigint
  fee: bigint
}

/** Limit of one transaction (Solana docs, "Compute budget"). */
export const maxUnits = 1_400_000
/** Units above the need, from which `randomLimit` picks: they make equal actions distinct transactions. */
export const spareUnits = 500

/** Base fee of one signature (Solana docs, "Fees"). */
const signatureFee = 5000n
const microLamportsPerLamport = 1_000_000n

/** Fee in lamports of a transaction (Solana docs, "Fees": the priority fee is rounded up). */
export const feeFor = (computeUnits: number, microLamports: bigint, signatures = 1): bigint =>
  signatureFee * BigInt(signatures) +
  (BigInt(computeUnits) * microLamports + microLamportsPerLamport - 1n) / microLamportsPerLamport

/**
 * A random limit from `min` to `max`, with a price at which it costs what `max` costs at the given price.
 * Otherwise two equal actions with the same blockhash would be the same transaction, and have one effect.
 */
export function randomLimit(
  min: number,
  max: number,
  microLamports: bigint,
): Pick<SolanaTerms, 'computeUnits' | 'microLamports'> {
  const lamports = feeFor(max, microLamports, 0)
  const computeUnits = min + randomInt(max - min + 1)
  if (lamports === 0n) return { computeUnits, microLamports }
  const units = BigInt(computeUnits)
  const lowest = ((lamports - 1n) * microLamportsPerLamport) / units + 1n
  const highest = (lamports * microLamportsPerLamport) / units
  return { computeUnits, microLamports: lowest + BigInt(randomInt(Number(highest - lowest) + 1)) }
}

export const writeTerms = ({ lookupTables, ...terms }: SolanaTerms): Terms => ({
  ...terms,
  ...(lookupTables && { lookupTables: writeTables(lookupTables) }),
  // One text, because terms are flat.
  sources: terms.sources?.map(({ address, amount }) => `${address} ${amount}`).join(',') ?? null,
  lastValidBlockHeight: String(terms.lastValidBlockHeight),
  microLamports: String(terms.microLamports),
  rent: String(terms.rent),
  fee: String(terms.fee),
})

/** @throws if these are not terms of a Solana transaction */
export function readTerms(terms: Terms): SolanaTerms {
  const { blockhash, computeUnits, tokenProgram, decimals, opensAccount, signatures = 1 } = terms
  const whole = (name: string): bigint => {
    const value = terms[name]
    if (typeof value !== 'string' || !/^\d+$/.test(value)) throw new Error(`the terms have no valid ${name}`)
    return BigInt(value)
  }
  const isAbsent = (value: unknown) => value === null || value === undefined
  if (typeof blockhash !== 'string' || typeof computeUnits !== 'number' || typeof opensAccount !== 'boolean')
    throw new Error('these are not terms of a Solana transaction')
  if (isAbsent(tokenProgram) !== isAbsent(decimals))
    throw new Error('the terms have only one of tokenProgram and decimals')
  // Terms of an earlier version have no number: they are of one.
  if (typeof signatures !== 'number' || !Number.isSafeInteger(signatures) || signatures < 1)
    throw new Error('the terms have no valid signatures')
  return {
    blockhash,
    lastValidBlockHeight: whole('lastValidBlockHeight'),
    computeUnits,
    microLamports: whole('microLamports'),
    tokenProgram: typeof tokenProgram === 'string' ? tokenProgram : null,
    decimals: typeof decimals === 'number' ? decimals : null,
    opensAccount,
    sources: readSources(terms.sources),
    lookupTables: readTables(terms.lookupTables),
    signatures,
    rent: whole('rent'),
    fee: whole('fee'),
  }
}

/**
 * Absent in terms of earlier versions. @throws unless each account is named once, with an amount above zero
 */
function readSources(text: Terms[string] | undefined): Source[] | null {
  if (text === null || text === undefined) return null
  const sources = String(text)
    .split(',')
    .map((each) => {
      const [, address, amount] = /^([1-9A-HJ-NP-Za-km-z]{32,44}) ([1-9]\d{0,19})$/.exec(each) ?? []
      if (address === undefined || amount === undefined) throw new Error('the terms have no valid sources')
      return { address, amount: BigInt(amount) }
    })
  if (new Set(sources.map(({ address }) => address)).size < sources.length)
    throw new Error('the terms name a source twice')
  return sources
}
