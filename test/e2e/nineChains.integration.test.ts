import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { balanceOf } from '../../src/ledger/balance.ts'
import { baseUnits } from '../devnets/customers/order.ts'
import { sendSol } from '../devnets/customers/solana.ts'
import { payOnStellar } from '../devnets/customers/stellar.ts'
import { sendTrx } from '../devnets/customers/tron.ts'
import { solanaDevnetEnv } from '../devnets/solana.ts'
import { stellarDevnetEnv } from '../devnets/stellar.ts'
import { tronDevnetEnv } from '../devnets/tron.ts'
import { metric } from '../faults/metric.ts'
import { runCommand } from '../support/command.ts'
import { createLanes } from '../support/lanes.ts'
import { once } from '../support/once.ts'
import { builtUntilFinal, type OtherChainName, otherChainNames } from '../support/otherDevnets.ts'
import { effectsOn } from '../support/outcome.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { chooseFinality } from '../support/strangers.ts'
import { waitFor } from '../support/waitFor.ts'

// What the three families that are not EVM do as the six EVM chains do (chains.test.ts): one promise, whatever the chain.

let stack: Stack

beforeAll(async () => {
  // Every chain has its own rule of confirmation here, as in production.
  stack = await createStack({ apart: true, chains: [...otherChainNames], finalizedTag: true, env: { RPC_TIMEOUT_MS: '5000' } })
}, 120_000)
afterAll(() => stack?.close())

const offered: { chain: OtherChainName; token: string }[] = [
  { chain: 'solana', token: 'USDC' },
  { chain: 'solana', token: 'USDT' },
  { chain: 'tron', token: 'USDT' },
  { chain: 'stellar', token: 'USDC' },
  { chain: 'stellar', token: 'USDT' },
]
const tokenOf: Record<OtherChainName, string> = { solana: 'USDC', tron: 'USDT', stellar: 'USDC' }
const decimals = (chain: OtherChainName) => (chain === 'stellar' ? 7 : 6)
/** Seven whole tokens and the smallest part of one. */
const finest = (chain: OtherChainName) => (chain === 'stellar' ? '7.0000001' : '7.000001')

/** Clocks of chains are set ahead here; a session's time runs by the chain's. */
const day = 86_400
const create = (chain: OtherChainName, body: object = {}) =>
  stack.createSession({ chain, token: tokenOf[chain], amount: '10', expirySeconds: day, ...body })

let aheadSeconds = 600
/** A session whose time is over after all that the chains' clocks were set to before. */
function createShort(chain: OtherChainName, token: string): Promise<SessionBody> {
  aheadSeconds += 600
  return create(chain, { token, expirySeconds: aheadSeconds })
}

/** Pays as `stack.pay` does. On Tron a transaction holds for a minute from the newest block on, and that may be older. */
async function pay(session: SessionBody, amount?: string): Promise<string> {
  if (session.chain === 'tron') await stack.mine(1, 'tron')
  return stack.pay(session, amount)
}

/** The block that a payment is in, and those that make it final. @param seconds the chain's clock from then on, if it is not to be ours */
const mineFinal = (chain: OtherChainName, seconds?: number) =>
  stack.other(chain).control('mine', { count: 1 + builtUntilFinal[chain], ...(seconds === undefined ? {} : { time: seconds }) })

const balance = (name: 'pending' | 'available', asset: string) => balanceOf(stack.db, { name, businessId: stack.businessId, asset })

/** The webhook of a type about the session. */
const told = (session: SessionBody, type: string) =>
  waitFor(`webhook ${type}`, async () => stack.receiver.about(session.id).find((event) => event.type === type))

/** What tells a payer where to, in answers and events. */
const where = ({ address, memo, memoType, muxedAddress }: SessionBody) =>
  memo === undefined ? { address } : { address, memo, memoType, muxedAddress }

const payments = createLanes()

