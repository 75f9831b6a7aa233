import { skipSpace, skipValue } from './json'
import { afterValue, brace, firstMember, hasKey, integer, isMember, readInteger, readKey } from './members'

/**
 * Walks an answer of JSON-RPC 2.0: `{"jsonrpc":"2.0","id":7,"result":…}`, its members in any order.
 * @param from the first byte of the text @param end after its last one @param id of the request
 * @param readResult takes where the result begins, and returns the place after it, or 0 where it is not
 * understood
 * @returns whether it was understood. One with `error` is not: for any value that is true in JavaScript it
 * counts as a failure
 */
export function readAnswer(from: usize, end: usize, id: f64, readResult: (at: usize) => usize): bool {
  let keys: u32 = 0
  let at = firstMember(skipSpace(from), brace)
  while (isMember(at, brace)) {
    const value = readKey(at)
    if (value == 0 || hasKey(at, 'error')) return false
    let key: u32 = 0
    if (hasKey(at, 'id')) key = 1
    else if (hasKey(at, 'result')) key = 2
    if ((keys & key) != 0) return false
    keys |= key
    let after: usize = 0
    if (key == 1) after = readId(value, id)
    else if (key == 2) after = readResult(value)
    else after = skipValue(value)
    at = afterValue(after, brace)
  }
  return at != 0 && keys == 3 && skipSpace(at) == end
}

function readId(at: usize, id: f64): usize {
  const end = readInteger(at)
  return (integer as f64) == id ? end : 0
}
