import { privateKeyToAccount } from 'viem/accounts'
import { addressOf, keyOf } from '../../support/evmIntents.ts'
import { one, pick } from '../histories/dice.ts'
import { gasOfTransfer, type Pool, placeOf } from './chain.ts'
import { spikeBlocks } from './market.ts'
import type { World } from './world.ts'

/** What happens to the chain while the manager works. */
export async function disturb(world: World): Promise<void> {
  const { dice, happens, market, chain, nodes, isRich, wallets } = world
  if (happens('spike', 0.05)) market.spike(1 + pick(dice, spikeBlocks))
  if (happens('eviction', 0.06)) evict(world)
  if (happens('reorg', 0.06)) reorg(world)
  if (happens('top up', isRich ? 0 : 0.05)) chain.give(one(dice, wallets).address, 10n ** 16n)
  if (dice() < (isRich ? 0.05 : 0.12)) await ownerSends(world)
  for (const node of nodes) {
    node.lag = dice() < 0.2 ? pick(dice, 3) : 0
    node.isDown = happens('node down', 0.03)
  }
}

function evict({ pools, dice }: World): void {
  for (const pool of pools) for (const place of pool.keys()) if (dice() < 0.7) pool.delete(place)
}

/** The new branch is longer, and need not have the transactions of the old one. */
function reorg({ chain, pools, dice }: World): void {
  for (const each of chain.rewind(1 + pick(dice, 3)))
    for (const pool of pools) if (dice() < 0.6 && !pool.has(placeOf(each))) pool.set(placeOf(each), each)
  for (let i = 0; i < 4; i++) chain.mine(pools, { skip: 0.5 })
}

/** Nodes pass transactions on to each other. */
export function gossip({ pools: [a, b], dice }: World): void {
  const pass = (from: Pool, to: Pool) => {
    for (const [place, each] of from) {
      const other = to.get(place)
      if (dice() < 0.8 && (!other || each.maxTip * 100n >= other.maxTip * 110n)) to.set(place, each)
    }
  }
  if (!a || !b) return
  pass(a, b)
  pass(b, a)
}

const larger = (a: bigint, b: bigint) => (a > b ? a : b)

/**
 * The owner of a wallet sends with another program: at the next nonce, or in the place of a transaction that
 * waits.
 */
async function ownerSends({ dice, wallets, nodes, chain, isRich, count }: World): Promise<void> {
  const { address, key } = one(dice, wallets)
  const node = one(dice, nodes)
  const waiting = [...node.pool.values()].filter(({ from }) => from === address)
  const replaced = waiting.length > 0 && dice() < 0.4 ? one(dice, waiting) : null
  const { nonce: used, balance } = chain.accountAt(chain.tip().height, address)
  const nonce = replaced?.nonce ?? Math.max(used, ...waiting.map((each) => each.nonce + 1))
  const { baseFee, tip } = chain.tip().price
  const maxPriorityFeePerGas = larger(2n * tip, ((replaced?.maxTip ?? 0n) * 13n) / 10n)
  const maxFeePerGas = larger(2n * baseFee, ((replaced?.maxFee ?? 0n) * 13n) / 10n) + maxPriorityFeePerGas
  const to = addressOf(keyOf(1)) as `0x${string}`
  const fees = { gas: gasOfTransfer, maxFeePerGas, maxPriorityFeePerGas }
  // What is left may be too little for what waits.
  const value = isRich ? 1n : (balance * BigInt(pick(dice, 80))) / 100n
  const raw = await privateKeyToAccount(key).signTransaction({
    type: 'eip1559',
    chainId: 1,
    to,
    value,
    nonce,
    ...fees,
  })
  const [answer] = await Promise.allSettled([node.answer('eth_sendRawTransaction', [raw])])
  const done = replaced ? 'owner replaced' : 'owner sent'
  count(answer.status === 'rejected' ? 'owner refused' : done)
}
