import type { TokenBalance } from '../sending.ts'
import { wordOf } from './tokenCalls.ts'

export interface Metadata {
  symbol: string
  decimals: number
}

/** A contract's answers in hex, null where the call failed; `metadata` where it is cached. */
export interface TokenAnswers {
  balance: string | null
  decimals: string | null
  symbol: string | null
  metadata?: Metadata | undefined
}

/** No more is decoded: a symbol may be a megabyte long. */
const maxBytes = 1024
const maxCharacters = 32
/** 10^78 does not fit in 256 bits. */
const maxDecimals = 77n

/** @param contract any address with code */
export function tokenBalance(
  contract: string,
  { balance: answered, decimals, symbol, metadata }: TokenAnswers,
): TokenBalance {
  const own = metadata ?? { symbol: symbolOf(symbol), decimals: decimalsOf(decimals) }
  const balance = wordOf(answered)
  return { contract, ...own, balance, problem: problemOf({ ...own, balance }) }
}

function problemOf({
  balance,
  decimals,
  symbol,
}: Pick<TokenBalance, 'balance' | 'decimals' | 'symbol'>): TokenBalance['problem'] {
  if (balance === null) return 'unreadable'
  if (decimals === null) return 'no_decimals'
  return symbol === null ? 'bad_symbol' : null
}

export const notAToken = (contract: string): TokenBalance => ({
  contract,
  symbol: null,
  decimals: null,
  balance: null,
  problem: 'not_a_token',
})

function decimalsOf(answered: string | null): number | null {
  const value = wordOf(answered)
  return value === null || value > maxDecimals ? null : Number(value)
}

/** An ABI string, or 32 bytes of text padded with zeros as in older tokens (MKR, SAI). */
function symbolOf(answered: string | null): string | null {
  if (answered === null) return null
  const bytes = Buffer.from(answered.slice(2, 2 + 2 * (64 + maxBytes)), 'hex')
  const text = bytes.length === 32 ? shownText(bytes.subarray(0, endOf(bytes))) : stringOf(bytes)
  return text === '' ? null : text
}

function endOf(bytes: Buffer): number {
  const zero = bytes.indexOf(0)
  return zero < 0 ? bytes.length : zero
}

function stringOf(bytes: Buffer): string | null {
  const number = (at: number) =>
    at + 32 <= bytes.length ? BigInt(`0x${bytes.toString('hex', at, at + 32)}`) : BigInt(maxBytes + 1)
  const offset = number(0)
  if (offset > BigInt(maxBytes)) return null
  const length = number(Number(offset))
  const from = Number(offset) + 32
  if (length > BigInt(maxBytes) || from + Number(length) > bytes.length) return null
  return shownText(bytes.subarray(from, from + Number(length)))
}

/**
 * Null where the text is not UTF-8, is too long, or has control or format characters, which can change how
 * other text prints.
 */
function shownText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).trim()
    return [...text].length > maxCharacters || /[\p{C}\p{Zl}\p{Zp}]/u.test(text) ? null : text
  } catch {
    return null
  }
}
