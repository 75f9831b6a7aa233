import { isNull, skipValue } from '../json'
import { afterValue, brace, firstMember, hasKey, integer, isMember, readInteger, readKey } from '../members'
import { touch } from './touched'
import { listBytes, readNumbers, readTexts } from './values'

/** One transaction of a block with `transactionDetails: accounts`: the addresses that `touchedAddresses` (movements.ts) returns of it. */

const preBalances: usize = memory.data(listBytes, 8)
const postBalances: usize = memory.data(listBytes, 8)
const preOwners: usize = memory.data(listBytes, 8)
const postOwners: usize = memory.data(listBytes, 8)
const accounts: usize = memory.data(listBytes, 8)

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

function metaKey(at: usize): u32 {
  if (hasKey(at, 'err')) return keyErr
  if (hasKey(at, 'fee')) return keyFee
  if (hasKey(at, 'preBalances')) return keyPre
  if (hasKey(at, 'postBalances')) return keyPost
  if (hasKey(at, 'preTokenBalances')) return keyPreTokens
  return hasKey(at, 'postTokenBalances') ? keyPostTokens : 0
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
    default:
      return skipValue(at)
  }
}

function readMeta(from: usize): usize {
  metaKeys = 0
  isFailed = false
  store<u64>(preOwners, 0)
  store<u64>(postOwners, 0)
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

function readAccounts(from: usize): usize {
  let found = false
  let at = firstMember(from, brace)
  while (isMember(at, brace)) {
    const value = readKey(at)
    if (value == 0) return 0
    const isFound = hasKey(at, 'accountKeys')
    if (isFound && found) return 0
    found = found || isFound
    at = afterValue(isFound ? readTexts(value, accounts, 'pubkey') : skipValue(value), brace)
  }
  return found ? at : 0
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

/** @returns the place after it */
export function readTransaction(from: usize): usize {
  let keys: u32 = 0
  let at = firstMember(from, brace)
  while (isMember(at, brace)) {
    const value = readKey(at)
    if (value == 0) return 0
    const key: u32 = hasKey(at, 'meta') ? 1 : hasKey(at, 'transaction') ? 2 : 0
    if ((keys & key) != 0) return 0
    keys |= key
    at = afterValue(key == 1 ? readMeta(value) : key == 2 ? readAccounts(value) : skipValue(value), brace)
  }
  if (at == 0 || keys != 3) return 0
  return isFailed || (touchMoved() && touchAll(preOwners) && touchAll(postOwners)) ? at : 0
}
