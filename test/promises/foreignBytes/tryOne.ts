import { type Block, type CheckedTransfer, ProviderError, type Transfer } from '../../../src/chains/chain.ts'
import { createRandom, mutated, type Random } from './mutate.ts'
import type { Answers, Read, Subject } from './subject.ts'

/**
 * `refused`: a ProviderError that names the block. `absent`: the node has no such block. `right`: the change
 * had no effect. `fork`: a block with another id. `believed`: another block under the known id, which another
 * node contradicts. `other`: another read has returned.
 */
export const outcomes = ['refused', 'absent', 'right', 'fork', 'believed', 'other'] as const
export type Outcome = (typeof outcomes)[number]

/** One input, made from its seed alone. */
export interface Input {
  subject: Subject
  read: Read
  /** The answer that is changed. */
  method: string
  random: Random
}

export async function inputOf(subjects: readonly Subject[], seed: number): Promise<Input> {
  const random = createRandom(seed)
  const subject = random.of(subjects)
  const read = random.of(subject.reads)
  return { subject, read, method: random.of(await methodsOf(subject, read)), random }
}

/** @throws what a reader must not throw, or what the block that it read is wrong about */
export async function tryOne({ subject, read, method, random }: Input): Promise<Outcome> {
  const truth = await truthOf(subject)
  const seed = random.below(2 ** 31)
  const ofVariant =
    subject.variant && random.chance(0.5) ? subject.variant(subject.truth, createRandom(seed)) : null
  const liar: Answers = (asked, params) => {
    if (ofVariant) return ofVariant(asked, params)
    const answer = subject.truth(asked, params)
    if (nameOf(asked) !== method) return answer
    const own = createRandom(seed)
    let changed = answer
    for (let changes = 1 + own.below(3); changes > 0; changes--) changed = mutated(changed, own)
    return changed
  }
  let lies = false
  const reader = subject.open([(asked, params) => (lies ? liar : subject.truth)(asked, params)])
  // Most nodes answer falsely only after they were identified.
  if (random.chance(0.8)) await reader.verify().catch(() => {})
  lies = true
  try {
    const found = await read.run(reader)
    if (found === null) return 'absent'
    if (found === 'other') return 'other'
    requireStorable(found)
    if (found.id !== truth.id) return 'fork'
    if (linesOf(found) === linesOf(truth)) return 'right'
    await requireDisagreement(subject.open([liar, subject.truth]), truth, found)
    return 'believed'
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (read.height !== null && !error.message.includes(String(read.height)))
      throw new Error(`a refusal that does not name block ${read.height}: ${error.message.slice(0, 200)}`, {
        cause: error,
      })
    return 'refused'
  }
}

const nameOf = (method: string) => method.split('?')[0] ?? ''

/** Reads with the honest node, once for each key. */
function cached<Key extends object, Value>(read: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const known = new Map<Key, Promise<Value>>()
  return (key) => {
    const value = known.get(key) ?? read(key)
    known.set(key, value)
    return value
  }
}

const truthOf = cached<Subject, Block>(async ({ name, reads, open, truth }) => {
  const block = await reads[0]?.run(open([truth]))
  if (!block || block === 'other') throw new Error(`${name}: the true block cannot be read`)
  return block
})

const methods = new Map<Read, Promise<string[]>>()

/** The methods that a read calls. */
function methodsOf(subject: Subject, read: Read): Promise<string[]> {
  const known = methods.get(read)
  if (known) return known
  const called = new Set<string>()
  const answers: Answers = (method, params) => {
    called.add(nameOf(method))
    return subject.truth(method, params)
  }
  const reading = read.run(subject.open([answers])).then(() => [...called])
  methods.set(read, reading)
  return reading
}

const identityOf = ({ txId, movementKey, contract, from, to, amount }: Transfer) =>
  [txId, movementKey, contract, from, to, amount].join(' ')

const linesOf = ({ parentId, time, transfers }: Block): string =>
  [
    parentId,
    time.toISOString(),
    ...transfers
      .map((each) =>
        [identityOf(each), each.only, each.unproven, each.memo?.type, each.memo?.value].join(' '),
      )
      .toSorted(),
  ].join('\n')

/**
 * Payments that one node added or changed must not be confirmed by another. Internal transfers are not
 * requested from a second node.
 */
async function requireDisagreement(
  reader: ReturnType<Subject['open']>,
  truth: Block,
  read: Block,
): Promise<void> {
  const known = new Set(truth.transfers.map(identityOf))
  const added = read.transfers
    .filter((each) => !known.has(identityOf(each)) && !each.movementKey.startsWith('trace:'))
    .map((each): CheckedTransfer => ({ ...each, side: each.only === 'out' ? 'from' : 'to' }))
  if (added.length === 0) return
  const { said, found } = await reader.crossCheck(read, added)
  if (said !== 'disagrees' || found.length > 0)
    throw new Error(`another node ${said}: ${added.map(identityOf).join('; ').slice(0, 300)}`)
}

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && !value.includes('\0') && value.length < 500

/** What the indexer stores has the types and the bounds of its columns. */
function requireStorable({ height, id, parentId, time, transfers, unread = [] }: Block): void {
  if (!Number.isSafeInteger(height) || !isText(id) || !isText(parentId))
    throw new Error('a header that cannot be stored')
  if (!(time.getTime() >= 0 && time.getTime() < Date.UTC(9999, 0)))
    throw new Error(`a time that cannot be stored: ${time.getTime()}`)
  for (const { txId, movementKey, contract, from, to, amount, memo } of transfers) {
    const texts = [txId, movementKey, from, to, ...(contract === null ? [] : [contract])]
    if (!texts.every(isText))
      throw new Error(`a transfer that cannot be stored: ${JSON.stringify(texts).slice(0, 300)}`)
    if (typeof amount !== 'bigint' || amount <= 0n || amount >= 2n ** 256n)
      throw new Error(`an amount that cannot be stored: ${String(amount).slice(0, 80)}`)
    if (memo && !(typeof memo.value === 'string' && !memo.value.includes('\0')))
      throw new Error('a memo that cannot be stored')
  }
  if (!unread.every(isText)) throw new Error('an address that is not text')
}