describe.each(offered)('$token on $chain, paid through the chain’s public library', ({ chain, token }) => {
  const asset = `${chain}:${token}`
  const units = (amount: string) => baseUnits(amount, decimals(chain))

  payments.test(chain, 'exactly: paid when its block is final, and not one block before; told, and in the books', async () => {
    const amount = finest(chain)
    const before = await balance('available', asset)
    const session = await create(chain, { token, amount })
    expect(session).toMatchObject({ chain, token, amountExpected: amount, status: 'pending', exception: 'none', payments: [] })
    const txId = await pay(session)
    await stack.mine(builtUntilFinal[chain], chain)
    if (builtUntilFinal[chain] > 0) {
      await told(session, 'session.detected')
      await stack.caughtUp(undefined, chain)
      await stack.idle()
      expect(await stack.session(session.id)).toMatchObject({ status: 'pending', amountReceived: amount, payments: [{ txId, status: 'seen' }] })
      expect(await balance('available', asset)).toBe(before)
    }

    await stack.mine(1, chain)
    const paid = await stack.sessionIs(session.id, 'paid')
    expect(paid).toMatchObject({ ...where(session), amountReceived: amount })
    expect(paid.payments).toMatchObject([{ txId, chain, token, amount, status: 'confirmed', exception: 'none' }])
    // What a customer wrote to the payment; on Stellar that is how it was told whose it is.
    const memo = chain === 'stellar' ? { memo: session.memo, memoType: 'id' } : {}
    const payment = { chain, symbol: token, amount, txId, address: session.address, sessionId: session.id, exception: 'none', ...memo }
    for (const type of ['transaction.detected', 'transaction.confirmed']) expect((await told(session, type)).data).toMatchObject(payment)
    expect((await told(session, 'session.paid')).data).toMatchObject({ ...where(session), id: session.id, status: 'paid', amountReceived: amount })
    await stack.idle()
    const once = { detections: 1, credits: 1, status: 'paid', paidEvents: 1, paidDeliveries: 1 }
    expect((await effectsOn(stack, [session.id])).get(session.id)).toEqual(once)
    expect(await balance('available', asset)).toBe(before + units(amount))
  })

  payments.test(chain, 'the smallest part too little: underpaid; that part makes it paid', async () => {
    const [available, pending] = [await balance('available', asset), await balance('pending', asset)]
    const amount = finest(chain)
    const session = await create(chain, { token, amount })
    await pay(session, '7')
    await mineFinal(chain)
    expect(await stack.sessionIs(session.id, 'pending', 'underpaid')).toMatchObject({ amountReceived: '7' })
    await waitFor('the part in the books', async () => (await balance('pending', asset)) === pending + units('7'))
    const rest = amount.replace('7', '0')
    await pay(session, rest)
    await mineFinal(chain)
    const paid = await stack.sessionIs(session.id, 'paid')
    expect(paid.payments.map((payment) => payment.amount)).toEqual(['7', rest])
    expect([await balance('available', asset), await balance('pending', asset)]).toEqual([available + units(amount), pending])
  })

  payments.test(chain, 'too much: paid and overpaid, and all of it is credited', async () => {
    const before = await balance('available', asset)
    const session = await create(chain, { token })
    await pay(session, '12.5')
    await mineFinal(chain)
    expect(await stack.sessionIs(session.id, 'paid', 'overpaid')).toMatchObject({ amountReceived: '12.5' })
    expect((await told(session, 'session.overpaid')).data).toMatchObject({ amountExpected: '10', amountReceived: '12.5' })
    expect(await balance('available', asset)).toBe(before + units('12.5'))
  })

  payments.test(chain, 'too little until its time is over by the chain’s clock: expired and underpaid, and what came is credited', async () => {
    const before = await balance('available', asset)
    const session = await createShort(chain, token)
    await pay(session, '4')
    await mineFinal(chain)
    await stack.sessionIs(session.id, 'pending', 'underpaid')
    await mineFinal(chain, Math.ceil(Date.parse(session.expiresAt) / 1000) + 60)
    // What is final is asked for while something waits for it, by our clock: here for another payment.
    await pay(await create(chain, { token }))
    await mineFinal(chain)
    expect(await stack.sessionIs(session.id, 'expired', 'underpaid')).toMatchObject({ amountReceived: '4' })
    await told(session, 'session.underpaid')
    await waitFor('the credit', async () => (await balance('available', asset)) === before + units('14'))
  })

  payments.test(chain, 'in a block after its time: expired and late, and credited all the same', async () => {
    const before = await balance('available', asset)
    const session = await createShort(chain, token)
    const end = Math.ceil(Date.parse(session.expiresAt) / 1000)
    // Time passes on the chain before anything is sent; it is asked what is final when somebody waits for it, which is when this came.
    await mineFinal(chain, end + 60)
    const txId = await pay(session)
    await mineFinal(chain, end + 120)
    const late = await stack.sessionIs(session.id, 'expired', 'late')
    expect(late.payments).toMatchObject([{ txId, amount: '10', exception: 'late' }])
    expect((await told(session, 'session.late')).data).toMatchObject({ status: 'expired', payment: { txId, amount: '10', exception: 'late' } })
    await waitFor('the credit', async () => (await balance('available', asset)) === before + units('10'))
    expect(stack.receiver.types(session.id)).not.toContain('session.paid')
  })
})

