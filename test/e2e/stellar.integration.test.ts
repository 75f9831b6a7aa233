import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  Asset,
  Claimant,
  encodeMuxedAccount,
  encodeMuxedAccountToAddress,
  Horizon,
  Keypair,
  Memo,
  Operation,
  rpc,
  TimeoutInfinite,
  TransactionBuilder,
} from '@stellar/stellar-sdk'
import { depositAccount } from '../../src/chains/stellar/keyDeriver.ts'
import { envKeyProvider } from '../../src/custody/keyProvider.ts'
import { openSeed } from '../../src/custody/seed.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { baseUnits } from '../devnets/customers/order.ts'
import { assetOf, payOnStellar, type StellarPurse, sendOnStellar } from '../devnets/customers/stellar.ts'
import type { StellarDevnet } from '../devnets/stellar.ts'
import { metric } from '../faults/metric.ts'
import { addMember, dashboard, sessionOf } from '../support/dashboardSession.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { seedKey } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'

// The ways in which money can reach the platform's account on Stellar, and how it is matched to a session.
// Promises of all chains are in nineChains.test.ts.

let stack: Stack
let devnet: StellarDevnet
let usdc: Asset
/** The platform's only account. */
let account: string
const decimals = 7
const units = (amount: string) => baseUnits(amount, decimals)

beforeAll(async () => {
  stack = await createStack({ chains: ['stellar'], finalizedTag: true })
  devnet = stack.other('stellar')
  usdc = assetOf(devnet.usdc)
  account = (await create()).address
})
afterAll(() => stack?.close())

interface SessionPage {
  total: number
  sessions: SessionBody[]
}
const create = (amount = '10') => stack.createSession({ amount })
const business = (name: 'pending' | 'available', token = 'USDC') =>
  balanceOf(stack.db, { name, businessId: stack.businessId, asset: `stellar:${token}` })
const suspense = (token = 'USDC') =>
  balanceOf(stack.db, { name: 'suspense', businessId: null, asset: `stellar:${token}` })
const waiting = (token = 'USDC') =>
  metric(stack.processes.get('worker'), 'cowry_suspense_payments', 'chain="stellar"', `token="${token}"`)
const webhookOf = (session: SessionBody, type: string) =>
  waitFor(`webhook ${type}`, async () =>
    stack.receiver.about(session.id).find((event) => event.type === type),
  )

const memoOf = ({ memo = '' }: SessionBody) => Memo.id(memo)
const muxedOf = ({ muxedAddress = '' }: SessionBody) => muxedAddress
/** A muxed address of the platform's account with any id. */
const muxedWith = (id: string) => encodeMuxedAccountToAddress(encodeMuxedAccount(account, id))
const paying = (destination: string, amount = '10', asset = usdc) =>
  Operation.payment({ destination, asset, amount })
const send = (operations: Parameters<typeof sendOnStellar>[1], memo?: Memo, purse: StellarPurse = devnet) =>
  sendOnStellar(purse, operations, memo)

type Customer = StellarPurse & { address: string }
const purseOf = (key: Keypair): Customer => ({
  rpcUrl: devnet.rpcUrl,
  networkPassphrase: devnet.networkPassphrase,
  faucetPrivateKey: key.secret(),
  address: key.publicKey(),
})

/** A customer with lumens, and USDC if an amount is given. */
async function customer(holding?: string): Promise<Customer> {
  const purse = purseOf(Keypair.random())
  const made = await fetch(`${devnet.friendbotUrl}?addr=${purse.address}`)
  if (!made.ok) throw new Error(await made.text())
  if (holding === undefined) return purse
  await send([Operation.changeTrust({ asset: usdc })], undefined, purse)
  await stack.mine()
  await payOnStellar(devnet, { address: purse.address, token: devnet.usdc, amount: holding, decimals })
  await stack.mine()
  return purse
}

