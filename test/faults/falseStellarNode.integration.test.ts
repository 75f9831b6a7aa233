import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import {
  Account,
  Asset,
  Claimant,
  extractBaseAddress,
  Keypair,
  Memo,
  MuxedAccount,
  Operation,
  type xdr,
} from '@stellar/stellar-sdk'
import type { Transfer } from '../../src/chains/chain.ts'
import { configuredChains } from '../../src/chains/configuration.ts'
import { connectChain } from '../../src/chains/connect.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { assetOf, payOnStellar, sendOnStellar } from '../devnets/customers/stellar.ts'
import { type StellarDevnet, stellarDevnetEnv } from '../devnets/stellar.ts'
import { howMany } from '../support/full.ts'
import { recordOf, wholeRecord } from '../support/otherDevnets.ts'
import { effectsOn } from '../support/outcome.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { expectEachPaidOnce } from './behindProxies.ts'
import { metric } from './metric.ts'
import { behindMs, cursorOf, failuresOf, lag, providerFaults } from './providerFaults.ts'

// Providers of Stellar that answer falsely, forget or fail: an RPC, which is queried first, and a Horizon.
// The devnet's own faces are honest.

const faces = ['rpc', 'horizon'] as const
type Face = (typeof faces)[number]

/** More ledgers than are read one by one at the head. */
const manyLedgers = 30

let stack: Stack
let stellar: StellarDevnet
/** Environments of the indexer. */
let both: Record<string, string>
let rpcAlone: Record<string, string>

beforeAll(async () => {
  stack = await createStack({
    chains: ['stellar'],
    finalizedTag: true,
    processes: ['treasury', 'api', 'worker'],
  })
  stellar = stack.other('stellar')
  both = {
    STELLAR_RPC_URLS: stellar.faceUrls('rpc').rpcUrl,
    STELLAR_HORIZON_URLS: stellar.faceUrls('horizon').horizonUrl,
  }
  rpcAlone = { ...both, STELLAR_HORIZON_URLS: '' }
  await offerDollars()
})
afterAll(() => stack?.close())

const lie = (face: Face, flags: object) => stellar.control('misbehave', { face, ...flags })
const bothLie = (flags: object) => Promise.all(faces.map((face) => lie(face, flags)))
async function honest(): Promise<void> {
  await bothLie({ clear: true })
  await lie('horizon', { slowMs: behindMs })
}

const indexer = () => stack.processes.get('indexer')
const failures = () => failuresOf(stack)
const refused = () => metric(indexer(), 'cowry_rpc_refused_answers_total')
const cursor = () => cursorOf(stack)
const nextHeight = async () => (await stack.height()) + 1

/** A counterparty for path payments: the issuer sells dollars for lumens, one for one. */
async function offerDollars(): Promise<void> {
  const issuer = { ...stellar, faucetPrivateKey: stellar.issuerPrivateKeys.usdc }
  const offer = { selling: assetOf(stellar.usdc), buying: Asset.native(), amount: '100000', price: '1' }
  await sendOnStellar(issuer, [Operation.manageSellOffer(offer)])
  await stack.mine()
}

const byContract = "a transfer by the token's contract"

/** Ways to pay a session, without closing a ledger. */
const ways: Record<string, (session: SessionBody) => Promise<unknown>> = {
  'a payment with a memo': (session) => stack.pay(session),
  'a payment to the muxed address': ({ muxedAddress = '', amountExpected: amount }) =>
    payOnStellar(stellar, { address: muxedAddress, token: stellar.usdc, amount, decimals: 7 }),
  'a path payment with a fixed received amount': ({ address, memo = '', amountExpected: destAmount }) =>
    sendOnStellar(
      stellar,
      [
        Operation.pathPaymentStrictReceive({
          ...path(address),
          sendMax: String(2 * Number(destAmount)),
          destAmount,
        }),
      ],
      Memo.id(memo),
    ),
  'a path payment with a fixed sent amount': ({ address, memo = '', amountExpected: sendAmount }) =>
    sendOnStellar(
      stellar,
      [Operation.pathPaymentStrictSend({ ...path(address), sendAmount, destMin: '1' })],
      Memo.id(memo),
    ),
  [byContract]: ({ address, memo, amountExpected: amount }) =>
    stellar.control('contractTransfer', { to: address, amount, muxedId: memo }),
}
const path = (destination: string) => ({
  sendAsset: Asset.native(),
  destAsset: assetOf(stellar.usdc),
  destination,
})

async function payInNext(session: SessionBody): Promise<number> {
  await stack.pay(session)
  await stack.mine()
  return stack.height()
}

