import { invalidBody } from '../platform/errors.ts'
import type { Memo } from './chain.ts'
import type { ConfiguredChain } from './registry.ts'

export type SentMemoType = 'text' | 'id' | 'hash'

/** The memo of a request. */
export interface MemoRequest {
  memo?: string
  memoType?: SentMemoType
}

const memoForms: Record<SentMemoType, { allows(memo: string): boolean; message: string }> = {
  text: { allows: (memo) => Buffer.byteLength(memo) <= 28, message: 'a text memo may have 28 bytes at most' },
  id: {
    allows: (memo) => /^(0|[1-9]\d{0,19})$/.test(memo) && BigInt(memo) < 2n ** 64n,
    message: 'an id memo is a whole number below 2^64',
  },
  hash: { allows: (memo) => /^[0-9a-f]{64}$/i.test(memo), message: 'a hash memo is 32 bytes in hex' },
}

/**
 * Memos exist on Stellar only. There a token needs one, or a muxed address: exchanges and wallets that share
 * an account lose transfers without.
 * @param at prefix of field names in errors
 */
export function readMemo(
  chain: Pick<ConfiguredChain, 'name' | 'family'>,
  to: string,
  isToken: boolean,
  { memo, memoType }: MemoRequest,
  at = '',
): Memo | null {
  if (chain.family !== 'stellar') {
    if (memo !== undefined)
      throw invalidBody({
        field: `${at}memo`,
        message: `does not exist on ${chain.name}`,
        code: 'not_possible',
      })
    // `text` is the contract's default, also for callers that leave it out.
    if (memoType !== undefined && memoType !== 'text')
      throw invalidBody({
        field: `${at}memoType`,
        message: `does not exist on ${chain.name}`,
        code: 'not_possible',
      })
    return null
  }
  const isMuxed = to.startsWith('M')
  if (memo === undefined) {
    if (memoType !== undefined && memoType !== 'text')
      throw invalidBody({ field: `${at}memo`, message: 'is required with memoType', code: 'required' })
    if (isToken && !isMuxed)
      throw invalidBody({
        field: `${at}memo`,
        message: 'is required for USDC and USDT on stellar, unless toAddress is a muxed one (M…)',
        code: 'required',
      })
    return null
  }
  // SEP-23: a muxed address contains its id; a memo could contradict it.
  if (isMuxed)
    throw invalidBody({
      field: `${at}memo`,
      message: 'must be left out with a muxed address, which has its own id',
      code: 'not_possible',
    })
  const type = memoType ?? 'text'
  const form = memoForms[type]
  if (!form.allows(memo))
    throw invalidBody({ field: `${at}memo`, message: form.message, code: 'invalid_form' })
  return { type, value: type === 'hash' ? memo.toLowerCase() : memo }
}
