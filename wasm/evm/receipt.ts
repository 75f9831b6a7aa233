import { decodeBytes, decodeNumber, isHex, smallNumber } from '../hex'
import { closingQuote, isKey, isNull, skipValue } from '../json'
import { afterValue, brace, bracket, firstMember, isMember, keyLength, readKey } from '../members'
import { afterBytes, hashOfLog, logEnd, readLog } from './log'
import { headBefore, stringBefore } from './rlp'
import { beginReceipt, touch } from './transfers'
import { leafRoom } from './trie'

/** Reads one receipt: its RLP is written, and whom it touched. */

/** Bytes before the logs of a receipt: type, status, gas and bloom with their heads. */
const room: usize = 320

/** The members that are read. */
enum Member {
  None = -1,
  Hash,
  BlockHash,
  From,
  To,
  Created,
  Status,
  Gas,
  Bloom,
  Type,
  Nonce,
  Version,
  Logs,
}

/** Where each member of the receipt at hand begins in the text; 0: not read yet. */
const places: usize = memory.data(12 * 4, 16)

function placeOf(member: Member): usize {
  return load<u32>(places + (member as usize) * 4) as usize
}

/** The RLP of its logs. */
let logsBegin: usize = 0
let logsEnd: usize = 0
/** The text of the hash in its last log. */
let logHash: usize = 0

let nextLog: i32 = 0
let begin: usize = 0
let end: usize = 0
let status: u8 = 0
let kind: u8 = 0

const unionOfBlooms: usize = memory.data(256, 16)
const address: usize = memory.data(24, 8)
const scratch: usize = memory.data(64, 16)

/** Texts of `0x` and 64 digits. */
export function hashOfReceipt(): usize {
  return placeOf(Member.Hash) + 1
}

export function blockHashOfReceipt(): usize {
  return placeOf(Member.BlockHash) + 1
}

/** The RLP of the last receipt. */
export function receiptBegin(): usize {
  return begin
}

export function receiptEnd(): usize {
  return end
}

/** Of the last receipt: 1 if its transaction succeeded. */
export function receiptStatus(): u8 {
  return status
}

/** The type of the last receipt. */
export function receiptType(): u8 {
  return kind
}

export function unionOfBloomsAt(): usize {
  return unionOfBlooms
}

export function beginBlock(): void {
  nextLog = 0
  memory.fill(unionOfBlooms, 0, 256)
}

/** @param to where its RLP may go @returns the place after it, or 0 where it is not understood */
export function readReceipt(from: usize, to: usize, index: i32): usize {
  memory.fill(places, 0, 12 * 4)
  logHash = 0
  beginReceipt()
  let at = firstMember(from, brace)
  while (isMember(at, brace)) {
    const value = readKey(at)
    if (value == 0) return 0
    at = afterValue(readMember(at + 1, keyLength(at), value, to + leafRoom + room, index), brace)
  }
  return at != 0 && isWhole() && touchAccounts() && write() ? at : 0
}

function isWhole(): bool {
  return (
    placeOf(Member.Hash) != 0 &&
    placeOf(Member.BlockHash) != 0 &&
    placeOf(Member.From) != 0 &&
    placeOf(Member.To) != 0 &&
    placeOf(Member.Status) != 0 &&
    placeOf(Member.Gas) != 0 &&
    placeOf(Member.Bloom) != 0 &&
    placeOf(Member.Logs) != 0
  )
}

function readMember(key: usize, length: usize, value: usize, logsAt: usize, index: i32): usize {
  const member = memberOf(key, length)
  if (member == Member.None) return skipValue(value)
  if (placeOf(member) != 0) return 0
  store<u32>(places + (member as usize) * 4, value as u32)
  return member == Member.Logs ? readLogs(value, logsAt, index) : endOf(member, value)
}

function memberOf(key: usize, length: usize): Member {
  switch (length as i32) {
    case 2:
      return isKey(key, length, 'to') ? Member.To : Member.None
    case 4:
      if (isKey(key, length, 'from')) return Member.From
      if (isKey(key, length, 'type')) return Member.Type
      return isKey(key, length, 'logs') ? Member.Logs : Member.None
    case 6:
      return isKey(key, length, 'status') ? Member.Status : Member.None
    case 9:
      if (isKey(key, length, 'blockHash')) return Member.BlockHash
      return isKey(key, length, 'logsBloom') ? Member.Bloom : Member.None
    case 12:
      return isKey(key, length, 'depositNonce') ? Member.Nonce : Member.None
    case 15:
      if (isKey(key, length, 'transactionHash')) return Member.Hash
      return isKey(key, length, 'contractAddress') ? Member.Created : Member.None
    case 17:
      return isKey(key, length, 'cumulativeGasUsed') ? Member.Gas : Member.None
    case 21:
      return isKey(key, length, 'depositReceiptVersion') ? Member.Version : Member.None
    default:
      return Member.None
  }
}

