import type { Business } from '../../../src/businesses/model.ts'
import { addressCodec } from '../../../src/chains/codecs.ts'
import { createSession } from '../../../src/sessions/createSession.ts'
import { checkoutUrl } from '../../support/checkoutUrl.ts'
import { wideCaps } from '../../support/wideCaps.ts'
import { type Dice, one, pick } from './dice.ts'
import type { Leader, LeaderContext } from './leader.ts'
import { agoMs, blockMs, firstHeight, type Transaction, type TreeBlock, type TreeTransfer } from './tree.ts'

interface MadeSession {
  id: string
  address: string
  amount: bigint
  expiresAt: Date
  born: number
}

export interface World extends LeaderContext {
  business: Business
  tick: () => number
  /** The deposit addresses in the order in which sessions take them, including future ones. */
  addresses: string[]
  sessions: MadeSession[]
  transactions: Transaction[]
  leader: Leader
  frozen: Leader[]
  /** The suspense watch; null if every deposit has a separate address. */
  suspense: { subjectId: string; addresses: ReadonlySet<string> } | null
  /** Suspense balances by token at the start: the ledger is shared by all histories. */
  suspenseBefore: ReadonlyMap<string, bigint>
  /** A fork reverted a seen payment. */
  seenReverted: boolean
  /** A fork reverted a credited payment. */
  creditedReverted: boolean
  /** As on a real chain, each block has a transfer by a contract. */
  isBusy?: boolean
}

export async function makeSession(world: World, dice: Dice): Promise<void> {
  const amount = BigInt(5 + pick(dice, 20))
  const grown = world.tree.tip().height - firstHeight
  // By chain time: expires after some blocks, or never.
  const expirySeconds = dice() < 0.4 ? ((grown + 2 + pick(dice, 15)) * blockMs - agoMs) / 1000 : 1_000_000
  const view = await createSession(
    { db: world.db, chains: [world.chain], checkoutUrl, caps: wideCaps },
    {
      actor: {},
      business: world.business,
      chain: world.chain,
      price: {
        token: 'USDC',
        amount,
        localAmount: null,
        localCurrency: null,
        rate: null,
        rateAt: null,
        rateSource: null,
        fxMarginPercent: '0',
        fee: '0',
        feeCurrency: 'USDC',
      },
      expirySeconds,
      label: null,
      reference: null,
      metadata: null,
    },
    async () => {},
  )
  const address = addressCodec(world.chain.family).normalise(view.muxedAddress ?? view.address)
  if (address === null || address !== world.addresses[world.sessions.length])
    throw new Error('addresses were not taken in order')
  world.sessions.push({
    id: view.id,
    address,
    amount,
    expiresAt: new Date(view.expiresAt),
    born: world.tick(),
  })
}

export function sign(world: World, transfers: readonly TreeTransfer[]): Transaction {
  const nonce = world.tick()
  const transaction = { id: world.dialect.transactionId(nonce, transfers), nonce, transfers }
  world.transactions.push(transaction)
  return transaction
}

/** A payment to an existing session, to a future one, or to an unknown address. */
export function newTransaction(world: World, dice: Dice): Transaction {
  const { usdc, usdt, unknownToken, unwatched, paysAhead, undirected } = world.dialect
  const next = world.sessions.length + (paysAhead && dice() < 0.2 ? 1 + pick(dice, 2) : 0)
  const others = [unwatched, ...undirected(world.addresses)]
  const to = () =>
    dice() < 0.06 * others.length ? one(dice, others) : one(dice, world.addresses.slice(0, Math.max(1, next)))
  const amount = () => BigInt(1 + pick(dice, 15))
  const token = () => one(dice, [usdc, usdc, usdc, usdc, usdc, usdc, usdc, usdt, usdt, unknownToken])
  const choice = dice()
  const transfer = (): TreeTransfer => {
    if (choice < 0.84) return { kind: 'log', contract: token(), to: to(), amount: amount() }
    if (choice < 0.9) return { kind: 'native', contract: null, to: to(), amount: amount() }
    if (choice < 0.93) return { kind: 'failed', contract: null, to: to(), amount: amount() }
    return { kind: 'internal', contract: null, to: to(), amount: amount() }
  }
  const several = choice < 0.84 || choice >= 0.93 ? 1 + Number(dice() < 0.25) : 1
  return sign(world, Array.from({ length: several }, transfer))
}

/** Places transactions in a block, with gaps for others' logs. */
export function place(transactions: readonly Transaction[], dice: Dice): TreeBlock['placed'] {
  let firstLog = 0
  return transactions.map((transaction) => {
    firstLog += pick(dice, 3)
    const placed = { transaction, firstLog }
    firstLog += transaction.transfers.length
    return placed
  })
}

export const someTransactions = (world: World, dice: Dice) =>
  Array.from({ length: pick(dice, 4) }, () => newTransaction(world, dice))

/**
 * The next block, on some chains after heights without a block. @param salt distinguishes blocks with the
 * same content
 */
export function grow(world: World, transactions: readonly Transaction[], dice: Dice, salt = 0): void {
  const skipped = world.dialect.skips && dice() < 0.3 ? 1 + pick(dice, 3) : 0
  if (skipped > 0) world.count('heights without a block')
  const others = world.isBusy
    ? [sign(world, [{ kind: 'internal', contract: null, to: world.dialect.unwatched, amount: 1n }])]
    : []
  world.tree.mine(place([...transactions, ...others], dice), salt, skipped)
}

/**
 * Replaces the newest blocks: their transactions stay, move, or are dropped for now. On chains without forks,
 * adds several blocks.
 */
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
  // Transactions dropped by an earlier fork may return.
  for (const transaction of world.transactions)
    if (dice() < 0.1 && !tree.has(transaction) && !branch.flat().includes(transaction))
      one(dice, branch).push(transaction)
  if (dice() < 0.3) one(dice, branch).push(newTransaction(world, dice))
  for (const transactions of branch) grow(world, transactions, dice, salt)
  const fork = tree.tip().height < before ? 'fork to a lower tip' : 'fork'
  world.count(world.dialect.finalDepth === 0 ? 'several blocks at once' : fork)
}
