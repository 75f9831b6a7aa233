import { evmTransferBuilder } from '../../../src/chains/evm/send/transferBuilder.ts'
import { evmTransferSender } from '../../../src/chains/evm/send/transferSender.ts'
import type { JsonRpc } from '../../../src/chains/providers/jsonRpc.ts'
import { createProviders } from '../../../src/chains/providers/providers.ts'
import type { SendingChain, TxManagerContext } from '../../../src/txmgr/context.ts'
import { seeded } from '../../faults/random.ts'
import { defaultSettings } from '../../support/defaultSettings.ts'
import { provers } from '../../support/intentKeys.ts'
import { transfersWith } from '../../support/purposes.ts'
import { type Dice, pick } from '../histories/dice.ts'
import { type Chain, createChain, gasOfTransfer, type Pool } from './chain.ts'
import { createMarket, type Market } from './market.ts'
import { createNode, endpoint, type ModelNode } from './node.ts'
import { log, type Rules, rulesOf, type Stage, type Wallet } from './stage.ts'

/** A process that ends in the middle of a reconcile. */
export class Killed extends Error {}

/**
 * A transfer that a history requested. Its recipient is its own, so that the chain alone shows what it paid.
 */
export interface Wanted {
  id: string
  wallet: Wallet
  to: string
  amount: bigint
  /** Rounds in a row in which a block would have taken it, at a fee that it may pay, and did not. */
  waited: number
  maxWaited: number
}

export interface World {
  stage: Stage
  dice: Dice
  rules: Rules
  market: Market
  chain: Chain
  nodes: readonly ModelNode[]
  pools: readonly Pool[]
  businessId: string
  wallets: readonly Wallet[]
  /** The wallets can pay for everything. */
  isRich: boolean
  /** Two at a time. A killed one is replaced by a new one, which knows nothing. */
  workers: TxManagerContext[]
  /** Processes are killed at random requests. */
  killing: boolean
  isTreasuryAway: boolean
  wanted: Wanted[]
  count(event: string): void
  /** Counts the event where it happens. */
  happens(event: string, chance: number): boolean
}

const gwei = 10n ** 9n
/** Of each of a worker's requests, before it is made and after the answer. */
const killChance = 0.01
const blocksBefore = 10

export async function createWorld(stage: Stage, seed: number): Promise<World> {
  const dice = seeded(seed)
  const rules = rulesOf(gasOfTransfer * (dice() < 0.4 ? 12n : 200n) * gwei)
  const market = createMarket(dice)
  const chain = createChain(dice, market)
  const nodes = [createNode(chain, rules, dice() < 0.3), createNode(chain, rules, dice() < 0.4)]
  const pools = nodes.map(({ pool }) => pool)
  const businessId = await stage.newBusiness()
  const wallets = await Promise.all(
    Array.from({ length: 1 + pick(dice, 2) }, () => stage.newWallet(businessId)),
  )
  const isRich = dice() < 0.75
  const count = (event: string): void => void stage.events.set(event, (stage.events.get(event) ?? 0) + 1)
  const world: World = {
    ...{ stage, dice, rules, market, chain, nodes, pools, businessId, wallets, isRich, count },
    ...{ workers: [], killing: true, isTreasuryAway: false, wanted: [] },
    happens(event, chance) {
      const does = dice() < chance
      if (does) count(event)
      return does
    },
  }
  world.workers = newWorkers(world, dice() < 0.6)
  for (const { address } of wallets)
    chain.give(address, isRich ? 10n ** 20n : 10n ** 15n * BigInt(1 + pick(dice, 20)))
  for (let i = 0; i < blocksBefore; i++) chain.mine(pools)
  return world
}

/** @param behindOneName both nodes answer under one name, each request by chance */
export function newWorkers(world: World, behindOneName: boolean): TxManagerContext[] {
  const { dice, nodes, count } = world
  const kill = () => {
    if (!world.killing || dice() >= killChance) return
    count('killed')
    throw new Killed('killed')
  }
  const meddle = async (ask: () => Promise<unknown>): Promise<unknown> => {
    kill()
    const [answered] = await Promise.allSettled([ask()])
    kill()
    if (answered.status === 'rejected') throw answered.reason
    return answered.value
  }
  const groups = behindOneName ? [nodes] : nodes.map((node) => [node])
  const names = () => groups.map((group, i) => endpoint(`provider ${i}`, group, dice, meddle))
  return [names(), names()].map((open) =>
    workerOf(world, createProviders<JsonRpc>(open, { observe: silent, grace: async () => {} })),
  )
}

const silent = { called: () => {}, refused: () => {} }

function workerOf(
  { stage, rules, count }: World,
  providers: ReturnType<typeof createProviders<JsonRpc>>,
): TxManagerContext {
  const sending = {
    chain: rules,
    builder: evmTransferBuilder(rules),
    sender: evmTransferSender({ providers, chain: rules }),
  }
  return {
    db: stage.database.db,
    log,
    sendingChain: async () => sending as unknown as SendingChain,
    purposes: transfersWith(),
    prover: provers.worker,
    reconcileMs: null,
    bumpAfterMs: null,
    unminableMs: 60_000,
    feeWaitMs: 86_400_000,
    settings: defaultSettings,
    environment: 'test',
    observe: (step) => count(`step ${step}`),
  }
}