test('what is offered: USDC and USDT on Solana and Stellar, USDT on Tron', async () => {
  expect((await stack.api('POST', '/pos/sessions', { chain: 'tron', token: 'USDC', amount: '1' })).status).toBe(400)
})

interface Explanation {
  outcome: string
  block: { confirmations: number } | null
  movements: { outcome: string; token: string; amount: string; session: { id: string } | null }[]
}

describe('explain', () => {
  const explained = createLanes()

  // The API loads what reads a chain with the first request that needs it.
  beforeAll(async () => {
    const ask = (chain: OtherChainName) => stack.api('GET', `/chains/${chain}/transactions/${nobodys[chain]}/explain`)
    await Promise.all(otherChainNames.map((chain) => waitFor(`${chain} is read`, async () => (await ask(chain)).status === 200)))
  })
  const explain = async (chain: OtherChainName, txId: string) => {
    const answer = await stack.api<Explanation>('GET', `/chains/${chain}/transactions/${txId}/explain`)
    expect([answer.status, answer.body]).toEqual([200, expect.anything()])
    return answer.body
  }
  /** Half a coin, in its smallest parts. */
  const sendCoin: Record<OtherChainName, (session: SessionBody) => Promise<string>> = {
    solana: ({ address }) => sendSol(stack.other('solana'), address, 500_000_000n),
    tron: ({ address }) => sendTrx(stack.other('tron'), address, 500_000),
    stellar: ({ address, memo }) => payOnStellar(stack.other('stellar'), { address, memo, token: 'native', amount: '0.5', decimals: 7 }),
  }
  const coins: Record<OtherChainName, string> = { solana: 'SOL', tron: 'TRX', stellar: 'XLM' }
  // An id of each form that no transaction has.
  const nobodys: Record<OtherChainName, string> = { solana: '5'.repeat(87), tron: 'ab'.repeat(32), stellar: 'ab'.repeat(32) }

  // Nodes of Stellar tell nothing of what is in no ledger; those of Solana only that they have it, not what it will move.
  const beforeItsBlock: Record<OtherChainName, string> = { solana: 'pending', tron: 'pending', stellar: 'not_found' }

  for (const chain of otherChainNames)
    explained.test(chain, `${chain}: not found, then for a payment where it is, and at last that it is credited`, async () => {
      expect(await explain(chain, nobodys[chain])).toMatchObject({ outcome: 'not_found', block: null, movements: [] })
      const session = await create(chain)
      const movement = { token: tokenOf[chain], amount: '10', session: { id: session.id } }
      const txId = await pay(session)
      expect((await explain(chain, txId)).outcome).toBe(beforeItsBlock[chain])
      if (builtUntilFinal[chain] > 0) {
        await stack.mine(1, chain)
        await told(session, 'session.detected')
        expect(await explain(chain, txId)).toMatchObject({ outcome: 'not_final', block: { confirmations: 1 } })
      }
      await mineFinal(chain)
      await stack.sessionIs(session.id, 'paid')
      const credited = await explain(chain, txId)
      expect(credited.outcome).toBe('credited')
      expect(credited.movements[0]).toMatchObject({ ...movement, outcome: 'credited' })
    })

  // `no_movement` is what it answers now, with words that say that it waits.
  explained.test('solana', 'solana: what is in a block that is not confirmed yet is pending', async () => {
    const session = await create('solana')
    const { outcome } = await explain('solana', await pay(session))
    await mineFinal('solana')
    await stack.sessionIs(session.id, 'paid')
    expect(outcome).toBe('pending')
  })

  for (const chain of otherChainNames)
    explained.test(chain, `${chain}: the native coin is another token than the session expects`, async () => {
      const session = await create(chain)
      const txId = await sendCoin[chain](session)
      await mineFinal(chain)
      await stack.sessionIs(session.id, 'pending', 'wrong_token')
      await stack.idle()
      const wrong = await explain(chain, txId)
      expect(wrong.outcome).toBe('wrong_token')
      expect(wrong.movements[0]).toMatchObject({ token: coins[chain], amount: '0.5', session: { id: session.id } })
    })
})

