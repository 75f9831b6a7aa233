import { allowanceHolder } from './contracts.ts'

/** A transaction as 0x answers it. Normal forms. */
export interface ZeroXTransaction {
  to: string
  /** Hex in lower case, with 0x. */
  data: string
  value: bigint
}

/**
 * The effect of a transaction of 0x, by the contracts that it names: what they take, and what they must pay.
 */
export interface DecodedSwap {
  /**
   * AllowanceHolder lets `operator` take this in this call; null for a call of a Settler itself, which can
   * take nothing.
   */
  allowed: { operator: string; token: string; amount: bigint } | null
  /** The Settler that is called. */
  settler: string
  /** The Settler enforces: all that it has of `buyToken`, and at least this, goes to `recipient`. */
  recipient: string
  buyToken: string
  minAmountOut: bigint
}

/**
 * `exec(address operator, address token, uint256 amount, address payable target, bytes data)` of
 * AllowanceHolder.
 */
const execSelector = '0x2213bc0b'
/**
 * `execute((address recipient, address buyToken, uint256 minAmountOut), bytes[] actions, bytes32
 * zidAndAffiliate)` of a Settler.
 */
const executeSelector = '0x1fff991f'

/**
 * Decodes the two calls of 0x's protocol. All words that decide are at fixed places, so that this reads the
 * same as the contracts; the actions of the route are left to the trial run.
 * @returns null for any other call
 */
export function decodeTransaction({ to, data }: ZeroXTransaction): DecodedSwap | null {
  if (to !== allowanceHolder) {
    const executed = decodeExecute(data)
    return executed && { allowed: null, settler: to, ...executed }
  }
  const words = wordsOf(data, execSelector)
  if (words === null) return null
  const [operator, token, target] = [addressIn(words, 0), addressIn(words, 1), addressIn(words, 3)]
  const executed = decodeExecute(bytesAtEnd(words, 4))
  if (operator === null || token === null || target === null || executed === null) return null
  return { allowed: { operator, token, amount: numberIn(words, 2) }, settler: target, ...executed }
}

type Executed = Pick<DecodedSwap, 'recipient' | 'buyToken' | 'minAmountOut'>

function decodeExecute(data: string | null): Executed | null {
  const words = data === null ? null : wordsOf(data, executeSelector)
  if (words === null) return null
  const [recipient, buyToken] = [addressIn(words, 0), addressIn(words, 1)]
  if (recipient === null || buyToken === null || words.length < 6 * wordLength) return null
  return { recipient, buyToken, minAmountOut: numberIn(words, 2) }
}

/** Hex digits of a word. */
const wordLength = 64

/** The arguments of a call, in hex without 0x. */
function wordsOf(data: string, selector: string): string | null {
  return /^0x([0-9a-f]{2})*$/.test(data) && data.startsWith(selector) ? data.slice(selector.length) : null
}

const wordIn = (words: string, index: number): string =>
  words.slice(index * wordLength, (index + 1) * wordLength)

/** Null for a word whose upper bytes are not zero, which the contracts refuse. */
const addressIn = (words: string, index: number): string | null =>
  /^0{24}([0-9a-f]{40})$/.test(wordIn(words, index)) ? `0x${wordIn(words, index).slice(24)}` : null

const numberIn = (words: string, index: number): bigint =>
  BigInt(`0x${wordIn(words, index).padEnd(wordLength, '0')}`)

/**
 * The `bytes` that an argument names, if they are where all compilers put the only ones of a call: after the
 * arguments, up to the end.
 */
function bytesAtEnd(words: string, index: number): string | null {
  const [offset, start] = [numberIn(words, index), (index + 1) * wordLength]
  if (offset !== BigInt(start / 2) || words.length < start + wordLength) return null
  const length = numberIn(words, index + 1)
  const rest = words.slice(start + wordLength)
  const padding = BigInt(rest.length / 2) - length
  if (padding < 0n || padding >= 32n) return null
  const end = Number(length) * 2
  return /^0*$/.test(rest.slice(end)) ? `0x${rest.slice(0, end)}` : null
}