async function payInAllWays({ but }: { but?: string } = {}): Promise<SessionBody[]> {
  const sessions: SessionBody[] = []
  for (const [way, pay] of Object.entries(ways)) {
    if (way === but) continue
    const session = await stack.createSession()
    await pay(session)
    await stack.mine()
    sessions.push(session)
  }
  return sessions
}

async function expectPaidOnce(...sessions: SessionBody[]): Promise<void> {
  await expectEachPaidOnce(stack, sessions)
  for (const { id, amountExpected } of sessions)
    expect((await stack.session(id)).payments).toMatchObject([{ amount: amountExpected }])
}

async function expectNothingCredited({ id }: SessionBody): Promise<void> {
  expect((await effectsOn(stack, [id])).get(id)).toMatchObject({
    credits: 0,
    status: 'pending',
    paidEvents: 0,
  })
}

/** Expects that no ledger from `height` on counts as read, and that metrics and logs show why. */
async function expectWaitsBelow(height: number, why: RegExp): Promise<void> {
  const [before, mark] = [await failures(), stack.logs().length]
  await waitFor('several failed rounds', async () => (await failures()) > before + 2)
  expect(stack.logs().slice(mark)).toMatch(why)
  expect(await cursor()).toBeLessThan(height)
}

/** Runs an indexer with `env`. Each test starts and ends with a chain that is covered to its head. */
function readBy(env: () => Record<string, string>): void {
  beforeAll(async () => {
    await honest()
    await stack.start('indexer', env())
  })
  afterAll(() => stack.stop('indexer'))
  beforeEach(() => honest())
  afterEach(async () => {
    await honest()
    await stack.mine()
    await stack.caughtUp()
    expect(await recordOf(stack.db, 'stellar')).toEqual(wholeRecord)
  })
}

describe('an RPC alone', () => {
  readBy(() => rpcAlone)

  test.each(['noEvents', 'metaV3'])(
    'without events of payments (%s): payments in any way are credited once',
    async (flag) => {
      await lie('rpc', { [flag]: true })
      await expectPaidOnce(...(await payInAllWays()))
    },
  )

  test.each([
    [
      'omits a transaction',
      'omit',
      (hash: string) => [hash],
      /the transactions of ledger \d+ do not match its header/,
    ],
    ['returns an unsigned envelope', 'envelopeOff', (hash: string) => hash, /has another hash/],
    [
      'returns an event with another amount than its operation',
      'amountOff',
      (hash: string) => hash,
      /events of [0-9a-f]{64} say that operation 0 credited/,
    ],
  ])(
    'that %s: the ledger waits, which is reported, and is read when the provider is honest',
    async (_, flag, value, why) => {
      await stack.caughtUp()
      const session = await stack.createSession()
      await lie('rpc', { [flag]: value(await stack.pay(session)) })
      await stack.mine(2)
      await expectWaitsBelow((await stack.height()) - 1, why)
      expect((await stack.session(session.id)).payments).toEqual([])
      await honest()
      await expectPaidOnce(session)
    },
  )

  test('with a wrong previous ledger in a header: nothing is read on it, and nothing is reverted', async () => {
    await stack.caughtUp()
    const [session, height] = [await stack.createSession(), await nextHeight()]
    await lie('rpc', { badPrevious: height })
    await payInNext(session)
    await stack.mine()
    await expectWaitsBelow(height, /the providers are on different forks at/)
    await honest()
    await expectPaidOnce(session)
    expect(await metric(indexer(), 'cowry_reorgs_total')).toBe(0)
  })
})

