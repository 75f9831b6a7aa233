import { randomInt } from 'node:crypto'
import type { Terms } from '../sending.ts'

/** What a transfer needs besides its intent. Amounts are lamports, `microLamports` the price of a compute unit in millionths of them. */
export interface SolanaTerms {
  /** Of a recent block: the transaction can enter a block up to the height of `lastValidBlockHeight`. */
  blockhash: string
  lastValidBlockHeight: bigint
  /** The most that the transaction may take; the priority fee is for all of them, taken or not. */
  computeUnits: number
  microLamports: bigint
  /** The token program that the mint is of; null for SOL. */
  tokenProgram: string | null
  /** Null for SOL. */
  decimals: number | null
  /** The recipient has no account for the token: the transfer opens it. */
  opensAccount: boolean
  rent: bigint
  fee: bigint
}

/** Each signature costs this (Solana docs, "Fees": base fee). */
const signatureFee = 5000n
const microLamportsPerLamport = 1_000_000n

/** Lamports for a transaction of one signature (Solana docs, "Fees": the priority fee is rounded up). */
export const feeFor = (computeUnits: number, microLamports: bigint): bigint =>
  signatureFee + (BigInt(computeUnits) * microLamports + microLamportsPerLamport - 1n) / microLamportsPerLamport

/**
 * Some limit from `least` on, up to `most`, with a price at which it costs what `most` cost at the given one. Two equal transfers that name
 * the same block would otherwise be the same transaction, and one payment.
 */
export function someLimit(min: number, max: number, microLamports: bigint): Pick<SolanaTerms, 'computeUnits' | 'microLamports'> {
  const lamports = feeFor(max, microLamports) - signatureFee
  const computeUnits = min + randomInt(max - min + 1)
  if (lamports === 0n) return { computeUnits, microLamports }
  const units = BigInt(computeUnits)
  const lowest = ((lamports - 1n) * microLamportsPerLamport) / units + 1n
  const highest = (lamports * microLamportsPerLamport) / units
  return { computeUnits, microLamports: lowest + BigInt(randomInt(Number(highest - lowest) + 1)) }
}

export const writeTerms = (terms: SolanaTerms): Terms => ({
  ...terms,
  lastValidBlockHeight: String(terms.lastValidBlockHeight),
  microLamports: String(terms.microLamports),
  rent: String(terms.rent),
  fee: String(terms.fee),
})

/** @throws where these are terms of something else */
export function readTerms(terms: Terms): SolanaTerms {
  const { blockhash, computeUnits, tokenProgram, decimals, opensAccount } = terms
  const whole = (name: string): bigint => {
    const value = terms[name]
    if (typeof value !== 'string' || !/^\d+$/.test(value)) throw new Error(`terms without ${name}`)
    return BigInt(value)
  }
  const isAbsent = (value: unknown) => value === null || value === undefined
  if (typeof blockhash !== 'string' || typeof computeUnits !== 'number' || typeof opensAccount !== 'boolean')
    throw new Error('these are no terms of Solana')
  if (isAbsent(tokenProgram) !== isAbsent(decimals)) throw new Error('terms with half a token')
  return {
    blockhash,
    lastValidBlockHeight: whole('lastValidBlockHeight'),
    computeUnits,
    microLamports: whole('microLamports'),
    tokenProgram: typeof tokenProgram === 'string' ? tokenProgram : null,
    decimals: typeof decimals === 'number' ? decimals : null,
    opensAccount,
    rent: whole('rent'),
    fee: whole('fee'),
  }
}
