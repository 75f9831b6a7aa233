import { PublicKey } from '@solana/web3.js'
import { cctpTable, openCctp, type Peer } from './cctpState.ts'
import { epochOf } from './epochs.ts'
import { execute } from './execute.ts'
import { type FaceFlags, viewOf } from './faces.ts'
import { closeSlot, dropBlocks, headOf, type Ledger, rootUnder, skipSlots } from './ledger.ts'
import { setPrice } from './pools.ts'
import { endEpoch } from './validators.ts'

/** The state of a running devnet. */
export interface Devnet {
  readonly ledger: Ledger
  readonly blockMs: number
  /** By name; a face without flags is honest. */
  readonly faces: Map<string, FaceFlags>
  /** The timer is paused. */
  held: boolean
  /** Open WebSockets. */
  sockets: number
}

/** Mainnet's slots are 400 ms apart. */
const secondsPerSlot = 0.4
const now = (): number => Math.floor(Date.now() / 1000)

const flagNames: Record<keyof FaceFlags, true> = {
  lagBlocks: true,
  down: true,
  throttle: true,
  slowMs: true,
  pruneBelow: true,
  longTermStorage: true,
  ambiguous: true,
  hide: true,
  lost: true,
  statusNotYet: true,
  unknownVersion: true,
  omit: true,
  noOwner: true,
  amountOff: true,
  badParent: true,
  nextFor: true,
}

type Action = (devnet: Devnet, params: Record<string, unknown>) => object

/** @throws with a message for the caller */
export function control(devnet: Devnet, action: unknown, params: Record<string, unknown>): object {
  const run = actions[String(action)]
  if (!run)
    throw new Error(`there is no action ${String(action)}; there are: ${Object.keys(actions).join(', ')}`)
  return run(devnet, params)
}

const count = (value: unknown, fallback: number): number => {
  if (value === undefined) return fallback
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw new Error(`${String(value)} is not a count`)
  return value
}

const actions: Record<string, Action> = {
  /** `height` is the slot of the last block made, `ids` are the blocks' hashes. */
  mine: ({ ledger }, params) => {
    const blocks = Array.from({ length: count(params.count, 1) }, (_, i) =>
      closeSlot(
        ledger,
        typeof params.time === 'number' ? Math.floor(params.time + i * secondsPerSlot) : now(),
      ),
    )
    return {
      height: headOf(ledger).slot,
      blockHeight: headOf(ledger).height,
      slots: blocks.map(({ slot }) => slot),
      ids: blocks.map((block) => block.blockhash),
    }
  },

  skip: ({ ledger }, params) => {
    const first = ledger.open.slot
    skipSlots(ledger, count(params.slots, 1))
    return {
      skipped: Array.from({ length: ledger.open.slot - first }, (_, i) => first + i),
      open: ledger.open.slot,
    }
  },

  hold: (devnet, params) => {
    devnet.held = params.on !== false
    return { held: devnet.held }
  },

  /**
   * Executes the open slot's transactions again, and with `keep` those of the dropped blocks, if still valid:
   * blockhashes of the lost fork are not.
   */
  reorg: ({ ledger }, params) => {
    const depth = count(params.depth, 1)
    const head = headOf(ledger)
    if (!params.force && head.height - depth < rootUnder(ledger, head).height)
      throw new Error(
        `only the last ${head.height - rootUnder(ledger, head).height} blocks are not final: pass force to drop more`,
      )
    const { dropped, open } = dropBlocks(ledger, depth, params.sameSlots === true)
    const kept: string[] = []
    for (const { wire } of [...(params.keep ? dropped : []), ...open]) {
      const executed = execute(ledger, wire)
      if ('signature' in executed) kept.push(executed.signature)
    }
    return { dropped: dropped.map(({ signature }) => signature), kept, height: headOf(ledger).slot }
  },

  misbehave: ({ faces }, { face, clear, ...flags }) => {
    if (typeof face !== 'string' || face === '')
      throw new Error('face is missing; the node at / is always honest')
    const unknown = Object.keys(flags).filter((name) => !(name in flagNames))
    if (unknown.length > 0)
      throw new Error(
        `there is no flag ${unknown.join(', ')}; there are: ${Object.keys(flagNames).join(', ')}`,
      )
    faces.set(face, { ...(clear ? {} : faces.get(face)), ...(flags as FaceFlags) })
    return { face, flags: faces.get(face) ?? {} }
  },

  /** Base units of `bought` that the pool pays for one of `sold`: a fraction. */
  price: ({ ledger }, { sold, bought, numerator, denominator }) => {
    setPrice(
      ledger.svm,
      new PublicKey(String(sold)),
      new PublicKey(String(bought)),
      BigInt(String(numerator)),
      BigInt(String(denominator)),
    )
    return {}
  },

  /**
   * Ends the epoch, as the runtime does at its last slot. `others`: stake of the cluster that warms up or
   * cools down next to what is here.
   */
  epoch: ({ ledger }, { rewardPerSol, others }) => {
    const { effective, activating, deactivating } = (others ?? {}) as Record<string, unknown>
    const amount = (value: unknown) => BigInt(String(value ?? 0))
    endEpoch(ledger, now(), {
      rewardPerSol: amount(rewardPerSol),
      others: {
        effective: amount(effective),
        activating: amount(activating),
        deactivating: amount(deactivating),
      },
    })
    return { epoch: epochOf(ledger, ledger.open.slot).epoch, height: headOf(ledger).slot }
  },

  /** While the chain pays the rewards of an epoch, the stake program changes no stake. */
  distribution: ({ ledger: { svm } }, { on }) => {
    const rewards = svm.getEpochRewards()
    rewards.active = on === true
    svm.setEpochRewards(rewards)
    return {}
  },

  /** Puts Circle's programs and their state on the chain: see `openCctp`. */
  cctp: ({ ledger }, { attesters, peers }) => {
    openCctp(ledger.svm, attesters as string[], peers as Peer[])
    return { table: cctpTable.toBase58() }
  },

  status: ({ ledger, held, sockets }) => {
    const { head, root } = viewOf(ledger, {})
    return {
      open: ledger.open.slot,
      confirmed: head.slot,
      finalized: root.slot,
      pending: ledger.open.transactions.length,
      held,
      sockets,
    }
  },
}
