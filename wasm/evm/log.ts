import { decodeBytes, isHex, smallNumber } from '../hex'
import { closingQuote, isKey, skipValue } from '../json'
import { afterValue, brace, bracket, firstMember, isMember, keyLength, readKey } from '../members'
import { headAt, headSize } from './rlp'
import { takeLog } from './transfers'

/** Reads one log: its RLP goes to where the receipt's is written, and its transfer to the transfers. */

const maxTopics: i32 = 4

// Where the members of the log at hand begin in the text; 0: not read yet.
let address: usize = 0
let data: usize = 0
let dataEnd: usize = 0
let hash: usize = 0
let logIndex: i32 = -1
let topicCount: i32 = -1
const topics: usize = memory.data(4 * 4, 4)

let written: usize = 0

/** Where the RLP of the last log ends. */
export function logEnd(): usize {
  return written
}

/**
 * @param from its opening brace
 * @param to where its RLP goes
 * @param index that it must have in the block
 * @returns the place after it, or 0 where it is not understood
 */
export function readLog(from: usize, to: usize, index: i32, receipt: i32): usize {
  address = 0
  data = 0
  hash = 0
  logIndex = -1
  topicCount = -1
  let at = firstMember(from, brace)
  while (isMember(at, brace)) {
    const value = readKey(at)
    if (value == 0) return 0
    at = afterValue(readMember(at + 1, keyLength(at), value), brace)
  }
  if (at == 0 || address == 0 || data == 0 || hash == 0 || topicCount < 0 || logIndex != index) return 0
  return write(to, receipt) ? at : 0
}

/** The text of the hash of its transaction: `0x` and 64 digits. */
export function hashOfLog(): usize {
  return hash
}

function readMember(key: usize, length: usize, value: usize): usize {
  switch (length as i32) {
    case 4:
      if (isKey(key, length, 'data')) return readData(value)
      break
    case 6:
      if (isKey(key, length, 'topics')) return readTopics(value)
      break
    case 7:
      if (isKey(key, length, 'address')) {
        if (address != 0) return 0
        address = value + 3
        return afterBytes(value, 20)
      }
      break
    case 8:
      if (isKey(key, length, 'logIndex')) return readIndex(value)
      break
    case 15:
      if (isKey(key, length, 'transactionHash')) {
        if (hash != 0) return 0
        hash = value + 1
        return afterBytes(value, 32)
      }
  }
  return skipValue(value)
}

/** The place after a string of `0x` and so many bytes in digits. Does not look at the digits. */
export function afterBytes(at: usize, bytes: usize): usize {
  return load<u8>(at) == 0x22 && isHex(at + 1, 2) && load<u8>(at + 3 + bytes * 2) == 0x22
    ? at + 4 + bytes * 2
    : 0
}

function readData(at: usize): usize {
  if (data != 0 || load<u8>(at) != 0x22) return 0
  const end = closingQuote(at + 1)
  if (end == 0 || !isHex(at + 1, end - at - 1) || ((end - at - 1) & 1) != 0) return 0
  data = at + 3
  dataEnd = end
  return end + 1
}

function readIndex(at: usize): usize {
  if (logIndex >= 0 || load<u8>(at) != 0x22) return 0
  const end = closingQuote(at + 1)
  if (end == 0 || !isHex(at + 1, end - at - 1)) return 0
  logIndex = smallNumber(at + 3, end - at - 3)
  return logIndex < 0 ? 0 : end + 1
}

function readTopics(from: usize): usize {
  if (topicCount >= 0) return 0
  topicCount = 0
  let at = firstMember(from, bracket)
  while (isMember(at, bracket)) {
    if (topicCount == maxTopics) return 0
    store<u32>(topics + topicCount * 4, (at + 3) as u32)
    topicCount++
    at = afterValue(afterBytes(at, 32), bracket)
  }
  return at
}

/** `[address, topics, data]`. */
function write(to: usize, receipt: i32): bool {
  const dataLength = (dataEnd - data) >> 1
  // The longest head, so that the byte can be looked at before the length of the whole is known.
  const isSingle = dataLength == 1 && load<u8>(data) < 0x38
  const topicsLength = (topicCount as usize) * 33
  const length: usize =
    21 + headSize(topicsLength) + topicsLength + (isSingle ? 1 : headSize(dataLength) + dataLength)
  let at = headAt(to, length, 0xc0)
  store<u8>(at, 0x94)
  const addressAt = at + 1
  if (!decodeBytes(address, 20, addressAt)) return false
  at = headAt(at + 21, topicsLength, 0xc0)
  const topicsAt = at + 1
  for (let topic = 0; topic < topicCount; topic++) {
    store<u8>(at, 0xa0)
    if (!decodeBytes(load<u32>(topics + topic * 4) as usize, 32, at + 1)) return false
    at += 33
  }
  const dataAt = isSingle ? at : headAt(at, dataLength, 0x80)
  if (!decodeBytes(data, dataLength, dataAt)) return false
  written = dataAt + dataLength
  return takeLog(addressAt, topicsAt, topicCount, dataAt, dataLength, logIndex, receipt)
}