describe('how final a payment must be, by its amount', () => {
  const early = { upTo: '20', confirmations: 2 }

  const chains = ['solana', 'tron'] as const
  const chosen = createLanes()

  test('is chosen for both chains', async () => {
    expect(
      await chooseFinality(
        stack,
        chains.map((chain) => ({ chain, early })),
      ),
    ).toMatchObject({ status: 200 })
  })

  for (const chain of chains)
    chosen.test(chain, `${chain}: a small one is accepted early, one above waits until the chain calls it final`, async () => {
      const [small, large] = [await create(chain, { amount: '20' }), await create(chain, { amount: '20.000001' })]
      expect([small.finality, small.requiredConfirmations, large.finality]).toEqual(['confirmations', early.confirmations, 'finalized'])
      await pay(small)
      await stack.pay(large)
      await stack.mine(1, chain)
      await told(small, 'session.detected')
      await stack.idle()
      expect((await stack.session(small.id)).status).toBe('pending')
      await stack.mine(1, chain)
      await stack.sessionIs(small.id, 'paid')
      await stack.mine(2, chain)
      await stack.caughtUp(undefined, chain)
      await stack.idle()
      expect((await stack.session(large.id)).payments).toMatchObject([{ status: 'seen', requiredConfirmations: null }])
      await stack.mine(1, chain)
      await stack.sessionIs(large.id, 'paid')
    })

  test('is chosen no more', async () => {
    expect(await chooseFinality(stack, [])).toMatchObject({ status: 200 })
  })
})

/** Every height from the first on was read, once. */
async function expectNoGap(chain: OtherChainName): Promise<void> {
  await stack.caughtUp(undefined, chain)
  const [cursor] = await stack.db.query<{ min: number; max: number; ranges: number }>(
    `select min(lower(range))::int as least, max(upper(range))::int - 1 as most, count(*)::int as ranges
     from chain_cursors, unnest(covered) as range where chain = $1`,
    [chain],
  )
  expect(cursor).toMatchObject({ ranges: 1, max: await stack.height(chain) })
  const [blocks] = await stack.db.query(
    `select count(*)::int as rows, min(b.height)::int as least, max(b.height)::int as most,
       count(*) filter (where p.id <> b.parent_id)::int as broken
     from blocks b left join blocks p on p.chain = b.chain and p.height = b.height - 1 and p.canonical where b.chain = $1 and b.canonical`,
    [chain],
  )
  const { min = 0, max = 0 } = cursor ?? {}
  expect(blocks).toEqual({ rows: max - min + 1, min, max, broken: 0 })
}

describe('coverage', () => {
  test.each(otherChainNames)('%s: every height was read, each the successor of the one before', (chain) => expectNoGap(chain))

  test('slots of Solana that their leaders skipped are accounted for like the others', async () => {
    const session = await create('solana')
    await pay(session)
    await stack.mine(1, 'solana')
    await stack.other('solana').control('skip', { slots: 3 })
    await mineFinal('solana')
    await stack.sessionIs(session.id, 'paid')
    await expectNoGap('solana')
  })
})

