import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { howMany } from '../support/full.ts'
import { type OtherChainName, otherChainNames } from '../support/otherDevnets.ts'
import type { SessionBody, Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { createSessions, expectEachPaidOnce } from './behindProxies.ts'
import { inSpells, sometimes } from './chances.ts'
import { type HttpFault, type HttpFaultProxy, httpFaults } from './httpProxy.ts'
import { metric } from './metric.ts'
import { type OtherBehind, type OthersBehind, standOthersBehindProxies } from './othersBehindProxies.ts'
import { payTogether } from './payTogether.ts'
import { seeded } from './random.ts'

/*
 * Many payments on each of the other families, over providers that fail in every way that HTTP has, and in some of the
 * chain's own. What Solana's and Tron's providers leave out of a block without saying so is not among them: nothing in a block proves it.
 */

interface Phase {
  name: string
  faults: readonly HttpFault[]
  /** Of the requests, those that it is chosen for; what comes and goes by itself is chosen for all. */
  share: number
}

const phases: readonly Phase[] = [
  { name: 'connections that are dropped, at once or for a while', faults: ['dropped', 'flapping'], share: 0.5 },
  { name: 'halves of answers', faults: ['truncated', 'half'], share: 0.5 },
  { name: 'pages of a gateway, with status 200 and 5xx', faults: ['garbage', 'server-error'], share: 0.5 },
  { name: 'refusals as too fast, and storms of them', faults: ['throttled', 'throttle-storm'], share: 0.5 },
  { name: 'late answers, some too late, and none at all', faults: ['slow', 'hanging'], share: 0.3 },
  { name: 'answers to earlier questions', faults: ['repeated', 'mistaken'], share: 0.4 },
  { name: 'nodes that are behind, and such as use other words', faults: ['lagging', 'other-words'], share: 0.5 },
  { name: 'lists without their last entry', faults: ['left-out'], share: 0.4 },
]

const perPhase = howMany(5, 10)
const perBlock = 5
const payments = howMany(60, 1500)
/** Read by one provider alone; the others over both. */
const alone = howMany(10, 30)
const seeds = Array.from({ length: howMany(1, 3) }, (_, i) => 20_261_121 + 10 * i)
/** Blocks on top of a payment that make it final on the devnets, and one more. */
const blocksToFinal = 6

const tokens: Record<OtherChainName, string> = { solana: 'USDC', tron: 'USDT', stellar: 'USDC' }
/** No two are alike, so that none can stand for another. */
const amountOf = (n: number) => `${1 + Math.floor(n / 1000)}.${String(n % 1000).padStart(3, '0')}1`

/** Nothing in a block of Solana proves what was left out of it. */
const possible = (chain: OtherChainName, faults: readonly HttpFault[]) =>
  chain === 'solana' ? faults.filter((fault) => fault !== 'left-out') : faults

const honest = () => null

/** A chain, and what its sessions have come to. */
interface Paying extends OtherBehind {
  unpaid: SessionBody[]
  paid: SessionBody[]
  dice: () => number
}

describe.each(seeds)(`payments on ${otherChainNames.join(', ')} over providers that fail (seed %i)`, (seed) => {
  let behind: OthersBehind
  let stack: Stack
  let chains: Paying[]

  beforeAll(async () => {
    behind = await standOthersBehindProxies({ POOL_TARGET: String(payments + 100), POOL_LOW_WATER: String(payments + 50) })
    stack = behind.stack
    chains = []
    for (const each of behind.chains) {
      const unpaid = await createPaying(each.chain, 0, payments)
      chains.push({ ...each, unpaid, paid: [], dice: seeded(seed) })
    }
  }, 120_000)
  afterAll(() => behind?.close())

  /** At the same time on each chain. */
  const onEach = (work: (paying: Paying) => Promise<unknown>) => Promise.all(chains.map(work))

  const chooseBy = ({ proxies }: Paying, chances: (index: number) => HttpFaultProxy['choose']) => {
    for (const [index, proxy] of proxies.entries()) proxy.choose = chances(index)
  }
  const appliedTo = ({ proxies }: Paying, fault: HttpFault) => proxies.reduce((sum, { applied }) => sum + (applied.get(fault) ?? 0), 0)

  /** Slots of Solana that have no block, before some blocks. */
  async function skipSome({ chain, dice }: Paying): Promise<void> {
    if (chain === 'solana' && dice() < 0.5) await stack.other('solana').control('skip', { slots: 1 + Math.floor(dice() * 3) })
  }

  /** Pays in blocks of several payments each, one of them by itself; the indexer follows at some blocks, and catches up at others. */
  async function payInBlocks(paying: Paying, count: number): Promise<void> {
    const { chain, dice } = paying
    const sessions = paying.unpaid.splice(0, count)
    paying.paid.push(...sessions)
    for (let at = 0; at < sessions.length; at += perBlock) {
      const some = sessions.slice(at, at + perBlock)
      await payTogether[chain](stack, some.slice(0, -1))
      await skipSome(paying)
      await stack.mine(1, chain)
      await payTogether[chain](stack, some.slice(-1))
      await stack.mine(1, chain)
      if (dice() < 0.5 || at + perBlock >= sessions.length) await caughtUp(paying)
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

  test.each(phases)(
    '$name, at both providers: every block is read all the same',
    ({ faults, share }) =>
      onEach(async (paying) => {
        const here = possible(paying.chain, faults)
        if (here.length === 0) return
        chooseBy(paying, (index) => sometimes(here, share, seed + index))
        await payInBlocks(paying, perPhase)
        await waitFor('every one of these faults', async () => {
          if (here.every((fault) => appliedTo(paying, fault) > 0)) return true
          // Of an empty block nothing can be left out.
          if (here.includes('left-out')) await payInBlocks(paying, await moreSessions(paying))
          else await stack.mine(1, paying.chain)
          return false
        })
        chooseBy(paying, () => honest)
      }),
    90_000,
  )

  test('all of it in spells, at both: every block is read, and agreed to, all the same', async () => {
    await onEach(async (paying) => {
      chooseBy(paying, (index) => inSpells(possible(paying.chain, httpFaults), seed + index))
      await payInBlocks(paying, paying.unpaid.length - alone)
      chooseBy(paying, () => honest)
    })
    await waitFor(
      'agreement about every payment',
      async () => (await stack.db.query('select 1 from detections where needs_agreement and agreed_at is null limit 1')).length === 0,
      // What was in dispute for a minute is asked about again after another one, and a provider may be left alone for half of one then.
      180_000,
    ).catch(async (error) => {
      const rows = await stack.db.query(
        `select d.chain, d.status, d.block_height, d.disputed_at, d.seen_at, t.source, t.tx_id, t.movement_key, t.amount, t.to_address from detections d join transfers t on t.id = d.transfer_id
         where d.needs_agreement and d.agreed_at is null limit 5`,
      )
      throw new Error(`${error.message}: ${JSON.stringify(rows)}\n${stack.troubles()}`)
    })
  }, 300_000)

  test(
    'all of it in spells, at one provider that is the only one: every block is read all the same',
    () =>
      onEach(async (paying) => {
        await stack.stop(paying.indexer)
        await stack.start(paying.indexer, paying.alone)
        paying.proxies[0].choose = inSpells(possible(paying.chain, httpFaults), seed + 2)
        await payInBlocks(paying, alone)
        paying.proxies[0].choose = honest
      }),
    120_000,
  )

  test('and each is detected once with its exact amount, credited once and told as paid once; no height was left out', async () => {
    expect(chains.map(({ paid, unpaid }) => [paid.length >= payments, unpaid.length])).toEqual(chains.map(() => [true, 0]))
    const all = chains.flatMap(({ paid }) => paid)
    for (const { chain } of chains) await stack.mine(blocksToFinal, chain)
    await expectEachPaidOnce(stack, all, blocksToFinal)
    await onEach(caughtUp)
    // An answer about another slot of Solana may stand for a block until the next one does not fit: then its payments come back in theirs.
    const rows = await stack.db.query<{ id: string; exact: boolean }>(
      `select s.id, count(*) = 1 and bool_and((d.generation = 1 or t.chain = 'solana') and t.amount = s.amount_expected and t.token = s.token and d.status = 'confirmed' and t.canonical) as exact
       from pos_sessions s join detections d on d.subject_id = s.id join transfers t on t.id = d.transfer_id group by s.id`,
    )
    expect([rows.length, rows.filter(({ exact }) => !exact)]).toEqual([all.length, []])
    await onEach(async (paying) => {
      const { chain, indexer, paid } = paying
      // Everything from the first height on is in one piece.
      const [record] = await stack.db.query(
        'select count(*)::int as pieces, max(upper(r))::int > $2::int as whole from chain_cursors, unnest(covered) r where chain = $1',
        [chain, await stack.height(chain)],
      )
      expect([chain, record]).toEqual([chain, { pieces: 1, whole: true }])
      expect(await metric(stack.processes.get(indexer), 'cowry_chain_gap_blocks')).toBe(0)
      expect([chain, possible(chain, httpFaults).filter((fault) => appliedTo(paying, fault) === 0)]).toEqual([chain, []])
      const lines = httpFaults.map((fault) => `${fault} ${appliedTo(paying, fault)}`)
      process.stdout.write(`\n${chain}: ${paid.length} payments; faults: ${lines.join(', ')}\n`)
    })
  }, 120_000)
})
