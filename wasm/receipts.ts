import { readAnswer } from './answer'
import {
  beginBlock,
  blockHashOfReceipt,
  hashOfReceipt,
  readReceipt,
  receiptBegin,
  receiptEnd,
  receiptStatus,
  receiptType,
  unionOfBloomsAt,
} from './evm/receipt'
import { regionAt, roomFor, textAt } from './evm/regions'
import { beginTransfers, isNativeByEvents, nativeLogAt, touchedEnd, transfersEnd } from './evm/transfers'
import { trieRoot, valueSize } from './evm/trie'
import { hashAll } from './keccakPair'
import { afterValue, bracket, firstMember, isMember } from './members'

/**
 * Reads the answer to `eth_getBlockReceipts` from its bytes: transfers, touched accounts, the bloom of all
 * logs and the receipts root, in one walk. What it does not understand it leaves to the reader of JavaScript
 * (src/chains/evm), which is the reference: it gives the same result or none.
 */

export { nativeLogAt, roomFor, textAt }

const maxReceipts: i32 = 65536
const hashLength: usize = 66

const root: usize = memory.data(32, 8)

let text: usize = 0
let count: i32 = 0
let blockHash: usize = 0
let isWhole: bool = false

function encodedAt(): usize {
  return regionAt(text, 0)
}

function listAt(): usize {
  return regionAt(text, 1)
}

export function rootAt(): usize {
  return root
}

export function bloomAt(): usize {
  return unionOfBloomsAt()
}

/** The text of the block's hash: `0x` and 64 digits. */
export function blockHashAt(): usize {
  return blockHash
}

/** The texts of the transactions' hashes, one after the other. */
export function hashesAt(): usize {
  return regionAt(text, 2)
}

export function transfersAt(): usize {
  return regionAt(text, 3)
}

export function touchedAt(): usize {
  return regionAt(text, 4)
}

/**
 * Where the block is read whole, in place of the touched accounts: of each receipt its status and its type, a
 * byte each.
 */
export function outcomesAt(): usize {
  return regionAt(text, 4)
}

export { isNativeByEvents, touchedEnd, transfersEnd }

/**
 * @param length of the text at `textAt`, with zeros after it; the memory has `roomFor` it
 * @param id of the request
 * @param withRoot compute the receipts root
 * @param withNativeLog the contract at `nativeLogAt` logs transfers of the native coin
 * @param whole its transactions are read too: logged movements of the native coin are transfers
 * @returns the number of receipts, or -1 where it is not understood
 */
export function scan(length: usize, id: f64, withRoot: bool, withNativeLog: bool, whole: bool): i32 {
  text = length
  count = 0
  blockHash = 0
  isWhole = whole
  beginBlock()
  beginTransfers(transfersAt(), touchedAt(), withNativeLog, whole)
  if (!readAnswer(textAt(), textAt() + length, id, readReceipts)) return -1
  if (withRoot) trieRoot(listAt(), count, listAt() + (count as usize) * valueSize, root)
  return count
}

/** @param from where the list of receipts begins @returns the place after it, or 0 */
function readReceipts(from: usize): usize {
  let at = firstMember(from, bracket)
  let to = encodedAt()
  while (isMember(at, bracket)) {
    if (count == maxReceipts) return 0
    const end = readReceipt(at, to, count)
    if (end == 0) return 0
    if (count == 0) blockHash = blockHashOfReceipt()
    else if (memory.compare(blockHash, blockHashOfReceipt(), hashLength) != 0) return 0
    memory.copy(hashesAt() + (count as usize) * hashLength, hashOfReceipt(), hashLength)
    const entry = listAt() + (count as usize) * valueSize
    store<u32>(entry, receiptBegin() as u32)
    store<u32>(entry, (receiptEnd() - receiptBegin()) as u32, 4)
    if (isWhole) {
      store<u8>(outcomesAt() + (count as usize) * 2, receiptStatus())
      store<u8>(outcomesAt() + (count as usize) * 2, receiptType(), 1)
    }
    to = receiptEnd()
    count++
    at = afterValue(end, bracket)
  }
  return at
}

/**
 * The hashes of values, and the root of the trie that holds them.
 * @param list of each value its place, its length, and where its hash goes: four bytes each. The values take
 * 32 bytes at least, with 24 free ones before each. The list is changed
 * @param scratch free memory: 32 bytes a value, and 8 kB
 */
export function hashValues(list: usize, length: i32, scratch: usize): void {
  hashAll(list, length)
  trieRoot(list, length, scratch, root)
}
