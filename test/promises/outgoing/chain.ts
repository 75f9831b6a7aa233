import { type Hex, keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import { type Dice, pick } from '../histories/dice.ts'
import type { Market, Price } from './market.ts'

/**
 * A model of an EVM chain: blocks with prices, accounts, and the pools of its nodes. It decodes transactions
 * with viem alone.
 */

export interface ChainTransaction {
  hash: Hex
  from: string
  to: string
  nonce: number
  value: bigint
  gas: bigint
  maxFee: bigint
  maxTip: bigint
}

interface Account {
  nonce: number
  balance: bigint
}

export interface Block {
  height: number
  id: Hex
  parentId: Hex
  price: Price
  transactions: readonly ChainTransaction[]
  /** After the block. */
  accounts: ReadonlyMap<string, Account>
}

/** By sender and nonce. */
export type Pool = Map<string, ChainTransaction>

export const gasOfTransfer = 21_000n
export const placeOf = ({ from, nonce }: Pick<ChainTransaction, 'from' | 'nonce'>): string =>
  `${from} ${nonce}`

/** The price that a transaction pays in a block; null if the block does not take it. */
export function paidPrice({ maxFee, maxTip }: ChainTransaction, { baseFee, tip }: Price): bigint | null {
  const offered = maxFee - baseFee < maxTip ? maxFee - baseFee : maxTip
  return offered >= tip ? baseFee + offered : null
}

export async function decode(raw: Hex): Promise<ChainTransaction> {
  const parsed = parseTransaction(raw)
  if (parsed.type !== 'eip1559')
    throw new Error(`the model takes EIP-1559 transactions only, not ${parsed.type}`)
  const from = (
    await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
  ).toLowerCase()
  const { to, nonce = 0, value = 0n, gas = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parsed
  return {
    hash: keccak256(raw),
    from,
    to: (to ?? '').toLowerCase(),
    nonce,
    value,
    gas,
    maxFee: maxFeePerGas,
    maxTip: maxPriorityFeePerGas,
  }
}

export interface Chain {
  blocks: readonly Block[]
  tip(): Block
  /** State after the block at a height. */
  accountAt(height: number, address: string): Account
  /** The block and the price of a transaction on the present branch. */
  find(hash: string, upTo?: number): { block: Block; transaction: ChainTransaction; price: bigint } | null
  give(address: string, wei: bigint): void
  mine(pools: readonly Pool[], chances?: { skip: number }): Block
  /** Removes the newest blocks. @returns their transactions */
  rewind(depth: number): ChainTransaction[]
}

export function createChain(dice: Dice, market: Market): Chain {
  const blocks: Block[] = []
  /** Gifts of the next block. */
  const gifts: [string, bigint][] = []
  let made = 0
  const idOf = () =>
    keccak256(
      `0x${(++made).toString(16).padStart(8, '0')}${pick(dice, 2 ** 32)
        .toString(16)
        .padStart(8, '0')}`,
    )
  const tip = () => blocks.at(-1) as Block
  const accountIn = (accounts: ReadonlyMap<string, Account>, address: string): Account =>
    accounts.get(address) ?? { nonce: 0, balance: 0n }

  function mine(pools: readonly Pool[], { skip }: { skip: number } = { skip: 0.1 }): Block {
    const price = market.next()
    const accounts = new Map(blocks.at(-1)?.accounts ?? [])
    for (const [address, wei] of gifts.splice(0)) {
      const { nonce, balance } = accountIn(accounts, address)
      accounts.set(address, { nonce, balance: balance + wei })
    }
    const transactions = choose(pools, accounts, price, skip)
    const block = {
      height: blocks.length,
      id: idOf(),
      parentId: blocks.at(-1)?.id ?? idOf(),
      price,
      transactions,
      accounts,
    }
    blocks.push(block)
    return block
  }

  /** Takes what pays, in the order of nonces. Applies it to the accounts. */
  function choose(
    pools: readonly Pool[],
    accounts: Map<string, Account>,
    price: Price,
    skip: number,
  ): ChainTransaction[] {
    const best: Pool = new Map()
    for (const pool of pools)
      for (const [place, each] of pool) {
        const other = best.get(place)
        if (!other || each.maxTip > other.maxTip) best.set(place, each)
      }
    const chosen: ChainTransaction[] = []
    for (const each of [...best.values()].sort((a, b) => a.nonce - b.nonce)) {
      const { nonce, balance } = accountIn(accounts, each.from)
      const paid = paidPrice(each, price)
      if (
        each.nonce !== nonce ||
        paid === null ||
        balance < each.value + each.gas * each.maxFee ||
        dice() < skip
      )
        continue
      accounts.set(each.from, { nonce: nonce + 1, balance: balance - each.value - gasOfTransfer * paid })
      const to = accountIn(accounts, each.to)
      accounts.set(each.to, { nonce: to.nonce, balance: to.balance + each.value })
      chosen.push(each)
    }
    return chosen
  }

  return {
    blocks,
    tip,
    accountAt: (height, address) => accountIn(blocks[height]?.accounts ?? new Map(), address),
    find(hash, upTo = blocks.length - 1) {
      for (const block of blocks.slice(0, upTo + 1)) {
        const transaction = block.transactions.find((each) => each.hash === hash)
        if (transaction) return { block, transaction, price: paidPrice(transaction, block.price) ?? 0n }
      }
      return null
    },
    give: (address, wei) => void gifts.push([address, wei]),
    mine,
    rewind(depth) {
      const removed = blocks.splice(Math.max(1, blocks.length - depth))
      return removed.flatMap(({ transactions }) => [...transactions])
    },
  }
}
