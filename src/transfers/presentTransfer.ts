import { formatUnits } from '../chains/amount.ts'
import { addressCodec } from '../chains/codecs.ts'
import { knownChain } from '../chains/registry.ts'
import { heldMessage, heldReason } from '../outgoing/hold.ts'
import type { Outgoing, OutgoingStatus } from '../outgoing/outgoing.ts'

/** The specification's three states: what nobody knows yet is pending, what can no longer come has failed. */
const shown: Record<OutgoingStatus, 'pending' | 'confirmed' | 'failed'> = {
  created: 'pending',
  signed: 'pending',
  broadcast: 'pending',
  unknown: 'pending',
  confirmed: 'confirmed',
  failed: 'failed',
  expired: 'failed',
}

/** A transfer as the API and its webhooks show it. */
export type TransferView = ReturnType<typeof presentTransfer>

/** The approval that a transfer needs, where it needs one. */
function presentApproval({ decision, expiresAt, decidedAt }: NonNullable<Outgoing['approval']>, status: OutgoingStatus) {
  const until = new Date(expiresAt)
  // What has ended undecided waits for no decision.
  const isOver = status !== 'created' || until.getTime() <= Date.now()
  const state = decision ?? (isOver ? ('expired' as const) : ('waiting' as const))
  return { required: true as const, state, expiresAt: until.toISOString(), decidedAt: decidedAt === null ? null : new Date(decidedAt).toISOString() }
}

export function presentTransfer(row: Outgoing) {
  const chain = knownChain(row.chain)
  if (!chain) throw new Error(`${row.chain} is no chain`)
  const codec = addressCodec(chain.family)
  const { intent } = row
  return {
    id: row.id,
    chain: row.chain,
    token: intent.token === null ? 'native' : row.symbol.toLowerCase(),
    symbol: row.symbol,
    amount: formatUnits(intent.amount, row.decimals),
    fromAddress: codec.display(intent.from),
    toAddress: codec.display(intent.to),
    ...(intent.memo && { memo: intent.memo.value, memoType: intent.memo.type }),
    walletId: row.walletId,
    txHash: row.txId,
    status: shown[row.status],
    reason: row.held ? heldReason : row.reason,
    message: row.held ? heldMessage : row.message,
    ...(row.gasUsed !== null && { gasUsed: row.gasUsed.toString() }),
    fee: row.fee === null ? null : formatUnits(row.fee, chain.native.decimals),
    feeCurrency: chain.native.symbol,
    blockHeight: row.blockHeight,
    ...(row.approval && { approval: presentApproval(row.approval, row.status) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
