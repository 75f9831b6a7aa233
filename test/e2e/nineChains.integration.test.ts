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
import { chooseFinality } from '../support/apiKeyHeaders.ts'
import { runCommand } from '../support/command.ts'
import { once } from '../support/once.ts'
import { builtUntilFinal, type OtherChainName, otherChainNames } from '../support/otherDevnets.ts'
import { effectsOn } from '../support/outcome.ts'
import { createParallelTests } from '../support/parallelTests.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

// Promises that the families other than EVM keep as the six EVM chains do (chains.test.ts).

let stack: Stack

beforeAll(async () => {
  // Every chain uses its own confirmation rule here, as in production.
  stack = await createStack({
    separate: true,
    chains: [...otherChainNames],
    finalizedTag: true,
    env: { RPC_TIMEOUT_MS: '5000' },
  })
})
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
/** Seven whole tokens and one base unit. */
const finest = (chain: OtherChainName) => (chain === 'stellar' ? '7.0000001' : '7.000001')

/** Clocks of chains are set ahead here, and a session expires by the clock of its chain. */
const day = 86_400
const create = (chain: OtherChainName, body: object = {}) =>
  stack.createSession({ chain, token: tokenOf[chain], amount: '10', expirySeconds: day, ...body })

let aheadSeconds = 600
/** A session that expires after every time that the chains' clocks were set to before. */
function createShort(chain: OtherChainName, token: string): Promise<SessionBody> {
  aheadSeconds += 600
  return create(chain, { token, expirySeconds: aheadSeconds })
}

/**
 * Pays as `stack.pay` does. On Tron a transaction is valid for a minute from the newest block, which may be
 * older.
 */
async function pay(session: SessionBody, amount?: string): Promise<string> {
  if (session.chain === 'tron') await stack.mine(1, 'tron')
  return stack.pay(session, amount)
}

/**
 * Mines the block of a payment, and those that make it final. @param seconds the chain's clock from then on,
 * if it differs from this machine's
 */
const mineFinal = (chain: OtherChainName, seconds?: number) =>
  stack.other(chain).control('mine', {
    count: 1 + builtUntilFinal[chain],
    ...(seconds === undefined ? {} : { time: seconds }),
  })

const balance = (name: 'pending' | 'available', asset: string) =>
  balanceOf(stack.db, { name, businessId: stack.businessId, asset })

/** The webhook of a type about the session. */
const webhookOf = (session: SessionBody, type: string) =>
  waitFor(`webhook ${type}`, async () =>
    stack.receiver.about(session.id).find((event) => event.type === type),
  )

/** Where to pay, in answers and events. */
const where = ({ address, memo, memoType, muxedAddress }: SessionBody) =>
  memo === undefined ? { address } : { address, memo, memoType, muxedAddress }

const payments = createParallelTests()

