import { createHash } from 'node:crypto'
import type { Business } from '../../../src/accounts/models.ts'
import { addressCodec } from '../../../src/chains/codecs.ts'
import { createSession } from '../../../src/sessions/createSession.ts'
import { usdc } from '../../support/indexed.ts'
import { type Dice, one, pick } from './dice.ts'
import type { Ground, Leader } from './leader.ts'
import { blockMs, firstHeight, type Transaction, type TreeBlock } from './tree.ts'

export const usdt = '0xdac17f958d2ee523a2206206994597c13d831ec7'

interface MadeSession {
  id: string
  address: string
  amount: bigint
  expiresAt: Date
  born: number
}

export interface World extends Ground {
  business: Business
  tick: () => number
  /** The deposit addresses in the order in which sessions take them: those to come are known. */
  addresses: string[]
  sessions: MadeSession[]
  transactions: Transaction[]
  leader: Leader
  frozen: Leader[]
  /** Whether money that was in the books was taken back by a fork. */
  creditedReverted: boolean
}

export async function makeSession(world: World, dice: Dice): Promise<void> {
  const amount = BigInt(5 + pick(dice, 20))
  const grown = world.tree.tip().height - firstHeight
  // By the chain's clock: over in some blocks, or never.
  const expirySeconds = dice() < 0.4 ? ((grown + 2 + pick(dice, 15)) * blockMs) / 1000 : 1_000_000
  const view = await createSession(
    { db: world.db, chains: [world.chain] },
    {
      business: world.business,
      chain: world.chain,
      price: { token: 'USDC', amount, localAmount: null, localCurrency: null, rate: null, fxMarginPercent: '0', fee: '0', feeCurrency: 'USDC' },
      expirySeconds,
      label: null,
      reference: null,
      metadata: null,
    },
    async () => {},
  )
  const address = addressCodec('evm').normalise(view.address)
  if (address === null || address !== world.addresses[world.sessions.length]) throw new Error('the addresses are not taken in their order')
  world.sessions.push({ id: view.id, address, amount, expiresAt: new Date(view.expiresAt), born: world.tick() })
}

/** Somebody pays: sessions that there are, sessions to come, or nobody that we know. */
export function newTransaction(world: World, dice: Dice): Transaction {
  const next = world.sessions.length + (dice() < 0.2 ? 1 + pick(dice, 2) : 0)
  const to = () => (dice() < 0.06 ? `0x${'ee'.repeat(20)}` : one(dice, world.addresses.slice(0, Math.max(1, next))))
  const amount = () => BigInt(1 + pick(dice, 15))
  const choice = dice()
  const movement = (): Transaction['movements'][number] => {
    if (choice < 0.72) return { kind: 'log', contract: usdc, to: to(), amount: amount() }
    if (choice < 0.8) return { kind: 'log', contract: usdt, to: to(), amount: amount() }
    if (choice < 0.84) return { kind: 'log', contract: `0x${'f0'.repeat(20)}`, to: to(), amount: amount() }
    if (choice < 0.9) return { kind: 'native', contract: null, to: to(), amount: amount() }
    if (choice < 0.93) return { kind: 'failed', contract: null, to: to(), amount: amount() }
    return { kind: 'internal', contract: null, to: to(), amount: amount() }
  }
  const several = choice < 0.8 || choice >= 0.93 ? 1 + Number(dice() < 0.25) : 1
  const transaction = {
    id: `0x${createHash('sha256').update(`${world.tick()}`).digest('hex')}`,
    movements: Array.from({ length: several }, movement),
  }
  world.transactions.push(transaction)
  return transaction
}

/** Gives transactions their places in a block; logs of others may stand before them. */
export function place(transactions: readonly Transaction[], dice: Dice): TreeBlock['placed'] {
  let firstLog = 0
  return transactions.map((transaction) => {
    firstLog += pick(dice, 3)
    const placed = { transaction, firstLog }
    firstLog += transaction.movements.length
    return placed
  })
}

export const someTransactions = (world: World, dice: Dice) => Array.from({ length: pick(dice, 4) }, () => newTransaction(world, dice))

/** The newest blocks are replaced: what they held stays where it was, moves, or is gone for now. */
export function fork(world: World, dice: Dice): void {
  const { tree } = world
  const before = tree.tip().height
  const dropped = tree.drop(1 + pick(dice, 6))
  const salt = world.tick()
  const length = Math.max(1, dropped.length + one(dice, [-1, 0, 0, 1, 1, 2]))
  const branch: Transaction[][] = Array.from({ length }, () => [])
  for (const [index, placed] of dropped.entries())
    for (const { transaction } of placed) {
      const fate = dice()
      if (fate < 0.35) continue
      branch[fate < 0.65 ? Math.min(index, length - 1) : pick(dice, length)]?.push(transaction)
    }
  // What an earlier fork dropped may come back.
  for (const transaction of world.transactions)
    if (dice() < 0.1 && !tree.has(transaction) && !branch.flat().includes(transaction)) one(dice, branch).push(transaction)
  if (dice() < 0.3) one(dice, branch).push(newTransaction(world, dice))
  for (const transactions of branch) tree.mine(place(transactions, dice), salt)
  world.count(tree.tip().height < before ? 'fork to a lower tip' : 'fork')
}
