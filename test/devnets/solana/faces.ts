import { rpcErrors } from './errors.ts'
import { type Block, type Commitment, hash, headOf, type Ledger, rootUnder } from './ledger.ts'
import type { ExecutedTransaction, Meta } from './transaction.ts'

/** How a face misbehaves. Without any it is the honest node. */
export interface FaceFlags {
  /** Its head is so many blocks lower. */
  lagBlocks?: number
  /** HTTP 503. */
  down?: boolean
  /** HTTP 429 behind so many requests in a second. */
  throttle?: number
  /** It waits so long before it answers. */
  slowMs?: number
  /** It has dropped the blocks below this slot. */
  pruneBelow?: number
  /** It has its old blocks from long-term storage, and says of skipped slots what that says (-32009). */
  longTermStorage?: boolean
  /** It says -32004 of skipped slots too. */
  ambiguous?: boolean
  /** It has not got the blocks of these slots: -32004, and they are missing in `getBlocks`. */
  hide?: number[]
  /** Slots of a hole: it knows neither their blocks nor what became of their transactions. */
  lost?: number[]
  /** -32014 for these slots. */
  statusNotYet?: number[]
  /** It says of every block with a transaction that its version is too high. */
  unknownVersion?: boolean
  /** Leaves these transactions out of blocks. */
  omit?: string[]
  /** Token balances without their owner, as of the years before the node recorded it. */
  noOwner?: boolean
  /** What this transaction leaves behind is told as one unit more. */
  amountOff?: string
  /** The block of this slot names another parent by hash. */
  badParent?: number
  /** For this slot, which was skipped, it gives the next block: a cache with a wrong key. */
  nextFor?: number
}

/** The chain as one face shows it. */
export interface View {
  ledger: Ledger
  flags: FaceFlags
  /** The last confirmed block. */
  head: Block
  /** The last final block. */
  root: Block
  /** The lowest slot of a block that it has. */
  first: number
}

/** The version after all known ones, which a lying face claims to have met. */
const unheardOfVersion = 2

export function viewOf(ledger: Ledger, flags: FaceFlags): View {
  const { height } = headOf(ledger)
  const head = ledger.blocks[Math.max(0, height - (flags.lagBlocks ?? 0))] ?? headOf(ledger)
  const first = flags.pruneBelow === undefined ? 0 : (ledger.blocks.find((block) => block.slot >= (flags.pruneBelow ?? 0))?.slot ?? head.slot)
  return { ledger, flags, head, root: rootUnder(ledger, head), first }
}

/** The block whose state a commitment speaks of; null: the open slot. A lagging face knows no open slot. */
export function blockOf({ head, root, flags }: View, commitment: Commitment): Block | null {
  if (commitment === 'finalized') return root
  return commitment === 'confirmed' || flags.lagBlocks ? head : null
}

export const slotOf = (view: View, commitment: Commitment): number => blockOf(view, commitment)?.slot ?? view.ledger.open.slot
export const heightOf = (view: View, commitment: Commitment): number => blockOf(view, commitment)?.height ?? view.head.height + 1

/** Whether this face has the transaction, at that commitment or above. */
export const knows = (view: View, { slot }: ExecutedTransaction, commitment: Commitment): boolean => slot <= slotOf(view, commitment)

const hides = ({ hide = [], lost = [] }: FaceFlags, slot: number): boolean => hide.includes(slot) || lost.includes(slot)

/** Slots of the blocks that this face has, of those from `from` to `to`. */
export function slotsBetween({ ledger, flags, first }: View, from: number, to: number): number[] {
  return ledger.blocks.filter(({ slot }) => slot >= Math.max(from, first) && slot <= to && !hides(flags, slot)).map(({ slot }) => slot)
}

/**
 * The block of a slot, by the node's own rules (agave, `get_block`): only of a slot that is final does it know whether it
 * was skipped; of one above, it says -32004 whether the slot was skipped, is on a lost fork, or is still to come.
 */
export function blockAt(view: View, slot: number, commitment: Commitment): Block {
  const { ledger, flags, root, head, first } = view
  if (flags.statusNotYet?.includes(slot)) throw rpcErrors.blockStatusNotAvailableYet(slot)
  if (hides(flags, slot)) throw rpcErrors.blockNotAvailable(slot)
  const block = slot === flags.nextFor ? ledger.blocks.find((each) => each.slot > slot) : ledger.bySlot.get(slot)
  if (slot <= root.slot) {
    if (slot < first) throw rpcErrors.blockCleanedUp(slot, first)
    if (block) return block
    if (flags.ambiguous) throw rpcErrors.blockNotAvailable(slot)
    throw flags.longTermStorage ? rpcErrors.longTermStorageSlotSkipped(slot) : rpcErrors.slotSkipped(slot)
  }
  if (block && commitment === 'confirmed' && block.slot <= head.slot) return block
  throw rpcErrors.blockNotAvailable(slot)
}

/** The block as this face tells it. */
export function toldBlock({ flags }: View, block: Block): Block {
  if (flags.unknownVersion && block.transactions.length > 0) throw rpcErrors.unsupportedVersion(unheardOfVersion)
  return {
    ...block,
    previousBlockhash: flags.badParent === block.slot ? hash('no block has this hash') : block.previousBlockhash,
    transactions: block.transactions.filter((each) => !flags.omit?.includes(each.signature)),
  }
}

/** The record of a transaction as this face tells it. */
export function toldMeta({ flags }: View, { signature, meta }: ExecutedTransaction): Meta {
  let told = meta
  if (flags.amountOff === signature) told = oneMore(told)
  if (flags.noOwner) {
    const without = (balances: Meta['preTokenBalances']) => balances.map(({ owner: _, ...rest }) => rest)
    told = { ...told, preTokenBalances: without(told.preTokenBalances), postTokenBalances: without(told.postTokenBalances) }
  }
  return told
}

function oneMore(meta: Meta): Meta {
  return {
    ...meta,
    postBalances: meta.postBalances.map((balance, i) => (balance === meta.preBalances[i] ? balance : balance + 1)),
    postTokenBalances: meta.postTokenBalances.map((balance) => {
      const amount = String(BigInt(balance.uiTokenAmount.amount) + 1n)
      return { ...balance, uiTokenAmount: { ...balance.uiTokenAmount, amount } }
    }),
  }
}