describe.each(offered)('$token on $chain, paid through the chain’s public library', ({ chain, token }) => {
  const asset = `${chain}:${token}`
  const units = (amount: string) => baseUnits(amount, decimals(chain))

  payments.test(
    chain,
    'exact: paid when its block is final, and not one block before; published, and in the ledger',
    async () => {
      const amount = finest(chain)
      const before = await balance('available', asset)
      const session = await create(chain, { token, amount })
      expect(session).toMatchObject({
        chain,
        token,
        amountExpected: amount,
        status: 'pending',
        exception: 'none',
        payments: [],
      })
      const txId = await pay(session)
      await stack.mine(builtUntilFinal[chain], chain)
      if (builtUntilFinal[chain] > 0) {
        await webhookOf(session, 'session.detected')
        await stack.caughtUp(undefined, chain)
        await stack.idle()
        expect(await stack.session(session.id)).toMatchObject({
          status: 'pending',
          amountReceived: amount,
          payments: [{ txId, status: 'seen' }],
        })
        expect(await balance('available', asset)).toBe(before)
      }

      await stack.mine(1, chain)
      const paid = await stack.sessionIs(session.id, 'paid')
      expect(paid).toMatchObject({ ...where(session), amountReceived: amount })
      expect(paid.payments).toMatchObject([
        { txId, chain, token, amount, status: 'confirmed', exception: 'none' },
      ])
      // The memo of the payment; on Stellar it identifies the session.
      const memo = chain === 'stellar' ? { memo: session.memo, memoType: 'id' } : {}
      const payment = {
        chain,
        symbol: token,
        amount,
        txId,
        address: session.address,
        sessionId: session.id,
        exception: 'none',
        ...memo,
      }
      for (const type of ['transaction.detected', 'transaction.confirmed'])
        expect((await webhookOf(session, type)).data).toMatchObject(payment)
      expect((await webhookOf(session, 'session.paid')).data).toMatchObject({
        ...where(session),
        id: session.id,
        status: 'paid',
        amountReceived: amount,
      })
      await stack.idle()
      const once = { detections: 1, credits: 1, status: 'paid', paidEvents: 1, paidDeliveries: 1 }
      expect((await effectsOn(stack, [session.id])).get(session.id)).toEqual(once)
      expect(await balance('available', asset)).toBe(before + units(amount))
    },
  )

  payments.test(chain, 'one base unit short: underpaid; the missing unit makes it paid', async () => {
    const [available, pending] = [await balance('available', asset), await balance('pending', asset)]
    const amount = finest(chain)
    const session = await create(chain, { token, amount })
    await pay(session, '7')
    await mineFinal(chain)
    expect(await stack.sessionIs(session.id, 'pending', 'underpaid')).toMatchObject({ amountReceived: '7' })
    await waitFor(
      'the part in the ledger',
      async () => (await balance('pending', asset)) === pending + units('7'),
    )
    const rest = amount.replace('7', '0')
    await pay(session, rest)
    await mineFinal(chain)
    const paid = await stack.sessionIs(session.id, 'paid')
    expect(paid.payments.map((payment) => payment.amount)).toEqual(['7', rest])
    expect([await balance('available', asset), await balance('pending', asset)]).toEqual([
      available + units(amount),
      pending,
    ])
  })

  payments.test(
    chain,
    'too much: paid and overpaid; what was requested is credited, the excess held',
    async () => {
      const before = await balance('available', asset)
      const session = await create(chain, { token })
      await pay(session, '12.5')
      await mineFinal(chain)
      expect(await stack.sessionIs(session.id, 'paid', 'overpaid')).toMatchObject({ amountReceived: '12.5' })
      expect((await webhookOf(session, 'session.overpaid')).data).toMatchObject({
        amountExpected: '10',
        amountReceived: '12.5',
      })
      expect(await balance('available', asset)).toBe(before + units('10'))
    },
  )

  payments.test(
    chain,
    'too little until it expires by the chain’s clock: expired and underpaid, and the part is credited',
    async () => {
      const before = await balance('available', asset)
      const session = await createShort(chain, token)
      await pay(session, '4')
      await mineFinal(chain)
      await stack.sessionIs(session.id, 'pending', 'underpaid')
      await mineFinal(chain, Math.ceil(Date.parse(session.expiresAt) / 1000) + 60)
      // The indexer reads finality only while something waits for it, by our clock: here another payment.
      await pay(await create(chain, { token }))
      await mineFinal(chain)
      expect(await stack.sessionIs(session.id, 'expired', 'underpaid')).toMatchObject({ amountReceived: '4' })
      await webhookOf(session, 'session.underpaid')
      await waitFor('the credit', async () => (await balance('available', asset)) === before + units('14'))
    },
  )

  payments.test(chain, 'in a block after its expiry: expired and late, and still credited', async () => {
    const before = await balance('available', asset)
    const session = await createShort(chain, token)
    const end = Math.ceil(Date.parse(session.expiresAt) / 1000)
    // The chain's time passes before anything is sent; the indexer reads finality while something waits for
    // it, which starts with this payment.
    await mineFinal(chain, end + 60)
    const txId = await pay(session)
    await mineFinal(chain, end + 120)
    const late = await stack.sessionIs(session.id, 'expired', 'late')
    expect(late.payments).toMatchObject([{ txId, amount: '10', exception: 'late' }])
    expect((await webhookOf(session, 'session.late')).data).toMatchObject({
      status: 'expired',
      payment: { txId, amount: '10', exception: 'late' },
    })
    await waitFor('the credit', async () => (await balance('available', asset)) === before + units('10'))
    expect(stack.receiver.types(session.id)).not.toContain('session.paid')
  })
})

test('offers USDC and USDT on Solana and Stellar, USDT on Tron', async () => {
  expect(
    (await stack.api('POST', '/pos/sessions', { chain: 'tron', token: 'USDC', amount: '1' })).status,
  ).toBe(400)
})

interface Explanation {
  outcome: string
  block: { confirmations: number } | null
  movements: { outcome: string; token: string; amount: string; session: { id: string } | null }[]
}