/** Waits until exactly these payments paid the session. */
async function expectPaid(session: SessionBody, amounts: readonly string[]): Promise<SessionBody> {
  const paid = await stack.sessionIs(session.id, 'paid')
  expect(paid.payments.map((payment) => payment.amount)).toEqual(amounts)
  await webhookOf(session, 'session.paid')
  return paid
}

/** Waits until everything was read, and expects no payment of the session. */
async function expectNothing(session: SessionBody): Promise<void> {
  await stack.caughtUp()
  await stack.idle()
  expect(await stack.session(session.id)).toMatchObject({
    status: 'pending',
    exception: 'none',
    amountReceived: '0',
    payments: [],
  })
  expect(stack.receiver.types(session.id)).toEqual([])
}

test('sessions share one account, and each has an id of its own', async () => {
  const [one, two] = [await create(), await create()]
  for (const session of [one, two]) {
    expect(session).toMatchObject({
      address: account,
      memoType: 'id',
      memo: expect.stringMatching(/^[1-9]\d*$/),
    })
    expect(session.muxedAddress).toBe(muxedWith(session.memo ?? ''))
    expect(session.paymentUri).toBe(
      `web+stellar:pay?destination=${account}&amount=10&asset_code=USDC&asset_issuer=${usdc.getIssuer()}&memo=${session.memo}&memo_type=MEMO_ID`,
    )
  }
  expect(one.memo).not.toBe(two.memo)
})

test('a session is found by its memo, and by no other, by programs and in the dashboard', async () => {
  const [session] = [await create(), await create()]
  const headers = (await sessionOf(stack, await addMember(stack, stack.businessId, 'viewer'))).headers
  const path = `/pos/sessions?search=${session.memo}`
  const answers = [
    await stack.api<SessionPage>('GET', path),
    await dashboard<SessionPage>(stack, 'GET', `/businesses/${stack.businessId}${path}`, undefined, headers),
  ]
  for (const { status, body } of answers)
    expect([status, body.total, body.sessions.map(({ id }) => id)]).toEqual([200, 1, [session.id]])
  const { body } = await stack.api<SessionPage>('GET', `/pos/sessions?search=${'7'.repeat(16)}`)
  expect(body.sessions).toEqual([])
})

describe('a session is paid by a payment that names it', () => {
  type Names = (session: SessionBody) => Promise<string>
  const ways: [how: string, pay: Names, memo: (session: SessionBody) => object | null][] = [
    [
      'with its memo',
      (each) => send([paying(account)], memoOf(each)),
      ({ memo }) => ({ memo, memoType: 'id' }),
    ],
    [
      'with its memo’s digits as text, as wallets write it that support no other memo',
      (each) => send([paying(account)], Memo.text(each.memo ?? '')),
      ({ memo }) => ({ memo, memoType: 'text' }),
    ],
    ['at its muxed address', (each) => send([paying(muxedOf(each))]), () => null],
    [
      'at its muxed address by a transfer of the token’s contract',
      async ({ memo }) =>
        (
          await devnet.control<{ hash: string }>('contractTransfer', {
            to: account,
            amount: '10',
            muxedId: memo,
          })
        ).hash,
      () => null,
    ],
    [
      'by its issuer, where it is a mint',
      (each) => send([paying(account)], memoOf(each), issuer()),
      ({ memo }) => ({ memo, memoType: 'id' }),
    ],
    [
      'in a transaction whose fee another account pays',
      (each) => sendWithFeeBump(each),
      ({ memo }) => ({ memo, memoType: 'id' }),
    ],
  ]
  test.each(ways)('%s', async (_, pay, memo) => {
    const before = await business('available')
    const session = await create()
    const txId = await pay(session)
    await stack.mine()
    const { payments } = await expectPaid(session, ['10'])
    const written = memo(session)
    expect(payments).toMatchObject([{ txId, status: 'confirmed', ...written }])
    if (!written) expect(payments[0]).not.toHaveProperty('memo')
    const { data } = await webhookOf(session, 'transaction.confirmed')
    expect(data).toMatchObject({ txId, address: account, symbol: 'USDC', amount: '10', ...written })
    expect((await webhookOf(session, 'session.paid')).data).toMatchObject({
      memo: session.memo,
      memoType: 'id',
      muxedAddress: session.muxedAddress,
    })
    expect([await business('available'), await suspense()]).toEqual([before + units('10'), 0n])
  })

  test('at its muxed address though another session’s memo is with it: the address comes first (SEP-23)', async () => {
    const [session, other] = [await create(), await create()]
    await send([paying(muxedOf(session))], memoOf(other))
    await stack.mine()
    expect((await expectPaid(session, ['10'])).payments).toMatchObject([{ memo: other.memo, memoType: 'id' }])
    await expectNothing(other)
  })

  test('several in one transaction, each by its own operation; twice where two operations name it', async () => {
    const [one, two] = [await create(), await create('2.5')]
    await send([paying(muxedOf(one), '4'), paying(muxedOf(two), '2.5'), paying(muxedOf(one), '6')])
    await stack.mine()
    expect(new Set((await expectPaid(one, ['4', '6'])).payments.map(({ txId }) => txId)).size).toBe(1)
    await expectPaid(two, ['2.5'])
  })
})

