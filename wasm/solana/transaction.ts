import { isNull, skipValue } from '../json'
import { afterValue, brace, firstMember, hasKey, integer, isMember, readInteger, readKey } from '../members'
import { touch } from './touched'
import { append, listBytes, readNumbers, readStrings, readTexts } from './values'

/**
 * One transaction of a block, with `transactionDetails: accounts` or whole: the addresses that
 * `touchedAddresses` (movements.ts) returns of it.
 */

const preBalances: usize = memory.data(listBytes, 8)
const postBalances: usize = memory.data(listBytes, 8)
const preOwners: usize = memory.data(listBytes, 8)
const postOwners: usize = memory.data(listBytes, 8)
const accounts: usize = memory.data(listBytes, 8)
/** Of lookup tables. Light blocks have them among the accounts. */
const loadedWritable: usize = memory.data(listBytes, 8)
const loadedReadonly: usize = memory.data(listBytes, 8)

const maxSafe: u64 = (1 << 53) - 1

let fee: f64 = 0
let isFailed: bool = false
/** The known keys of the object that is read, a bit each. */
let metaKeys: u32 = 0

const keyErr: u32 = 1
const keyFee: u32 = 2
const keyPre: u32 = 4
const keyPost: u32 = 8
const keyPreTokens: u32 = 16
const keyPostTokens: u32 = 32
const keyLoaded: u32 = 64
const needed: u32 = keyFee | keyPre | keyPost

function readErr(at: usize): usize {
  isFailed = !isNull(at)
  return skipValue(at)
}

function readFee(at: usize): usize {
  const end = readInteger(at)
  fee = integer as f64
  return integer > maxSafe ? 0 : end
}

function readOwners(at: usize, list: usize): usize {
  if (!isNull(at)) return readTexts(at, list, 'owner')
  store<u64>(list, 0)
  return at + 4
}

/** `{"writable":[…],"readonly":[…]}`. */
function readLoaded(from: usize): usize {
  if (isNull(from)) return from + 4
  let keys: u32 = 0
  let at = firstMember(from, brace)
  while (isMember(at, brace)) {
    const value = readKey(at)
    if (value == 0) return 0
    let key: u32 = 0
    if (hasKey(at, 'writable')) key = 1
    else if (hasKey(at, 'readonly')) key = 2
    if ((keys & key) != 0) return 0
    keys |= key
    let after: usize = 0
    if (key == 1) after = readStrings(value, loadedWritable)
    else if (key == 2) after = readStrings(value, loadedReadonly)
    else after = skipValue(value)
    at = afterValue(after, brace)
  }
  return keys == 3 ? at : 0
}

function metaKey(at: usize): u32 {
  if (hasKey(at, 'err')) return keyErr
  if (hasKey(at, 'fee')) return keyFee
  if (hasKey(at, 'preBalances')) return keyPre
  if (hasKey(at, 'postBalances')) return keyPost
  if (hasKey(at, 'preTokenBalances')) return keyPreTokens
  if (hasKey(at, 'postTokenBalances')) return keyPostTokens
  return hasKey(at, 'loadedAddresses') ? keyLoaded : 0
}

function readMetaValue(key: u32, at: usize): usize {
  switch (key) {
    case keyErr:
      return readErr(at)
    case keyFee:
      return readFee(at)
    case keyPre:
      return readNumbers(at, preBalances)
    case keyPost:
      return readNumbers(at, postBalances)
    case keyPreTokens:
      return readOwners(at, preOwners)
    case keyPostTokens:
      return readOwners(at, postOwners)
    case keyLoaded:
      return readLoaded(at)
    default:
      return skipValue(at)
  }
}

function readMeta(from: usize): usize {
  metaKeys = 0
  isFailed = false
  store<u64>(preOwners, 0)
  store<u64>(postOwners, 0)
  store<u64>(loadedWritable, 0)
  store<u64>(loadedReadonly, 0)
  let at = firstMember(from, brace)
  while (isMember(at, brace)) {
    const value = readKey(at)
    if (value == 0) return 0
    const key = metaKey(at)
    // `JSON.parse` takes the last of two members with one name.
    if ((metaKeys & key) != 0) return 0
    metaKeys |= key
    at = afterValue(readMetaValue(key, value), brace)
  }
  return (metaKeys & needed) == needed ? at : 0
}

/** `{"accountKeys":[…]}`: of objects with their `pubkey`, in a whole block of strings. */
function readAccounts(from: usize, whole: bool): usize {
  let found = false
  let at = firstMember(from, brace)
  while (isMember(at, brace)) {
    const value = readKey(at)
    if (value == 0) return 0
    const isFound = hasKey(at, 'accountKeys')
    if (isFound && found) return 0
    found = found || isFound
    let after: usize = 0
    if (!isFound) after = skipValue(value)
    else if (whole) after = readStrings(value, accounts)
    else after = readTexts(value, accounts, 'pubkey')
    at = afterValue(after, brace)
  }
  return found ? at : 0
}

/** `{"message":{"accountKeys":[…]}}`. */
function readMessage(from: usize): usize {
  let found = false
  let at = firstMember(from, brace)
  while (isMember(at, brace)) {
    const value = readKey(at)
    if (value == 0) return 0
    const isFound = hasKey(at, 'message')
    if (isFound && found) return 0
    found = found || isFound
    at = afterValue(isFound ? readAccounts(value, true) : skipValue(value), brace)
  }
  return found ? at : 0
}

function readSigned(from: usize, whole: bool): usize {
  return whole ? readMessage(from) : readAccounts(from, false)
}

function touchAll(list: usize): bool {
  const count = load<u64>(list) as usize
  for (let each: usize = 0; each < count; each++) if (!touch(load<u64>(list + 8 + each * 8))) return false
  return true
}

/** The first account pays the fee. */
function touchMoved(): bool {
  const count = load<u64>(accounts) as usize
  if ((load<u64>(preBalances) as usize) != count || (load<u64>(postBalances) as usize) != count) return false
  let paid = fee
  for (let each: usize = 8; each < 8 + count * 8; each += 8) {
    const moved = load<f64>(postBalances + each) - load<f64>(preBalances + each) + paid
    if (moved != 0 && !touch(load<u64>(accounts + each))) return false
    paid = 0
  }
  return true
}

/** @param whole not with `transactionDetails: accounts` @returns the place after it */
export function readTransaction(from: usize, whole: bool): usize {
  let keys: u32 = 0
  let at = firstMember(from, brace)
  while (isMember(at, brace)) {
    const value = readKey(at)
    if (value == 0) return 0
    let key: u32 = 0
    if (hasKey(at, 'meta')) key = 1
    else if (hasKey(at, 'transaction')) key = 2
    if ((keys & key) != 0) return 0
    keys |= key
    let after: usize = 0
    if (key == 1) after = readMeta(value)
    else if (key == 2) after = readSigned(value, whole)
    else after = skipValue(value)
    at = afterValue(after, brace)
  }
  if (at == 0 || keys != 3) return 0
  if (whole && !(append(loadedWritable, accounts) && append(loadedReadonly, accounts))) return 0
  return isFailed || (touchMoved() && touchAll(preOwners) && touchAll(postOwners)) ? at : 0
}