describe('explain', () => {
  const explained = createParallelTests()

  // The API loads a chain's reader with the first request that needs it.
  beforeAll(async () => {
    const ask = (chain: OtherChainName) =>
      stack.api('GET', `/chains/${chain}/transactions/${unknownIds[chain]}/explain`)
    await Promise.all(
      otherChainNames.map((chain) =>
        waitFor(`${chain} is read`, async () => (await ask(chain)).status === 200),
      ),
    )
  })
  const explain = async (chain: OtherChainName, txId: string) => {
    const answer = await stack.api<Explanation>('GET', `/chains/${chain}/transactions/${txId}/explain`)
    expect([answer.status, answer.body]).toEqual([200, expect.anything()])
    return answer.body
  }
  /** Half a coin, in base units. */
  const sendCoin: Record<OtherChainName, (session: SessionBody) => Promise<string>> = {
    solana: ({ address }) => sendSol(stack.other('solana'), address, 500_000_000n),
    tron: ({ address }) => sendTrx(stack.other('tron'), address, 500_000),
    stellar: ({ address, memo }) =>
      payOnStellar(stack.other('stellar'), { address, memo, token: 'native', amount: '0.5', decimals: 7 }),
  }
  const coins: Record<OtherChainName, string> = { solana: 'SOL', tron: 'TRX', stellar: 'XLM' }
  // A valid id for each chain, of no transaction.
  const unknownIds: Record<OtherChainName, string> = {
    solana: '5a'.repeat(43) + '5',
    tron: 'ab'.repeat(32),
    stellar: 'ab'.repeat(32),
  }

  // Nodes of Stellar do not know pending transactions; those of Solana know one, but not its transfers.
  const beforeItsBlock: Record<OtherChainName, string> = {
    solana: 'pending',
    tron: 'pending',
    stellar: 'not_found',
  }

  for (const chain of otherChainNames)
    explained.test(
      chain,
      `${chain}: not found, then where the payment is, and at last that it is credited`,
      async () => {
        expect(await explain(chain, unknownIds[chain])).toMatchObject({
          outcome: 'not_found',
          block: null,
          movements: [],
        })
        const session = await create(chain)
        const movement = { token: tokenOf[chain], amount: '10', session: { id: session.id } }
        const txId = await pay(session)
        expect((await explain(chain, txId)).outcome).toBe(beforeItsBlock[chain])
        if (builtUntilFinal[chain] > 0) {
          await stack.mine(1, chain)
          await webhookOf(session, 'session.detected')
          expect(await explain(chain, txId)).toMatchObject({
            outcome: 'not_final',
            block: { confirmations: 1 },
          })
        }
        await mineFinal(chain)
        await stack.sessionIs(session.id, 'paid')
        const credited = await explain(chain, txId)
        expect(credited.outcome).toBe('credited')
        expect(credited.movements[0]).toMatchObject({ ...movement, outcome: 'credited' })
      },
    )

  explained.test('solana', 'solana: a transaction in an unconfirmed block is pending', async () => {
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
      expect(wrong.movements[0]).toMatchObject({
        token: coins[chain],
        amount: '0.5',
        session: { id: session.id },
      })
    })
})

describe('finality by amount', () => {
  const early = { upTo: '20', confirmations: 2 }

  const chains = ['solana', 'tron'] as const
  const chosen = createParallelTests()

  test('is chosen for both chains', async () => {
    expect(
      await chooseFinality(
        stack,
        chains.map((chain) => ({ chain, early })),
      ),
    ).toMatchObject({ status: 200 })
  })

  for (const chain of chains)
    chosen.test(
      chain,
      `${chain}: a small one is accepted early, a larger one waits until the chain calls it final`,
      async () => {
        const [small, large] = [
          await create(chain, { amount: '20' }),
          await create(chain, { amount: '20.000001' }),
        ]
        expect([small.finality, small.requiredConfirmations, large.finality]).toEqual([
          'confirmations',
          early.confirmations,
          'finalized',
        ])
        await pay(small)
        await stack.pay(large)
        await stack.mine(1, chain)
        await webhookOf(small, 'session.detected')
        await stack.idle()
        expect((await stack.session(small.id)).status).toBe('pending')
        await stack.mine(1, chain)
        await stack.sessionIs(small.id, 'paid')
        await stack.mine(2, chain)
        await stack.caughtUp(undefined, chain)
        await stack.idle()
        expect((await stack.session(large.id)).payments).toMatchObject([
          { status: 'seen', requiredConfirmations: null },
        ])
        await stack.mine(1, chain)
        await stack.sessionIs(large.id, 'paid')
      },
    )

  test('is reset', async () => {
    expect(await chooseFinality(stack, [])).toMatchObject({ status: 200 })
  })
})

/** Every height from the first on was read, once. */
async function expectNoGap(chain: OtherChainName): Promise<void> {
  await stack.caughtUp(undefined, chain)
  const [cursor] = await stack.db.query<{ min: number; max: number; ranges: number }>(
    `select min(lower(range))::int as min, max(upper(range))::int - 1 as max, count(*)::int as ranges
     from chain_cursors, unnest(covered) as range where chain = $1`,
    [chain],
  )
  expect(cursor).toMatchObject({ ranges: 1, max: await stack.height(chain) })
  const [blocks] = await stack.db.query(
    `select count(*)::int as rows, min(b.height)::int as min, max(b.height)::int as max,
       count(*) filter (where p.id <> b.parent_id)::int as broken
     from blocks b left join blocks p on p.chain = b.chain and p.height = b.height - 1 and p.canonical where b.chain = $1 and b.canonical`,
    [chain],
  )
  const { min = 0, max = 0 } = cursor ?? {}
  expect(blocks).toEqual({ rows: max - min + 1, min, max, broken: 0 })
}

