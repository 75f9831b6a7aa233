import { readFileSync } from 'node:fs'
import { expect } from '@jest/globals'
import {
  type Block,
  type BlockReader,
  type CheckedTransfer,
  ProviderError,
  type Transfer,
} from '../../../src/chains/chain.ts'
import { print } from '../readRecorded.ts'

/**
 * The outcome of a false answer. `right`: no effect on the block as read. `believed`: it changes the block
 * under its known id. `fork`: the block is read under another id.
 */
export type Fate = 'refused' | 'right' | 'fork' | 'believed'

/** Fates by false answer and by way of reading. */
export type Fates = Map<string, Map<string, Set<Fate>>>

const lineOf = ({ txId, movementKey, contract, from, to, amount, only, unproven, memo }: Transfer): string =>
  [txId, movementKey, contract, from, to, amount, only, unproven, memo?.type, memo?.value].join(' ')

/** Everything that is read of a block, as text. */
const linesOf = ({ parentId, time, transfers, unread = [] }: Block): string =>
  [parentId, time.toISOString(), ...transfers.map(lineOf).toSorted(), ...[...unread].toSorted()].join('\n')

/** Reads a block from a false node. @returns also the block, unless refused */
export async function fateOf(
  truth: Block,
  read: () => Promise<Block>,
): Promise<{ fate: Fate; block: Block | null }> {
  try {
    const block = await read()
    if (block.id !== truth.id) return { fate: 'fork', block }
    return { fate: linesOf(block) === linesOf(truth) ? 'right' : 'believed', block }
  } catch (error) {
    // A ProviderError makes the indexer query another provider; any other error would stop it.
    expect(error).toBeInstanceOf(ProviderError)
    return { fate: 'refused', block: null }
  }
}

/** Payments that a liar added or changed must not be confirmed by another provider. */
export async function expectDisagreement(reader: BlockReader, truth: Block, read: Block): Promise<void> {
  const identity = ({ txId, movementKey, contract, from, to, amount }: Transfer) =>
    [txId, movementKey, contract, from, to, amount].join(' ')
  const known = new Set(truth.transfers.map(identity))
  const added = read.transfers
    .filter((each) => !known.has(identity(each)))
    .map((each): CheckedTransfer => ({ ...each, side: each.only === 'out' ? 'from' : 'to' }))
  if (added.length === 0) return
  const { said, found } = await reader.crossCheck(read, added)
  expect({ said, found }).toEqual({ said: 'disagrees', found: [] })
}

export function note(fates: Fates, lie: string, way: string, fate: Fate): void {
  const byWay = fates.get(lie) ?? new Map<string, Set<Fate>>()
  fates.set(lie, byWay.set(way, (byWay.get(way) ?? new Set()).add(fate)))
}

/** Each false answer must have applied to a block. */
export function expectAllTried(fates: Fates, lies: readonly string[]): void {
  expect([...fates.keys()].toSorted()).toEqual([...lies].toSorted())
}

export function printFates(family: string, ways: readonly string[], fates: Fates): void {
  const cell = (lie: string, way: string) => [...(fates.get(lie)?.get(way) ?? ['-'])].toSorted().join(', ')
  print([
    [`${family}, read by`, ...ways],
    ...[...fates.keys()].map((lie) => [lie, ...ways.map((way) => cell(lie, way))]),
  ])
}

/** Trusted false answers by way of reading. */
export const trustedOf = (ways: readonly string[], fates: Fates): Record<string, string[]> =>
  Object.fromEntries(
    ways.map((way) => [
      way,
      [...fates.keys()].filter((lie) => fates.get(lie)?.get(way)?.has('believed')).toSorted(),
    ]),
  )

const heading = '### What one node is trusted for'

/**
 * Trusted false answers of a family in docs/chains.md, by way of reading:
 * `- **family, way / way**: lie; lie. Reason`.
 */
export function trustedByDocs(family: string): Record<string, string[]> {
  const [, after = ''] = readFileSync(new URL('../../../docs/chains.md', import.meta.url), 'utf8').split(
    heading,
  )
  const [section = ''] = after.split(/^#/m)
  const believed: Record<string, string[]> = {}
  for (const item of section.split(/^- /m)) {
    const [, chain, ways = '', lies = ''] =
      /^\*\*(\w+), ([^*]+)\*\*: ([^.]+)\./.exec(item.replaceAll(/\s+/g, ' ')) ?? []
    if (chain !== family) continue
    for (const way of ways.split(' / '))
      believed[way] = [...(believed[way] ?? []), ...lies.split('; ')].toSorted()
  }
  return believed
}