describe('an RPC and a Horizon, one of which is false or down', () => {
  readBy(() => both)

  // Transfers by a contract to an id are tested below, in "every kind of transfer".
  test('Horizon alone without meta, while the RPC is down: payments in any way except by a contract are credited once', async () => {
    await lie('rpc', { down: true })
    await lie('horizon', { noMeta: true })
    await expectPaidOnce(...(await payInAllWays({ but: byContract })))
  })

  test.each([
    ['omits a transaction', 'omit', (hash: string) => [hash]],
    ['returns an unsigned envelope', 'envelopeOff', (hash: string) => hash],
    ['returns an event with another amount than its operation', 'amountOff', (hash: string) => hash],
  ])('that %s is refused, and the ledger is read at the other', async (_, flag, value) => {
    const [session, before] = [await stack.createSession(), await refused()]
    await lie('rpc', { [flag]: value(await stack.pay(session)) })
    await stack.mine()
    await expectPaidOnce(session)
    expect(await refused()).toBeGreaterThan(before)
  })

  test('without events of payments: paid in any way, both agree and each payment is credited once', async () => {
    const before = await metric(indexer(), 'cowry_provider_disagreements_total')
    await lie('rpc', { noEvents: true })
    await expectPaidOnce(...(await payInAllWays()))
    expect(await metric(indexer(), 'cowry_provider_disagreements_total')).toBe(before)
  })

  test("with a wrong amount of a contract's transfer, which only its event shows: it is seen, reported and never credited", async () => {
    const session = await stack.createSession()
    const before = await metric(indexer(), 'cowry_provider_disagreements_total')
    const { hash } = await stellar.control<{ hash: string }>('contractTransfer', {
      to: session.address,
      amount: '100',
      muxedId: session.memo,
    })
    await lie('rpc', { amountOff: hash })
    await stack.mine()
    await waitFor(
      'the disagreement',
      async () => (await metric(indexer(), 'cowry_provider_disagreements_total')) > before,
    )
    expect((await stack.session(session.id)).payments).toMatchObject([{ status: 'seen', amount: '101' }])
    await stack.mine(2)
    await expectNothingCredited(session)
  })

  test('of another network is avoided, which is reported; if both are, nothing is read', async () => {
    await stack.stop('indexer')
    await lie('rpc', { wrongNetwork: true })
    const one = await stack.createSession()
    await payInNext(one)
    await stack.start('indexer', both)
    await expectPaidOnce(one)
    expect(await metric(indexer(), 'cowry_provider_wrong_chain')).toBe(1)

    await stack.stop('indexer')
    await lie('horizon', { wrongNetwork: true })
    const other = await stack.createSession()
    const height = await payInNext(other)
    await stack.start('indexer', both)
    await expectWaitsBelow(height, /is of the network .{1,2}Some Other Network ; November 2026/)
    await honest()
    await expectPaidOnce(other)
  })

  test('with only the newest ledgers: Horizon serves the older ones, and without it the chain waits', async () => {
    await stack.caughtUp()
    // Both freeze, and lose the ledgers of that time.
    await bothLie({ lagBlocks: manyLedgers + 2 })
    const [one, other] = [await stack.createSession(), await stack.createSession()]
    const height = await payInNext(one)
    await payInNext(other)
    await stack.mine(manyLedgers)
    const newest = await stack.height()
    await lie('rpc', { lagBlocks: 0, pruneBelow: newest - 2 })
    await lie('horizon', { lagBlocks: 0, horizonPruneBelow: newest - 2 })
    await expectWaitsBelow(height, /no longer keeps ledger/)
    await lie('horizon', { horizonPruneBelow: 1 })
    await stack.caughtUp()
    await expectPaidOnce(one, other)
  })

  describe.each(faces.slice(0, howMany(1, 2)))('faults of the %s', (face) => {
    test.each(providerFaults)('%s: payments are detected and credited once', async (_, fault) => {
      const sessions = [await stack.createSession(), await stack.createSession()]
      await lie(face, fault)
      for (const session of sessions) await payInNext(session)
      // A lagging provider needs these ledgers for the cross-check.
      await stack.mine(lag)
      await expectPaidOnce(...sessions)
    })
  })
})

