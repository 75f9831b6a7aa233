import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { howMany } from '../support/full.ts'
import { type OtherChainName, otherChainNames } from '../support/otherDevnets.ts'
import type { SessionBody, Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { createSessions, expectEachPaidOnce } from './behindProxies.ts'
import { inBursts, sometimes } from './chances.ts'
import { type HttpFault, type HttpFaultProxy, httpFaults } from './httpProxy.ts'
import { metric } from './metric.ts'
import { type OtherBehind, type OthersBehind, startOthersBehindProxies } from './othersBehindProxies.ts'
import { payTogether } from './payTogether.ts'
import { seeded } from './random.ts'

/*
 * Many payments on each of the other families, over providers with every HTTP fault and some faults of the
 * chain. Silent omissions by providers of Solana and Tron are excluded: no proof in a block reveals them.
 */

interface Phase {
  name: string
  faults: readonly HttpFault[]
  /** Share of requests that it is chosen for; faults that start and stop by themselves are chosen for all. */
  share: number
}

const phases: readonly Phase[] = [
  { name: 'dropped connections, single or for a while', faults: ['dropped', 'flapping'], share: 0.5 },
  { name: 'half answers', faults: ['truncated', 'half'], share: 0.5 },
  {
    name: 'HTML pages of a gateway, with status 200 and 5xx',
    faults: ['garbage', 'server-error'],
    share: 0.5,
  },
  { name: 'rate limits, single and in storms', faults: ['throttled', 'throttle-storm'], share: 0.5 },
  { name: 'slow answers, some after the timeout, and no answers', faults: ['slow', 'hanging'], share: 0.3 },
  { name: 'answers to earlier requests', faults: ['repeated', 'mistaken'], share: 0.4 },
  { name: 'nodes that lag, and nodes with other wording', faults: ['lagging', 'other-words'], share: 0.5 },
  { name: 'lists without their last entry', faults: ['left-out'], share: 0.4 },
]

const perPhase = howMany(5, 10)
const perBlock = 5
const payments = howMany(40, 1500)
/** Payments over a single provider; the others use both. */
const alone = howMany(10, 30)
const seeds = Array.from({ length: howMany(1, 3) }, (_, i) => 20_261_121 + 10 * i)
/** Blocks that make a payment final on the devnets, and one more. */
const blocksToFinal = 6

const tokens: Record<OtherChainName, string> = { solana: 'USDC', tron: 'USDT', stellar: 'USDC' }
/** All amounts differ, so that no payment can stand for another. */
const amountOf = (n: number) => `${1 + Math.floor(n / 1000)}.${String(n % 1000).padStart(3, '0')}1`

/** No proof in a Solana block reveals an omission. */
const possible = (chain: OtherChainName, faults: readonly HttpFault[]) =>
  chain === 'solana' ? faults.filter((fault) => fault !== 'left-out') : faults

const honest = () => null

/** A chain and its sessions. */
interface Paying extends OtherBehind {
  unpaid: SessionBody[]
  paid: SessionBody[]
  random: () => number
}

describe.each(seeds)(`payments on ${otherChainNames.join(', ')} over failing providers (seed %i)`, (seed) => {
  let behind: OthersBehind
  let stack: Stack
  let chains: Paying[]

  beforeAll(async () => {
    behind = await startOthersBehindProxies({
      POOL_TARGET: String(payments + 100),
      POOL_LOW_WATER: String(payments + 50),
    })
    stack = behind.stack
    chains = []
    for (const each of behind.chains) {
      const unpaid = await createPaying(each.chain, 0, payments)
      chains.push({ ...each, unpaid, paid: [], random: seeded(seed) })
    }
  }, 120_000)
  afterAll(() => behind?.close())

  /** Runs on all chains at the same time. */
  const onEach = (work: (paying: Paying) => Promise<unknown>) => Promise.all(chains.map(work))

  const chooseBy = ({ proxies }: Paying, chances: (index: number) => HttpFaultProxy['choose']) => {
    for (const [index, proxy] of proxies.entries()) proxy.choose = chances(index)
  }
  const appliedTo = ({ proxies }: Paying, fault: HttpFault) =>
    proxies.reduce((sum, { applied }) => sum + (applied.get(fault) ?? 0), 0)

  /** Skips a few Solana slots before some blocks. */
  async function skipSome({ chain, random }: Paying): Promise<void> {
    if (chain === 'solana' && random() < 0.5)
      await stack.other('solana').control('skip', { slots: 1 + Math.floor(random() * 3) })
  }

  /** Pays in blocks of several payments and blocks of one; catches up at some of them. */
  async function payInBlocks(paying: Paying, count: number): Promise<void> {
    const { chain, random } = paying
    const sessions = paying.unpaid.splice(0, count)
    paying.paid.push(...sessions)
    for (let at = 0; at < sessions.length; at += perBlock) {
      const some = sessions.slice(at, at + perBlock)
      await payTogether[chain](stack, some.slice(0, -1))
      await skipSome(paying)
      await stack.mine(1, chain)
      await payTogether[chain](stack, some.slice(-1))
      await stack.mine(1, chain)
      if (random() < 0.5 || at + perBlock >= sessions.length) await caughtUp(paying)
    }
  }
  const createPaying = (chain: OtherChainName, from: number, count: number) =>
    createSessions(stack, count, (n) => ({ chain, token: tokens[chain], amount: amountOf(from + n) }))
  async function moreSessions({ chain, paid, unpaid }: Paying): Promise<number> {
    unpaid.unshift(...(await createPaying(chain, paid.length + unpaid.length, perBlock)))
    return perBlock
  }
  const caughtUp = ({ chain }: Paying) =>
    stack.caughtUp(45_000, chain).catch((error) => {
      throw new Error(`${error.message}\n${stack.troubles()}`)
    })

  test.each(phases)('$name, at both providers: every block is read', ({ faults, share }) =>
    onEach(async (paying) => {
      const faultsHere = possible(paying.chain, faults)
      if (faultsHere.length === 0) return
      chooseBy(paying, (index) => sometimes(faultsHere, share, seed + index))
      await payInBlocks(paying, perPhase)
      await waitFor('each of these faults', async () => {
        if (faultsHere.every((fault) => appliedTo(paying, fault) > 0)) return true
        // An empty block has no entry to omit.
        if (faultsHere.includes('left-out')) await payInBlocks(paying, await moreSessions(paying))
        else await stack.mine(1, paying.chain)
        return false
      })
      chooseBy(paying, () => honest)
    }),
  )

  test('all faults in bursts at both providers: every block is read and cross-checked', async () => {
    await onEach(async (paying) => {
      chooseBy(paying, (index) => inBursts(possible(paying.chain, httpFaults), seed + index))
      await payInBlocks(paying, paying.unpaid.length - alone)
      chooseBy(paying, () => honest)
    })
    await waitFor(
      'agreement about every payment',
      async () =>
        (await stack.db.query('select 1 from detections where needs_agreement and agreed_at is null limit 1'))
          .length === 0,
      // After a minute a dispute is retried once a minute, and a provider may be avoided for another half
      // minute then.
      180_000,
    ).catch(async (error) => {
      const rows = await stack.db.query(
        `select d.chain, d.status, d.block_height, d.disputed_at, d.seen_at, t.source, t.tx_id, t.movement_key, t.amount, t.to_address from detections d join transfers t on t.id = d.transfer_id
         where d.needs_agreement and d.agreed_at is null limit 5`,
      )
      throw new Error(`${error.message}: ${JSON.stringify(rows)}\n${stack.troubles()}`)
    })
  }, 300_000)

  test('all faults in bursts at a single provider: every block is read', () =>
    onEach(async (paying) => {
      await stack.stop(paying.indexer)
      await stack.start(paying.indexer, paying.alone)
      paying.proxies[0].choose = inBursts(possible(paying.chain, httpFaults), seed + 2)
      await payInBlocks(paying, alone)
      paying.proxies[0].choose = honest
    }))

  test('each payment is detected once with its exact amount, credited and reported as paid once; coverage has no gap', async () => {
    expect(chains.map(({ paid, unpaid }) => [paid.length >= payments, unpaid.length])).toEqual(
      chains.map(() => [true, 0]),
    )
    const all = chains.flatMap(({ paid }) => paid)
    for (const { chain } of chains) await stack.mine(blocksToFinal, chain)
    await expectEachPaidOnce(stack, all, blocksToFinal)
    await onEach(caughtUp)
    // A Solana answer about another slot may be accepted until the next block contradicts it: its payments
    // then reappear in their own slot.
    const rows = await stack.db.query<{ id: string; exact: boolean }>(
      `select s.id, count(*) = 1 and bool_and((d.generation = 1 or t.chain = 'solana') and t.amount = s.amount_expected and t.token = s.token and d.status = 'confirmed' and t.canonical) as exact
       from pos_sessions s join detections d on d.subject_id = s.id join transfers t on t.id = d.transfer_id group by s.id`,
    )
    expect([rows.length, rows.filter(({ exact }) => !exact)]).toEqual([all.length, []])
    await onEach(async (paying) => {
      const { chain, indexer, paid } = paying
      // Coverage is one range from the first height on.
      const [record] = await stack.db.query(
        'select count(*)::int as pieces, max(upper(r))::int > $2::int as whole from chain_cursors, unnest(covered) r where chain = $1',
        [chain, await stack.height(chain)],
      )
      expect([chain, record]).toEqual([chain, { pieces: 1, whole: true }])
      expect(await metric(stack.processes.get(indexer), 'cowry_chain_gap_blocks')).toBe(0)
      expect([chain, possible(chain, httpFaults).filter((fault) => appliedTo(paying, fault) === 0)]).toEqual([
        chain,
        [],
      ])
      const lines = httpFaults.map((fault) => `${fault} ${appliedTo(paying, fault)}`)
      process.stdout.write(`\n${chain}: ${paid.length} payments; faults: ${lines.join(', ')}\n`)
    })
  })
})