function endOf(member: Member, value: usize): usize {
  switch (member) {
    case Member.Hash:
    case Member.BlockHash:
      return afterText(value, 66)
    case Member.Bloom:
      return afterBytes(value, 256)
    case Member.From:
      return afterBytes(value, 20)
    case Member.To:
    case Member.Created:
      return isNull(value) ? value + 4 : afterBytes(value, 20)
    default:
      return afterHex(value)
  }
}

/** The place after a string of so many letters: hashes are compared as text, and not decoded. */
function afterText(at: usize, length: usize): usize {
  return load<u8>(at) == 0x22 && closingQuote(at + 1) == at + 1 + length ? at + 2 + length : 0
}

/** The place after a number in hex of at most 64 digits. Does not look at the digits. */
function afterHex(at: usize): usize {
  if (load<u8>(at) != 0x22) return 0
  const closing = closingQuote(at + 1)
  return closing != 0 && isHex(at + 1, closing - at - 1) && closing - at <= 67 ? closing + 1 : 0
}

function digitsOf(at: usize): usize {
  return closingQuote(at + 1) - at - 3
}

function readLogs(from: usize, to: usize, index: i32): usize {
  logsBegin = to
  logsEnd = to
  let at = firstMember(from, bracket)
  while (isMember(at, bracket)) {
    const end = readLog(at, logsEnd, nextLog, index)
    if (end == 0) return 0
    if (logHash != 0 && memory.compare(logHash, hashOfLog(), 66) != 0) return 0
    logHash = hashOfLog()
    logsEnd = logEnd()
    nextLog++
    at = afterValue(end, bracket)
  }
  return at
}

/**
 * The accounts that may have moved the native coin: those of a transaction that succeeded. A deposit of an OP
 * chain mints for its sender also where it fails.
 */
function touchAccounts(): bool {
  const succeeded = smallNumber(placeOf(Member.Status) + 3, digitsOf(placeOf(Member.Status)))
  if (succeeded != 0 && succeeded != 1) return false
  status = succeeded as u8
  const recipient = placeOf(Member.To)
  const to = isNull(recipient) ? placeOf(Member.Created) : recipient
  if (to != 0 && !isNull(to)) {
    if (!decodeBytes(to + 3, 20, address)) return false
    if (succeeded == 1) touch(address)
  }
  if (!decodeBytes(placeOf(Member.From) + 3, 20, address)) return false
  if (succeeded == 1 || isDeposit()) touch(address)
  return true
}

function isDeposit(): bool {
  const type = placeOf(Member.Type)
  return type != 0 && smallNumber(type + 3, digitsOf(type)) == 0x7e
}

/**
 * `type || [status, cumulativeGasUsed, logsBloom, logs, depositNonce?, depositReceiptVersion?]`: see
 * src/chains/evm/read/receiptsRoot.ts.
 */
function write(): bool {
  if (logHash != 0 && memory.compare(logHash, hashOfReceipt(), 66) != 0) return false
  const type = placeOf(Member.Type)
  const number = type == 0 ? 0 : smallNumber(type + 3, digitsOf(type))
  if (number < 0 || number >= 0x80) return false
  kind = number as u8
  if (!writeDeposit()) return false
  let at = headBefore(logsBegin, logsEnd - logsBegin, 0xc0) - 256
  if (!decodeBytes(placeOf(Member.Bloom) + 3, 256, at)) return false
  if (logsEnd > logsBegin) addToUnion(at)
  at = numberBefore(placeOf(Member.Gas), headBefore(at, 256, 0x80))
  if (at == 0) return false
  at = numberBefore(placeOf(Member.Status), at)
  if (at == 0) return false
  at = headBefore(at, end - at, 0xc0)
  if (kind != 0) store<u8>(--at, kind)
  begin = at
  return true
}

function writeDeposit(): bool {
  end = logsEnd
  const nonce = placeOf(Member.Nonce)
  const version = placeOf(Member.Version)
  if (version == 0) return true
  const number = nonce == 0 ? 0 : decodeNumber(nonce + 3, digitsOf(nonce), scratch)
  if (number < 0) return false
  return append(number) && append(decodeNumber(version + 3, digitsOf(version), scratch))
}

/** Adds the number in `scratch` to the end. */
function append(length: i32): bool {
  if (length < 0) return false
  const payload = end + (length == 1 && load<u8>(scratch) < 0x80 ? 0 : 1)
  memory.copy(payload, scratch, length)
  stringBefore(payload, length)
  end = payload + length
  return true
}

/** @returns where it begins; 0 where it is not a number */
function numberBefore(text: usize, at: usize): usize {
  const length = decodeNumber(text + 3, digitsOf(text), scratch)
  if (length < 0) return 0
  memory.copy(at - length, scratch, length)
  return stringBefore(at - length, length)
}

function addToUnion(bytes: usize): void {
  for (let at: usize = 0; at < 256; at += 16)
    v128.store(unionOfBlooms + at, v128.or(v128.load(unionOfBlooms + at), v128.load(bytes + at)))
}
