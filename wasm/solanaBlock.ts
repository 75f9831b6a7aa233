import { readAnswer } from './answer'
import { skipValue } from './json'
import {
  afterValue,
  brace,
  bracket,
  firstMember,
  hasKey,
  integer,
  isMember,
  readInteger,
  readKey,
} from './members'
import { afterTouched, clearTouched, touched, touchedCount } from './solana/touched'
import { readTransaction } from './solana/transaction'
import { readText, text } from './solana/values'

/**
 * Reads the answer to `getBlock` with `transactionDetails` of `accounts` or `full`. It understands only plain
 * answers; any other is left to the reader of JavaScript, so that both never differ.
 */

/**
 * The block: place and length of its hash and of its parent's hash, the parent's slot, the time, the number
 * of addresses and their place.
 */
const block: usize = memory.data(32, 8)
let isWhole: bool = false

/** Where the caller puts the answer, with 64 bytes of zeros after it. */
export const textAt: usize = afterTouched
export const blockAt: usize = block

const maxSafe: u64 = (1 << 53) - 1

const keyHash: u32 = 1
const keyParentHash: u32 = 2
const keyParentSlot: u32 = 4
const keyTime: u32 = 8
const keyTransactions: u32 = 16
const allKeys: u32 = 31

function keyOf(at: usize): u32 {
  if (hasKey(at, 'blockhash')) return keyHash
  if (hasKey(at, 'previousBlockhash')) return keyParentHash
  if (hasKey(at, 'parentSlot')) return keyParentSlot
  if (hasKey(at, 'blockTime')) return keyTime
  return hasKey(at, 'transactions') ? keyTransactions : 0
}

function readTextTo(at: usize, to: usize): usize {
  const end = readText(at)
  store<u64>(to, text)
  return end
}

function readNumberTo(at: usize, to: usize): usize {
  const end = readInteger(at)
  store<f64>(to, integer as f64)
  return integer > maxSafe ? 0 : end
}

function readTransactions(from: usize): usize {
  let at = firstMember(from, bracket)
  while (isMember(at, bracket)) at = afterValue(readTransaction(at, isWhole), bracket)
  return at
}

function readBlockValue(key: u32, at: usize): usize {
  switch (key) {
    case keyHash:
      return readTextTo(at, block)
    case keyParentHash:
      return readTextTo(at, block + 8)
    case keyParentSlot:
      return readNumberTo(at, block + 16)
    case keyTime:
      return readNumberTo(at, block + 24)
    case keyTransactions:
      return readTransactions(at)
    default:
      return skipValue(at)
  }
}

function readBlock(from: usize): usize {
  let keys: u32 = 0
  let at = firstMember(from, brace)
  while (isMember(at, brace)) {
    const value = readKey(at)
    if (value == 0) return 0
    const key = keyOf(at)
    if ((keys & key) != 0) return 0
    keys |= key
    at = afterValue(readBlockValue(key, value), brace)
  }
  return keys == allKeys ? at : 0
}

/**
 * @param id of the request @param whole with full transactions
 * @returns the number of addresses touched, or -1 where the answer was not understood
 */
export function scan(length: usize, id: f64, salt: u32, whole: bool): i32 {
  isWhole = whole
  clearTouched(salt)
  return readAnswer(textAt, textAt + length, id, readBlock) ? (touchedCount as i32) : -1
}

export const touchedAt: usize = touched
