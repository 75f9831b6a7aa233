/** A chain in a file, written atomically: an incomplete file is never read. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Block } from './blocks.ts'
import { type Chain, newChain } from './chain.ts'
import type { Transaction } from './execute.ts'
import type { Contracts } from './genesis.ts'
import { type Entry, rollBack } from './world.ts'

export interface Saved {
  contracts: Contracts
  blocks: Block[]
  entries: [string, Entry][]
  pending: Transaction[]
  forks: number
}

const fileOf = (home: string) => join(home, 'chain.json')

/** Pending transactions are kept as bytes, and executed again on load. */
export function save(home: string, chain: Chain, contracts: Contracts): void {
  const pending = chain.pending.map(({ tx }) => tx)
  const { changes } = chain.world
  const entries = new Map(chain.world.entries)
  rollBack({ entries, changes: [...changes] }, 0)
  const saved: Saved = { contracts, blocks: chain.blocks, entries: [...entries], pending, forks: chain.forks }
  mkdirSync(home, { recursive: true })
  const next = `${fileOf(home)}.next`
  writeFileSync(next, JSON.stringify(saved))
  renameSync(next, fileOf(home))
}

export function load(
  home: string,
  solidifiedDepth: number,
): { chain: Chain; contracts: Contracts; pending: Transaction[] } | null {
  if (!existsSync(fileOf(home))) return null
  const saved = JSON.parse(readFileSync(fileOf(home), 'utf8')) as Saved
  const chain = { ...newChain(solidifiedDepth), forks: saved.forks }
  for (const [key, entry] of saved.entries) chain.world.entries.set(key, entry)
  for (const block of saved.blocks) {
    chain.blocks.push(block)
    for (const { tx } of block.transactions) chain.heights.set(tx.id, block.header.number)
  }
  return { chain, contracts: saved.contracts, pending: saved.pending }
}