describe('npm run rescan', () => {
  const envOf: Record<OtherChainName, () => Record<string, string>> = {
    solana: () => solanaDevnetEnv(stack.other('solana')),
    tron: () => tronDevnetEnv(stack.other('tron')),
    stellar: () => stellarDevnetEnv(stack.other('stellar')),
  }

  interface Lost {
    session: SessionBody
    height: number
  }

  async function payAndConfirm(chain: OtherChainName) {
    const session = await create(chain)
    const txId = await pay(session)
    await mineFinal(chain)
    const height = await waitFor('the payment', async () => {
      const [row] = await stack.db.query<{ height: number }>(
        "select block_height::int as height from transfers t where tx_id = $1 and exists (select 1 from detections where transfer_id = t.id and status = 'confirmed')",
        [txId],
      )
      return row?.height
    })
    return { session, txId, height }
  }

  /** A payment of each chain, gone from the database before it was settled. */
  const lost = once(async (): Promise<Record<OtherChainName, Lost>> => {
    await stack.stop('worker')
    const [solana, tron, stellar] = await Promise.all((['solana', 'tron', 'stellar'] as const).map(payAndConfirm))
    if (!solana || !tron || !stellar) throw new Error('three chains')
    const txIds = [solana, tron, stellar].map(({ txId }) => txId)
    await stack.db.query('delete from outbox')
    await stack.db.query('delete from detections where transfer_id in (select id from transfers where tx_id = any($1))', [txIds])
    await stack.db.query('delete from transfers where tx_id = any($1)', [txIds])
    await stack.start('worker')
    await stack.idle()
    return { solana, tron, stellar }
  })

  const rescans = createLanes()
  for (const chain of otherChainNames)
    rescans.test(chain, `${chain}: a payment that is gone from the database is found again, and credited once`, async () => {
      const { session, height } = (await lost())[chain]
      expect(await stack.session(session.id)).toMatchObject({ status: 'pending', amountReceived: '0', payments: [] })

      const env = { ...envOf[chain](), RPC_TIMEOUT_MS: '2000' }
      const rescan = () => runCommand(stack, 'rescan', [chain, String(height), String(height)], env)
      const first = await rescan()
      expect([first.code, first.err, first.out]).toEqual([0, '', expect.stringContaining('1 new payments, 0 known ones')])
      await stack.sessionIs(session.id, 'paid')
      await stack.idle()
      const second = await rescan()
      expect([second.code, second.out]).toEqual([0, expect.stringContaining('0 new payments, 1 known ones')])
      expect((await effectsOn(stack, [session.id])).get(session.id)).toMatchObject({ detections: 1, credits: 1, status: 'paid', paidEvents: 1 })
    })
})

describe('standby', () => {
  const maxTakeoverMs = 10_000
  /** All are ready before a leader is killed: a start takes what the others need. */
  const standbys = once(async () => {
    const start = (chain: OtherChainName) => stack.start(`indexer-${chain}`, {}, { as: `standby-${chain}` })
    const [solana, tron, stellar] = await Promise.all([start('solana'), start('tron'), start('stellar')])
    return { solana, tron, stellar }
  })

  const takeovers = createLanes()
  for (const chain of otherChainNames)
    takeovers.test(chain, `${chain}: when the leading indexer is killed the other goes on, without a gap and without a double`, async () => {
      const leader = stack.processes.get(chain === stack.chain ? 'indexer' : `indexer-${chain}`)
      if (!leader) throw new Error(`nobody reads ${chain}`)
      const standby = (await standbys())[chain]
      expect([await metric(leader, 'cowry_indexer_leader'), await metric(standby, 'cowry_indexer_leader')]).toEqual([1, 0])
      const before = await create(chain)
      await pay(before)
      await stack.mine(1, chain)
      leader.kill('SIGKILL')
      const since = performance.now()
      await leader.ended
      stack.processes.delete(leader.name)
      const during = await create(chain)
      await pay(during)
      await mineFinal(chain)
      await waitFor('the next leader', async () => (await metric(standby, 'cowry_blocks_total')) > 0)
      expect(performance.now() - since).toBeLessThan(maxTakeoverMs)
      for (const { id } of [before, during]) await stack.sessionIs(id, 'paid')
      await stack.idle()
      const effects = await effectsOn(stack, [before.id, during.id])
      for (const effect of effects.values()) expect(effect).toMatchObject({ detections: 1, credits: 1, status: 'paid', paidEvents: 1 })
      await expectNoGap(chain)
    })
})
