import { rpcErrors } from './errors.ts'
import { type Block, type Commitment, hash, headOf, type Ledger, rootUnder } from './ledger.ts'
import type { ExecutedTransaction, Meta } from './transaction.ts'

/** Ways a face misbehaves. Without flags it is the honest node. */
export interface FaceFlags {
  /** Its head is this many blocks lower. */
  lagBlocks?: number
  /** HTTP 503. */
  down?: boolean
  /** HTTP 429 after this many requests in a second. */
  throttle?: number
  /** Delay before it answers. */
  slowMs?: number
  /** Blocks below this slot are dropped. */
  pruneBelow?: number
  /** Old blocks come from long-term storage, which reports skipped slots as -32009. */
  longTermStorage?: boolean
  /** Skipped slots are answered with -32004, too. */
  ambiguous?: boolean
  /** Blocks of these slots are missing: -32004, and not in `getBlocks`. */
  hide?: number[]
  /** Slots of a gap: neither their blocks nor the status of their transactions is known. */
  lost?: number[]
  /** -32014 for these slots. */
  statusNotYet?: number[]
  /** Every block with a transaction is refused: its version is too high. */
  unknownVersion?: boolean
  /** Leaves these transactions out of blocks. */
  omit?: string[]
  /** Token balances without owners, as in years before nodes recorded them. */
  noOwner?: boolean
  /** This transaction's balances afterwards are one unit higher. */
  amountOff?: string
  /** The block of this slot names a wrong parent hash. */
  badParent?: number
  /** For this skipped slot, the next block is served: a cache with a wrong key. */
  nextFor?: number
}

/** The chain as a face shows it. */
export interface View {
  ledger: Ledger
  flags: FaceFlags
  /** The last confirmed block. */
  head: Block
  /** The last final block. */
  root: Block
  /** The lowest slot with a block. */
  first: number
}

/** A version above all known ones, which a false face reports. */
const futureVersion = 2

export function viewOf(ledger: Ledger, flags: FaceFlags): View {
  const { height } = headOf(ledger)
  const head = ledger.blocks[Math.max(0, height - (flags.lagBlocks ?? 0))] ?? headOf(ledger)
  const first =
    flags.pruneBelow === undefined
      ? 0
      : (ledger.blocks.find((block) => block.slot >= (flags.pruneBelow ?? 0))?.slot ?? head.slot)
  return { ledger, flags, head, root: rootUnder(ledger, head), first }
}

/** The block whose state belongs to a commitment; null: the open slot. A lagging face has no open slot. */
export function blockOf({ head, root, flags }: View, commitment: Commitment): Block | null {
  if (commitment === 'finalized') return root
  return commitment === 'confirmed' || flags.lagBlocks ? head : null
}

export const slotOf = (view: View, commitment: Commitment): number =>
  blockOf(view, commitment)?.slot ?? view.ledger.open.slot
export const heightOf = (view: View, commitment: Commitment): number =>
  blockOf(view, commitment)?.height ?? view.head.height + 1

/** The face has the transaction, at that commitment or above. */
export const hasTransaction = (view: View, { slot }: ExecutedTransaction, commitment: Commitment): boolean =>
  slot <= slotOf(view, commitment)

const hides = ({ hide = [], lost = [] }: FaceFlags, slot: number): boolean =>
  hide.includes(slot) || lost.includes(slot)

/** Slots with a block on this face, from `from` to `to`. */
export function slotsBetween({ ledger, flags, first }: View, from: number, to: number): number[] {
  return ledger.blocks
    .filter(({ slot }) => slot >= Math.max(from, first) && slot <= to && !hides(flags, slot))
    .map(({ slot }) => slot)
}

/**
 * The block of a slot, by the node's own rules (agave, `get_block`): only for a final slot does it know if it
 * was skipped. For a slot above, it answers -32004: skipped, on a lost fork, or still to come.
 */
export function blockAt(view: View, slot: number, commitment: Commitment): Block {
  const { ledger, flags, root, head, first } = view
  if (flags.statusNotYet?.includes(slot)) throw rpcErrors.blockStatusNotAvailableYet(slot)
  if (hides(flags, slot)) throw rpcErrors.blockNotAvailable(slot)
  const block =
    slot === flags.nextFor ? ledger.blocks.find((each) => each.slot > slot) : ledger.bySlot.get(slot)
  if (slot <= root.slot) {
    if (slot < first) throw rpcErrors.blockCleanedUp(slot, first)
    if (block) return block
    if (flags.ambiguous) throw rpcErrors.blockNotAvailable(slot)
    throw flags.longTermStorage ? rpcErrors.longTermStorageSlotSkipped(slot) : rpcErrors.slotSkipped(slot)
  }
  if (block && commitment === 'confirmed' && block.slot <= head.slot) return block
  throw rpcErrors.blockNotAvailable(slot)
}

/** The block as this face serves it. */
export function servedBlock({ flags }: View, block: Block): Block {
  if (flags.unknownVersion && block.transactions.length > 0) throw rpcErrors.unsupportedVersion(futureVersion)
  return {
    ...block,
    previousBlockhash:
      flags.badParent === block.slot ? hash('no block has this hash') : block.previousBlockhash,
    transactions: block.transactions.filter((each) => !flags.omit?.includes(each.signature)),
  }
}

/** The record of a transaction as this face serves it. */
export function servedMeta({ flags }: View, { signature, meta }: ExecutedTransaction): Meta {
  let served = meta
  if (flags.amountOff === signature) served = oneMore(served)
  if (flags.noOwner) {
    const without = (balances: Meta['preTokenBalances']) => balances.map(({ owner: _, ...rest }) => rest)
    served = {
      ...served,
      preTokenBalances: without(served.preTokenBalances),
      postTokenBalances: without(served.postTokenBalances),
    }
  }
  return served
}

function oneMore(meta: Meta): Meta {
  return {
    ...meta,
    postBalances: meta.postBalances.map((balance, i) =>
      balance === meta.preBalances[i] ? balance : balance + 1,
    ),
    postTokenBalances: meta.postTokenBalances.map((balance) => {
      const amount = String(BigInt(balance.uiTokenAmount.amount) + 1n)
      return { ...balance, uiTokenAmount: { ...balance.uiTokenAmount, amount } }
    }),
  }
}
