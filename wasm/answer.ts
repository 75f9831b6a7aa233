import { closingQuote, isKey, nextMember, skipNumber, skipSpace, skipString, valueAfterColon, wholeNumber } from './json'

/**
 * Walks an answer of JSON-RPC 2.0: `{"jsonrpc":"2.0","id":7,"result":…}`, its members in any order.
 * @param from the first byte of the text @param end after its last one @param id of the request
 * @param readResult takes where the result begins, and returns the place after it, or 0 where it is not understood
 * @returns whether it was understood; an error and any other member are not
 */
export function readAnswer(from: usize, end: usize, id: i32, readResult: (at: usize) => usize): bool {
  let hasId = false
  let hasResult = false
  let at = skipSpace(from)
  if (load<u8>(at) != 0x7b) return false
  at = skipSpace(at + 1)
  do {
    if (load<u8>(at) != 0x22) return false
    const closing = closingQuote(at + 1)
    const value: usize = closing == 0 ? 0 : valueAfterColon(closing + 1)
    if (value == 0) return false
    const key = at + 1
    const length = closing - key
    if (isKey(key, length, 'id')) {
      if (hasId || wholeNumber(value) != id) return false
      hasId = true
      at = skipNumber(value)
    } else if (isKey(key, length, 'result')) {
      if (hasResult) return false
      hasResult = true
      at = readResult(value)
    } else if (isKey(key, length, 'jsonrpc')) at = skipString(value)
    else return false
    if (at == 0) return false
    at = nextMember(at, 0x7d)
    if (at == 0) return false
  } while (load<u8>(at - 1) != 0x7d)
  return hasId && hasResult && skipSpace(at) == end
}