describe('coverage', () => {
  test.each(otherChainNames)('%s: every height was read, each the successor of the one before', (chain) =>
    expectNoGap(chain),
  )

  test('slots that Solana’s leaders skipped are recorded like the others', async () => {
    const session = await create('solana')
    await pay(session)
    await stack.mine(1, 'solana')
    await stack.other('solana').control('skip', { slots: 3 })
    await mineFinal('solana')
    await stack.sessionIs(session.id, 'paid')
    await expectNoGap('solana')
  })
})

describe('npm run cowry -- rescan', () => {
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

  /** A payment on each chain, deleted from the database before it was settled. */
  const lost = once(async (): Promise<Record<OtherChainName, Lost>> => {
    await stack.stop('worker')
    const [solana, tron, stellar] = await Promise.all(
      (['solana', 'tron', 'stellar'] as const).map(payAndConfirm),
    )
    if (!solana || !tron || !stellar) throw new Error('three chains')
    const txIds = [solana, tron, stellar].map(({ txId }) => txId)
    await stack.db.query('delete from outbox')
    await stack.db.query(
      'delete from detections where transfer_id in (select id from transfers where tx_id = any($1))',
      [txIds],
    )
    await stack.db.query('delete from transfers where tx_id = any($1)', [txIds])
    await stack.start('worker')
    await stack.idle()
    return { solana, tron, stellar }
  })

  const rescans = createParallelTests()
  for (const chain of otherChainNames)
    rescans.test(
      chain,
      `${chain}: a payment that is missing in the database is found again, and credited once`,
      async () => {
        const { session, height } = (await lost())[chain]
        expect(await stack.session(session.id)).toMatchObject({
          status: 'pending',
          amountReceived: '0',
          payments: [],
        })

        const rescan = () =>
          runCommand(stack, 'rescan', [chain, String(height), String(height)], envOf[chain]())
        const first = await rescan()
        expect([first.code, first.err, first.out]).toEqual([
          0,
          '',
          expect.stringContaining('1 new payments, 0 known ones'),
        ])
        await stack.sessionIs(session.id, 'paid')
        await stack.idle()
        const second = await rescan()
        expect([second.code, second.out]).toEqual([
          0,
          expect.stringContaining('0 new payments, 1 known ones'),
        ])
        expect((await effectsOn(stack, [session.id])).get(session.id)).toMatchObject({
          detections: 1,
          credits: 1,
          status: 'paid',
          paidEvents: 1,
        })
      },
    )
})

describe('standby', () => {
  const maxTakeoverMs = 10_000
  /** All are ready before a leader is killed: a start uses resources that the others need. */
  const standbys = once(async () => {
    const start = (chain: OtherChainName) => stack.start(`indexer-${chain}`, {}, { as: `standby-${chain}` })
    const [solana, tron, stellar] = await Promise.all([start('solana'), start('tron'), start('stellar')])
    return { solana, tron, stellar }
  })

  const takeovers = createParallelTests()
  for (const chain of otherChainNames)
    takeovers.test(
      chain,
      `${chain}: when the leading indexer is killed its standby continues, without a gap and without a duplicate`,
      async () => {
        const leader = stack.processes.get(chain === stack.chain ? 'indexer' : `indexer-${chain}`)
        if (!leader) throw new Error(`no indexer reads ${chain}`)
        const standby = (await standbys())[chain]
        expect([
          await metric(leader, 'cowry_indexer_leader'),
          await metric(standby, 'cowry_indexer_leader'),
        ]).toEqual([1, 0])
        // What the test does itself until a block is read counts below: the leader shows how long that takes
        // now.
        const asked = performance.now()
        await pay(await create(chain))
        await mineFinal(chain)
        await stack.caughtUp(undefined, chain)
        const ownMs = performance.now() - asked
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
        expect(performance.now() - since).toBeLessThan(maxTakeoverMs + 2 * ownMs)
        for (const { id } of [before, during]) await stack.sessionIs(id, 'paid')
        await stack.idle()
        const effects = await effectsOn(stack, [before.id, during.id])
        for (const effect of effects.values())
          expect(effect).toMatchObject({ detections: 1, credits: 1, status: 'paid', paidEvents: 1 })
        await expectNoGap(chain)
      },
    )
})