const issuer = (): StellarPurse => purseOf(Keypair.fromSecret(devnet.issuerPrivateKeys.usdc))

async function sendWithFeeBump(session: SessionBody): Promise<string> {
  const server = new rpc.Server(devnet.rpcUrl, { allowHttp: true })
  const payer = Keypair.fromSecret((await customer('10')).faucetPrivateKey)
  const network = { networkPassphrase: devnet.networkPassphrase }
  const inner = new TransactionBuilder(await server.getAccount(payer.publicKey()), {
    fee: '100',
    memo: memoOf(session),
    ...network,
  })
    .addOperation(paying(account))
    .setTimeout(TimeoutInfinite)
    .build()
  inner.sign(payer)
  const sponsor = Keypair.fromSecret(devnet.faucetPrivateKey)
  const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '300', inner, devnet.networkPassphrase)
  bump.sign(sponsor)
  return (await server.sendTransaction(bump)).hash
}

describe('a path payment counts by what arrived', () => {
  let payer: Customer

  beforeAll(async () => {
    const maker = await customer('1000')
    // Two lumens for one USDC.
    await send(
      [Operation.manageSellOffer({ selling: usdc, buying: Asset.native(), amount: '1000', price: '2' })],
      undefined,
      maker,
    )
    await stack.mine()
    payer = await customer()
  })

  test('with a fixed sent amount it pays what arrived, not the minimum', async () => {
    const session = await create('5')
    const fixed = { sendAsset: Asset.native(), sendAmount: '10', destAsset: usdc, destMin: '4' }
    const txId = await send(
      [Operation.pathPaymentStrictSend({ ...fixed, destination: account })],
      memoOf(session),
      payer,
    )
    await stack.mine()
    expect((await expectPaid(session, ['5'])).payments).toMatchObject([
      { txId, token: 'USDC', from: payer.address },
    ])
  })

  test('with a fixed received amount it pays that amount', async () => {
    const session = await create('7.0000001')
    const fixed = { sendAsset: Asset.native(), sendMax: '20', destAsset: usdc, destAmount: '7.0000001' }
    await send(
      [Operation.pathPaymentStrictReceive({ ...fixed, destination: muxedOf(session) })],
      undefined,
      payer,
    )
    await stack.mine()
    await expectPaid(session, ['7.0000001'])
  })
})