describe('every kind of transfer', () => {
  const receiver = Keypair.random()
  const kept: Record<string, string> = {}
  let range: [number, number]

  /** Sends from an account of the suite and closes a ledger. */
  async function send(by: string, operation: xdr.Operation, memo?: string): Promise<void> {
    await sendOnStellar(
      { ...stellar, faucetPrivateKey: by },
      [operation],
      memo === undefined ? undefined : Memo.id(memo),
    )
    await stack.mine()
  }

  beforeAll(async () => {
    const [address, faucet, merged] = [receiver.publicKey(), stellar.faucetPrivateKey, Keypair.random()]
    const [usdc, muxed] = [
      assetOf(stellar.usdc),
      new MuxedAccount(new Account(receiver.publicKey(), '0'), '11').accountId(),
    ]
    const from = await nextHeight()
    await send(faucet, Operation.createAccount({ destination: address, startingBalance: '20' }))
    await send(receiver.secret(), Operation.changeTrust({ asset: usdc }))
    await send(faucet, Operation.payment({ destination: muxed, asset: usdc, amount: '1' }))
    await send(
      faucet,
      Operation.pathPaymentStrictReceive({ ...path(address), sendMax: '9', destAmount: '2' }),
      '12',
    )
    await send(
      faucet,
      Operation.pathPaymentStrictSend({ ...path(address), sendAmount: '3', destMin: '1' }),
      '13',
    )
    await stellar.control('contractTransfer', { to: address, amount: '4', muxedId: '14' })
    await stack.mine()
    await send(faucet, Operation.createAccount({ destination: merged.publicKey(), startingBalance: '7' }))
    await send(merged.secret(), Operation.accountMerge({ destination: address }), '15')
    await send(
      faucet,
      Operation.createClaimableBalance({ asset: usdc, amount: '5', claimants: [new Claimant(address)] }),
    )
    await send(
      receiver.secret(),
      Operation.claimClaimableBalance({ balanceId: await claimableOf(address) }),
      '16',
    )
    range = [from, await stack.height()]
    Object.assign(kept, stellarDevnetEnv(stellar))
  })
  beforeEach(() => honest())
  afterAll(() => honest())

  async function claimableOf(address: string): Promise<string> {
    const answer = await fetch(`${stellar.horizonUrl}/claimable_balances?claimant=${address}`)
    const { _embedded } = (await answer.json()) as { _embedded: { records: { id: string }[] } }
    return _embedded.records[0]?.id ?? ''
  }

  async function readThrough(urls: Record<string, string>): Promise<Transfer[]> {
    const { chains } = configuredChains({ ...kept, ...urls })
    const [chain] = chains
    if (!chain) throw new Error('stellar is not configured')
    const observe = { called: () => {}, refused: () => {} }
    const connection = await connectChain(chain, {
      timeoutMs: 5000,
      observe,
      log: createLog('test', 'silent'),
    })
    try {
      const blocks = await connection.reader.blocks(...range)
      expect(blocks).toHaveLength(range[1] - range[0] + 1)
      // For withdrawals the recipient is a guess.
      return blocks.flatMap(({ transfers }) =>
        transfers.filter(({ to, only }) => only !== 'out' && accountOf(to) === receiver.publicKey()),
      )
    } finally {
      await connection.close()
    }
  }
  const summaryOf = (transfers: readonly Transfer[]) =>
    transfers.map(({ contract, amount, to }) => [
      idOf(to),
      contract?.split(':')[0] ?? 'XLM',
      Number(amount) / 1e7,
    ])
  const accountOf = (to: string) => (to.startsWith('M') ? extractBaseAddress(to) : to)
  const idOf = (to: string) => (to.startsWith('M') ? MuxedAccount.fromAddress(to, '0').id() : 'none')

  const before = [
    ['none', 'XLM', 20],
    ['11', 'USDC', 1],
    ['12', 'USDC', 2],
    ['13', 'USDC', 3],
  ]
  const after = [
    // Less the fee of its transaction.
    ['15', 'XLM', 6.99999],
    ['16', 'USDC', 5],
  ]

  test.each<[string, Face, object, () => Record<string, string>]>([
    ['an RPC', 'rpc', {}, () => rpcAlone],
    ['an RPC without events of payments', 'rpc', { noEvents: true }, () => rpcAlone],
    ['an RPC before protocol 23', 'rpc', { metaV3: true }, () => rpcAlone],
    ['a Horizon', 'horizon', {}, () => both],
  ])('is read the same by %s', async (_, face, flags, urls) => {
    if (face === 'horizon') await lie('rpc', { down: true })
    await lie(face, flags)
    expect(summaryOf(await readThrough(urls()))).toEqual([...before, ['14', 'USDC', 4], ...after])
  })

  test("is read the same by a Horizon without meta, including claims and the id of a contract's transfer", async () => {
    await lie('rpc', { down: true })
    await lie('horizon', { noMeta: true })
    expect(summaryOf(await readThrough(both))).toEqual([...before, ['14', 'USDC', 4], ...after])
  })
})

/** A closed ledger is final, so an apparent reorg is a provider's fault or the end of the network. */
describe('an apparent reorg', () => {
  test.each([
    ['several ledgers stops the chain, is reported, and changes nothing', 3],
    ['only the newest ledger stops it as well', 1],
  ])('of %s', async (_, depth) => {
    await honest()
    // Resets the chain's state: after such a reorg it is not read any further.
    await stack.db.query("delete from chain_cursors where chain = 'stellar'")
    await stack.db.query("delete from blocks where chain = 'stellar'")
    await stack.start('indexer', { ...both, STELLAR_START_BLOCK: String(await nextHeight()) })
    await stack.mine(1)
    const session = await stack.createSession()
    await stack.pay(session)
    await stack.mine(depth)
    await stack.sessionIs(session.id, 'paid')
    await stack.caughtUp()
    const recorded = () => stack.db.query('select height, id from blocks where canonical order by height')
    const before = await recorded()
    const mark = stack.logs().length
    await stellar.control('reorg', { depth })
    await stack.mine(depth + 1)
    await waitFor('the report', async () =>
      /"level":"(?:error|fatal)".*nothing was changed here/.test(stack.logs().slice(mark)),
    )
    expect(await recorded()).toEqual(before)
    await stack.idle()
    expect((await effectsOn(stack, [session.id])).get(session.id)).toMatchObject({
      credits: 1,
      status: 'paid',
    })
    expect(stack.receiver.types(session.id)).not.toContain('session.reversed')
    await stack.stop('indexer')
  })
})
