/**
 * Calls of a TRC-20 contract and their answers, in hex without 0x (TRON developer docs, "TRC-20 Protocol
 * Interface").
 */

/** First four bytes of keccak256 of each signature. */
const selectors = {
  transfer: 'a9059cbb',
  balanceOf: '70a08231',
  decimals: '313ce567',
  symbol: '95d89b41',
  totalSupply: '18160ddd',
  feeRate: 'dd644f72',
  maxFee: '35390714',
} as const

/** An address as contracts encode it: twenty bytes without the chain's prefix, padded to a word. */
const addressWord = (address: string): string => address.slice(-40).padStart(64, '0')
const numberWord = (value: bigint): string => value.toString(16).padStart(64, '0')

/** `transfer(address,uint256)` @param to normal form */
export const transferCall = (to: string, amount: bigint): string =>
  selectors.transfer + addressWord(to) + numberWord(amount)
export const balanceCall = (owner: string): string => selectors.balanceOf + addressWord(owner)
export const { decimals: decimalsCall, symbol: symbolCall, totalSupply: totalSupplyCall } = selectors
/** TetherToken's own `basisPointsRate()` and `maximumFee()`: hundredths of a per cent, and base units. */
export const { feeRate: feeRateCall, maxFee: maxFeeCall } = selectors

/** The number in an answer; null unless it is exactly one word. */
export const readNumber = (answer: string): bigint | null =>
  /^[0-9a-f]{64}$/i.test(answer) ? BigInt(`0x${answer}`) : null

/** Letters, digits, signs and spaces; no invisible characters, no direction characters. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u

/**
 * The text in an answer: a `string` or, in old tokens, a `bytes32`; null if it is neither, or not printable.
 */
export function readText(answer: string, max = 32): string | null {
  const bytes = /^([0-9a-f]{2})+$/i.test(answer) ? Buffer.from(answer, 'hex') : Buffer.alloc(0)
  const content = bytes.length === 32 ? withoutPadding(bytes) : stringOf(bytes)
  if (!content || content.length > 4 * max) return null
  const text = content.toString('utf8').trim()
  return text !== '' && [...text].length <= max && !text.includes('\ufffd') && printable.test(text)
    ? text
    : null
}

const withoutPadding = (word: Buffer): Buffer =>
  word.subarray(0, word.findLastIndex((byte) => byte !== 0) + 1)

/** ABI layout: the text's offset, its length, its bytes. */
function stringOf(bytes: Buffer): Buffer | null {
  if (bytes.length < 64 || readNumber(bytes.toString('hex', 0, 32)) !== 32n) return null
  const length = BigInt(`0x${bytes.toString('hex', 32, 64)}`)
  return length <= BigInt(bytes.length - 64) ? bytes.subarray(64, 64 + Number(length)) : null
}

/** The contract's reason for a revert: Solidity's `Error(string)`; null without a reason. */
export const readRevert = (answer: string): string | null =>
  answer.startsWith('08c379a0') ? readText(answer.slice(8), 200) : null