describe('lumens are not the token that the session expects', () => {
  const ways: [how: string, pay: (session: SessionBody) => Promise<string>, amount: string][] = [
    ['sent with its memo', (each) => send([paying(account, '3.5', Asset.native())], memoOf(each)), '3.5'],
    // Friendbot's amount, less the fee of the transaction.
    [
      'left to it with its memo by an account merge',
      async (each) =>
        send([Operation.accountMerge({ destination: account })], memoOf(each), await customer()),
      '9999.99999',
    ],
    [
      'left to its muxed address by an account merge',
      async (each) =>
        send([Operation.accountMerge({ destination: muxedOf(each) })], undefined, await customer()),
      '9999.99999',
    ],
  ]
  test.each(ways)('%s', async (_, pay, amount) => {
    const session = await create()
    const txId = await pay(session)
    await stack.mine()
    const wrong = await stack.sessionIs(session.id, 'pending', 'wrong_token')
    expect(wrong).toMatchObject({
      amountReceived: '0',
      payments: [{ txId, token: 'XLM', amount, exception: 'wrong_token' }],
    })
    expect((await webhookOf(session, 'transaction.confirmed')).data).toMatchObject({
      symbol: 'XLM',
      amount,
      exception: 'wrong_token',
    })
  })
})

describe('not a payment', () => {
  test('a failed transaction, though its first payment alone would have succeeded', async () => {
    const session = await create()
    const payer = await customer('15')
    const txId = await send([paying(account), paying(account)], memoOf(session), payer)
    await stack.mine()
    await expectNothing(session)
    const server = new rpc.Server(devnet.rpcUrl, { allowHttp: true })
    expect((await server.getTransaction(txId)).status).toBe('FAILED')
    const explained = await stack.api<{ outcome: string }>(
      'GET',
      `/chains/stellar/transactions/${txId}/explain`,
    )
    expect(explained.body.outcome).toBe('failed')
  })

  test('a fake USDC of another issuer cannot even arrive: the account refuses it', async () => {
    const session = await create()
    const txId = await send([paying(account, '10', assetOf(devnet.fakeUsdc))], memoOf(session))
    await stack.mine()
    await expectNothing(session)
    expect((await new rpc.Server(devnet.rpcUrl, { allowHttp: true }).getTransaction(txId)).status).toBe(
      'FAILED',
    )
  })
})

describe('money that names no session is held in suspense, and the operator is notified', () => {
  const ways: [
    how: string,
    pay: (session: SessionBody) => Promise<string>,
    found: { token: string; amount: string; memo: string | null },
  ][] = [
    ['without a memo', () => send([paying(account)]), { token: 'USDC', amount: '10', memo: null }],
    [
      'with the memo of no session',
      () => send([paying(account)], Memo.id('42')),
      { token: 'USDC', amount: '10', memo: '42' },
    ],
    [
      'with the memo 0',
      () => send([paying(account)], Memo.id('0')),
      { token: 'USDC', amount: '10', memo: '0' },
    ],
    [
      'with words',
      () => send([paying(account)], Memo.text('order 7')),
      { token: 'USDC', amount: '10', memo: 'order 7' },
    ],
    [
      'with a hash',
      () => send([paying(account)], Memo.hash('ab'.repeat(32))),
      { token: 'USDC', amount: '10', memo: 'ab'.repeat(32) },
    ],
    [
      'at a muxed address of no session',
      () => send([paying(muxedWith('42'))]),
      { token: 'USDC', amount: '10', memo: null },
    ],
    [
      'by a transfer of the contract without an id',
      () => transferOfContract(),
      { token: 'USDC', amount: '10', memo: null },
    ],
    [
      'by an account merge without a memo',
      async () => send([Operation.accountMerge({ destination: account })], undefined, await customer()),
      { token: 'XLM', amount: '9999.99999', memo: null },
    ],
  ]
  const transferOfContract = async () =>
    (await devnet.control<{ hash: string }>('contractTransfer', { to: account, amount: '10' })).hash

  test.each(ways)('%s', async (_, pay, { token, amount, memo }) => {
    const session = await create()
    const before = [
      await suspense(token),
      await waiting(token),
      await business('pending', token),
      await business('available', token),
    ] as const
    const txId = await pay(session)
    await stack.mine()
    const row = await waitFor('its row', async () => (await suspenseOf(txId))[0])
    expect(row).toEqual({ token, amount: units(amount).toString(), memo, posted: true })
    expect([await suspense(token), await waiting(token)]).toEqual([before[0] + units(amount), before[1] + 1])
    await expectNothing(session)
    expect([await business('pending', token), await business('available', token)]).toEqual(before.slice(2))
    const line = await waitFor('an error in the log', async () =>
      stack
        .logs()
        .split('\n')
        .find((each) => each.includes(txId) && each.includes('suspense')),
    )
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      process: 'worker',
      chain: 'stellar',
      token,
      txId,
    })
  })

  test('at a muxed address of no session, though a session’s memo is with it: the address comes first', async () => {
    const session = await create()
    const txId = await send([paying(muxedWith('43'))], memoOf(session))
    await stack.mine()
    await waitFor('its row', async () => (await suspenseOf(txId))[0])
    await expectNothing(session)
  })

  /** Its suspense row, if it is in the ledger. */
  const suspenseOf = (txId: string) =>
    stack.db.query(
      `select t.token, t.amount::text, t.memo, s.posted from suspense_payments s
       join detections d on d.id = s.detection_id join transfers t on t.id = d.transfer_id where t.tx_id = $1 and s.posted`,
      [txId],
    )
})

