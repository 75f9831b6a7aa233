import type { MemoType } from '../chains/chain.ts'
import { addressCodec } from '../chains/codecs.ts'
import { registeredChain } from '../chains/registry.ts'

/** A transfer as the indexer stores it. */
interface Recipient {
  chain: string
  /** With the id of a muxed address, or of a memo that is one. */
  to: string
  memo: string | null
  memoType: MemoType | null
}

/**
 * The memo that the owner of a shared account knows a transfer by, as text: the id of a muxed address before
 * any memo (SEP-23), otherwise a memo of the type `text` or `id`. Null: another type, or the chain has no
 * shared accounts.
 */
export function settlementMemo({ chain, to, memo, memoType }: Recipient): string | null {
  const codec = addressCodec(registeredChain(chain).family)
  const account = codec.account?.(to)
  if (account === undefined) return null
  if (account !== null) return codec.payment?.(to)?.memo ?? null
  return memoType === 'text' || memoType === 'id' ? memo : null
}
