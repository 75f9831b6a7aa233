import { insertIntent } from '../../../src/txmgr/intents.ts'
import { reconcileIntent } from '../../../src/txmgr/reconcile.ts'
import { addressOf, intentOf, keyOf } from '../../support/evmIntents.ts'
import { provers } from '../../support/intentKeys.ts'
import { transfersWith } from '../../support/purposes.ts'
import { one, pick } from '../histories/dice.ts'
import { checkEnd, countWaits, haveAllEnded, type Outcome } from './checks.ts'
import { disturb, gossip } from './disturb.ts'
import type { Stage } from './stage.ts'
import { createWorld, Killed, newWorkers, type World } from './world.ts'

const roundMs = 10_000
const [busyRounds, maxQuietRounds] = [40, 300]
let recipients = 0

/** Runs a history of the manager, and lets it end in a quiet market. The same seed makes the same choices. */
export async function runHistory(stage: Stage, seed: number): Promise<Outcome> {
  const world = await createWorld(stage, seed)
  const { dice, market, nodes } = world
  for (let i = 0; i < busyRounds; i++) {
    if (i === 0 || dice() < 0.13) for (let more = 1 + pick(dice, 4); more > 0; more--) await ask(world)
    await disturb(world)
    await round(world)
  }
  world.killing = false
  market.calm()
  for (const node of nodes) Object.assign(node, { lag: 0, isDown: false })
  // What was sent from a wallet that cannot pay for it waits until its owner tops it up.
  for (const { address } of world.wallets) world.chain.give(address, 10n ** 20n)
  for (let i = 0; i < maxQuietRounds && !(await haveAllEnded(world)); i++) await round(world)
  return checkEnd(world, seed)
}

async function ask({ stage, dice, wallets, isRich, businessId, wanted }: World): Promise<void> {
  const wallet = one(dice, wallets)
  const to = addressOf(keyOf(2_000_000 + recipients++))
  const amount = isRich ? BigInt(1 + pick(dice, 1000)) : 10n ** 14n * BigInt(1 + pick(dice, 60))
  const action = intentOf({ from: wallet.address, to, amount })
  const of = {
    businessId,
    purpose: 'transfer',
    chain: 'ethereum',
    signer: 'wallet',
    walletId: wallet.id,
    symbol: 'ETH',
    decimals: 18,
  } as const
  const { id } = await stage.database.db.tx((tx) =>
    insertIntent({ purposes: transfersWith() }, tx, { ...of, action }, 0, provers.api),
  )
  wanted.push({ id, wallet, to, amount, waited: 0, maxWaited: 0 })
}

async function round(world: World): Promise<void> {
  const { stage, businessId, dice, rules, killing, count } = world
  await stage.wait(businessId, roundMs)
  mine(world, 1 + pick(dice, 6))
  await reconcileDue(world)
  // The price may rise between plan and signature, and between signature and broadcast.
  if (dice() < 0.5) mine(world, 1 + pick(dice, 3))
  // An outage may last longer than unsigned terms are kept.
  world.isTreasuryAway = killing && dice() < (world.isTreasuryAway ? 0.6 : 0.05)
  if (world.isTreasuryAway) count('treasury away')
  else await stage.sign(rules)
  await reconcileDue(world)
  await countWaits(world)
}

function mine(world: World, blocks: number): void {
  for (let i = blocks; i > 0; i--) {
    world.chain.mine(world.pools)
    for (const node of world.nodes) node.tidy()
    gossip(world)
  }
}

async function reconcileDue(world: World): Promise<void> {
  const { stage, businessId, dice } = world
  const due = await stage.database.db.query<{ id: string }>(
    'select id from intents where business_id = $1 and next_reconcile_at <= now() order by next_reconcile_at',
    [businessId],
  )
  for (const { id } of due) {
    const by = dice() < 0.1 ? world.workers : [one(dice, world.workers)]
    const ended = await Promise.allSettled(by.map((each) => reconcileIntent(each, id)))
    const failures = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    for (const failure of failures) if (!(failure instanceof Killed)) throw failure
    if (failures.length > 0) world.workers = newWorkers(world, dice() < 0.6)
  }
}