test('the platform holds what it owes: to businesses, and in suspense', async () => {
  await stack.idle()
  const books = await stack.db.query<{ off: string }>(
    'select coalesce(sum(p.amount), 0)::text as off from ledger_postings p join ledger_accounts a on a.id = p.account_id group by p.asset having sum(p.amount) <> 0',
  )
  expect(books).toEqual([])
  const held = await balanceOf(stack.db, {
    name: 'deposits:stellar',
    businessId: null,
    asset: 'stellar:USDC',
  })
  expect(held).toBe((await business('pending')) + (await business('available')) + (await suspense()))
  const { balances } = await new Horizon.Server(devnet.horizonUrl, { allowHttp: true }).loadAccount(account)
  const line = balances.find((each) => 'asset_code' in each && each.asset_code === 'USDC')
  expect(units(line?.balance ?? '0')).toBe(held)
})

test('every delivery was signed and came once', async () => {
  expect(stack.receiver.forged).toEqual([])
  expect(new Set(stack.receiver.received.map(({ id }) => id)).size).toBe(stack.receiver.received.length)
})

// Keep this last, since the indexer ends at such a ledger, and again at each start: a claimable balance
// (`B…`) or a pool (`L…`) has no bytes in src/chains/stellar/address.ts.
test('a claimable balance pays no session until it is claimed; then the memo of the claim counts', async () => {
  const session = await create()
  const before = await suspense()
  await send(
    [Operation.createClaimableBalance({ asset: usdc, amount: '10', claimants: [new Claimant(account)] })],
    memoOf(session),
  )
  await stack.mine()
  await stack.caughtUp()
  await expectNothing(session)
  expect(await suspense()).toBe(before)

  const { records } = await new Horizon.Server(devnet.horizonUrl, { allowHttp: true })
    .claimableBalances()
    .claimant(account)
    .call()
  const seed = await openSeed({ db: stack.db, keyProvider: envKeyProvider(new Secret(seedKey)) })
  const platform = purseOf(Keypair.fromRawEd25519Seed(Buffer.from(depositAccount(seed.reveal()).privateKey)))
  expect(platform.address).toBe(account)
  await send(
    [Operation.claimClaimableBalance({ balanceId: records[0]?.id ?? '' })],
    memoOf(session),
    platform,
  )
  await stack.mine()
  await expectPaid(session, ['10'])
})

test('each session is shown alone as in the list', async () => {
  await stack.idle()
  const { body } = await stack.api<{ sessions: SessionBody[] }>('GET', '/pos/sessions?limit=100')
  expect(body.sessions.flatMap(({ payments }) => payments).length).toBeGreaterThan(0)
  for (const session of body.sessions) expect(await stack.session(session.id)).toEqual(session)
})
