import { execFileSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Address, formatEther } from 'viem'
import { multicallAddress } from '../../src/chains/evm/multicall.ts'
import { envKeyProvider } from '../../src/custody/keyProvider.ts'
import { readPhrase } from '../../src/custody/phrase.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { adjusted } from '../../src/ledger/entries.ts'
import { post } from '../../src/ledger/post.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { putMulticall } from '../support/answeringContract.ts'
import { heldOn, sentFrom, transactionOn } from '../support/chainBooks.ts'
import { type CommandOutcome, runCommand, runScript } from '../support/command.ts'
import { documentedUrl } from '../support/operatorCommands.ts'
import { effectsOn } from '../support/outcome.ts'
import { createOwnDatabase, type OwnDatabase } from '../support/ownDatabase.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { seedKey } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import {
  newPair,
  type Pair,
  rowOf,
  sendFromWallet,
  settledAt,
  type TransferBody,
  transferOf,
  walletOf,
} from './sending.ts'

/**
 * A copy of the database's volume is put back while the chain went on. The database cannot detect it: an
 * operator declares it.
 */

const amount = 5_000_000n
const ether = 10n ** 18n
const programs = ['api', 'worker', 'indexer', 'treasury'] as const
let own: OwnDatabase
let db: ModelDb
let stack: Stack

beforeAll(async () => {
  own = await createOwnDatabase('copied')
  const database = own.database()
  db = database.db
  stack = await createStack({
    database,
    separate: true,
    env: { POOL_TARGET: '20', POOL_LOW_WATER: '15' },
  })
}, 120_000)
afterAll(async () => {
  await stack?.close()
  await own?.remove()
})

/** Stops everything, changes the volume, and starts Postgres at the same address. */
async function withoutDatabase(change: (data: string) => void): Promise<void> {
  for (const name of programs) await stack.stop(name)
  const { data, url, stop } = own.server()
  const port = Number(new URL(url('x')).port)
  await stop()
  change(data)
  await own.startAgain(port)
}

const settings = (enabled: readonly string[]) =>
  db.query(
    `insert into sweep_settings (business_id, chain, token, enabled) select $1, 'ethereum', unnest($2::text[]), true
     on conflict (business_id, chain, token) do update set enabled = true`,
    [stack.businessId, enabled],
  )
/** Waits until every address of a business with autosweep is swept, and that is final. */
async function sweptUp(): Promise<void> {
  await waitFor(
    'the end of all sweeps',
    async () => {
      await stack.mine(1)
      const open = `select 1 from sweeps where status not in ('done', 'failed', 'waiting') union all
        select 1 from sweep_sources where forced or next_at < now() + interval '5 minutes'`
      return (
        (await db.query(open)).length === 0 &&
        (await db.query("select 1 from sweeps where status = 'done'")).length > 0
      )
    },
    120_000,
  )
}
const treasuryOf = async (): Promise<Address> =>
  (await db.query<{ address: Address }>("select address from treasury_addresses where family = 'evm'"))[0]
    ?.address ?? '0x'
/** As the two operators' adjustment books it: the treasury got money from outside. */
const brought = (symbol: string, value: bigint) =>
  db.tx((tx) =>
    post(tx, [
      adjusted({
        cause: { kind: 'adjustment', id: newId() },
        step: 1,
        debit: { name: 'treasury:ethereum', businessId: null, asset: `ethereum:${symbol}` },
        credit: { name: 'capital', businessId: null, asset: `ethereum:${symbol}` },
        amount: value,
      }),
    ]),
  )
/** Of all transactions of these addresses, by their receipts. */
async function feesOf(addresses: readonly string[]): Promise<bigint> {
  const ids = (await Promise.all(addresses.map((address) => sentFrom(stack, 'ethereum', address)))).flat()
  const found = await Promise.all(ids.map((id) => transactionOn(stack, 'ethereum', id)))
  return found.reduce((sum, { fee }) => sum + fee, 0n)
}
/** The chain goes on meanwhile: where no block comes the indexer stands still, and nothing is compared. */
async function reconcile(...args: string[]): Promise<CommandOutcome> {
  await stack.caughtUp()
  const mining = setInterval(() => void stack.mine(1), 1000)
  try {
    // A worker may compare the chain at this moment.
    return await waitFor('the comparison', async () => {
      const outcome = await runCommand(stack, 'reconcile', ['ethereum', ...args])
      return !outcome.err.includes('another process compares') && outcome
    })
  } finally {
    clearInterval(mining)
  }
}

const ask = () =>
  stack.api<SessionBody & { error: string }>('POST', '/pos/sessions', {
    chain: 'ethereum',
    token: 'USDC',
    amount: '5',
  })
const intents = (...args: string[]) => runCommand(stack, 'intents', args)
const custody = (args: string[], input?: string) =>
  runScript('custody', args, (file) => ({ DATABASE_URL: documentedUrl(file, stack.databaseUrl) }), input)

async function paySession(): Promise<SessionBody> {
  const session = await stack.createSession({ amount: '5' })
  await stack.send(session.address, amount)
  await stack.mine(4)
  await stack.sessionIs(session.id, 'paid')
  return session
}

/** The treasury is away: the transfer waits without a signature. */
async function waitingTransfer(pair: Pair, walletId: string): Promise<TransferBody> {
  await stack.stop('treasury')
  const { status, body } = await sendFromWallet(stack, pair, walletId)
  expect(status).toBe(202)
  await waitFor(
    'its request',
    async () => (await db.query('select 1 from intent_attempts where intent_id = $1', [body.id])).length > 0,
  )
  return body
}

test('until it is reconciled, 503 and no signature; then books and chain agree, money left once, and no address was given twice', async () => {
  const { rpcUrl } = stack.devnet
  await putMulticall(rpcUrl, multicallAddress)
  const treasury = await treasuryOf()
  await stack.sendNative(treasury, ether)
  await brought('ETH', ether)
  const pair = await newPair(stack, 'ethereum')
  const walletId = await walletOf(stack, pair)
  const paidBefore = await paySession()
  // Each is swept in another way: by an authorization, with the coin that is there, and with gas of the
  // treasury.
  const [mixed, needsGas] = [await paySession(), await stack.createSession({ amount: '5' })]
  await stack.send(mixed.address, amount, { token: stack.devnet.usdt as Address })
  await stack.sendNative(mixed.address, ether / 10n)
  await stack.send(needsGas.address, amount, { token: stack.devnet.usdt as Address })
  await stack.mine(4)
  await waitFor(
    'all payments',
    async () => (await db.query("select 1 from session_payments where posted <> 'none'")).length === 5,
  )
  expect(await reconcile()).toMatchObject({ code: 0 })
  const paidAfter = await stack.createSession({ amount: '5' })
  const transfer = await waitingTransfer(pair, walletId)
  const copy = join(own.home, 'copy')
  await withoutDatabase((data) => execFileSync('cp', ['-a', data, copy]))

  // The chain and the database go on: the transfer leaves, sessions are made, one is paid, and money is
  // swept.
  for (const name of programs) await stack.start(name)
  expect((await settledAt(stack, pair, transfer.id)).status).toBe('confirmed')
  const lost = [await paySession(), await stack.createSession({ amount: '5' })]
  await stack.send(paidAfter.address, amount)
  await stack.mine(4)
  await settings(['USDC', 'USDT'])
  await sweptUp()
  const held = {
    usdc: await heldOn(stack, 'ethereum', 'usdc', treasury),
    usdt: await heldOn(stack, 'ethereum', 'usdt', treasury),
  }
  expect(held).toEqual({ usdc: 4n * amount, usdt: 2n * amount })
  expect(await heldOn(stack, 'ethereum', 'usdc', pair.to)).toBe(2_500_000n)

  // The volume is put back. Nothing shows it.
  await withoutDatabase((data) => {
    renameSync(data, join(own.home, 'lost'))
    execFileSync('cp', ['-a', copy, data])
  })
  expect((await intents('restored')).out).toContain('nothing is held back')
  expect((await rowOf(stack, transfer.id))?.status).toBe('created')
  const free = () =>
    db.query<{ address: string }>('select address from deposit_addresses where taken_at is null')
  expect((await free()).map(({ address }) => address)).toEqual(
    expect.arrayContaining(lost.map(({ address }) => address.toLowerCase())),
  )

  // The runbook.
  expect(await custody(['after-restore'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('settle what is open (1 transfers)'),
  })
  for (const name of ['api', 'worker', 'indexer'] as const) await stack.start(name)
  expect(await ask()).toMatchObject({ status: 503, body: { error: 'no_deposit_address' } })
  expect(await sendFromWallet(stack, pair, walletId)).toMatchObject({
    status: 503,
    body: { error: 'outgoing_restored' },
  })
  expect(await intents('reconciled')).toMatchObject({
    code: 2,
    err: expect.stringContaining('start the treasury'),
  })
  await stack.start('treasury')
  const next = await waitFor('a new address', async () => {
    const answer = await ask()
    return answer.status === 201 ? answer.body : null
  })
  for (const { address } of [paidBefore, paidAfter, ...lost]) expect(next.address).not.toBe(address)
  // The treasury runs, and signs nothing.
  expect(await sendFromWallet(stack, pair, walletId)).toMatchObject({
    status: 503,
    body: { error: 'outgoing_restored' },
  })
  await stack.sessionIs(paidAfter.id, 'paid')
  expect(await db.query('select 1 from treasury_signatures where intent_id = $1', [transfer.id])).toEqual([])

  // Sweeps of the meantime are in no row, one of them of a session that is lost. Gas for them came to an
  // address of a session, and is no payment.
  await brought('USDC', amount)
  const differs = await reconcile()
  const costs = formatEther(await feesOf([treasury, mixed.address, needsGas.address]))
  expect([differs.code, differs.out]).toEqual([1, expect.stringContaining(`these may be sweeps`)])
  expect(differs.out).toContain(`npm run cowry -- reconcile ethereum --recover=${costs} books them\n`)
  expect(await reconcile(`--recover=${costs}`)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`and ${costs} ETH of network costs\n`),
  })
  expect(await reconcile()).toMatchObject({ code: 0, out: expect.stringContaining('no differences') })

  expect((await intents('restored')).out).toMatch(new RegExp(`${transfer.id} .* created .*\n1 open\n$`))
  expect(await intents('give-up', transfer.id)).toMatchObject({ code: 0 })
  expect(await intents('reconciled')).toMatchObject({
    code: 0,
    out: 'acknowledged: everything is signed and sent again\n',
  })
  expect(await transferOf(stack, transfer.id)).toMatchObject({ status: 'failed', reason: 'given_up' })
  const again = await sendFromWallet(stack, pair, walletId)
  expect([again.status, (await settledAt(stack, pair, again.body.id)).status]).toEqual([
    expect.any(Number),
    'confirmed',
  ])
  expect(await heldOn(stack, 'ethereum', 'usdc', pair.to)).toBe(5_000_000n)

  // Books and chain agree about every session that the database knows.
  await stack.send(next.address, amount)
  await stack.mine(4)
  const known = [paidBefore, paidAfter, next]
  for (const { id } of known) await stack.sessionIs(id, 'paid')
  const effects = await effectsOn(
    stack,
    known.map(({ id }) => id),
  )
  for (const { id } of known)
    expect(effects.get(id)).toMatchObject({ detections: 1, credits: 1, status: 'paid' })
  const deposits = () =>
    balanceOf(db, { name: 'deposits:ethereum', businessId: null, asset: 'ethereum:USDC' })
  expect([await deposits(), await heldOn(stack, 'ethereum', 'usdc', next.address)]).toEqual([amount, amount])
  await settings(['USDC', 'USDT'])
  await sweptUp()
  expect([await deposits(), await heldOn(stack, 'ethereum', 'usdc', treasury)]).toEqual([0n, 5n * amount])
  expect(await reconcile()).toMatchObject({ code: 0, out: expect.stringContaining('no differences') })
  expect(await reconcile('--recover=0')).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is nothing to recover'),
  })
  const twice = await db.query('select address from pos_sessions group by address having count(*) > 1')
  expect(twice).toEqual([])
  // The phrase alone reaches the money of sessions that the database lost.
  const phrase = (await readPhrase({ db, keyProvider: envKeyProvider(new Secret(seedKey)) }))?.reveal()
  expect(await custody(['recover'], phrase)).toMatchObject({
    code: 0,
    out: expect.stringContaining('the phrase reaches all'),
  })
  // A session at an address that is in no row is found, too.
  await db.query('delete from deposit_addresses where address = $1', [next.address.toLowerCase()])
  const missing = await custody(['recover'], phrase)
  expect([missing.code, missing.out]).toEqual([
    1,
    expect.stringContaining('1 sessions are at addresses that are not in deposit_addresses'),
  ])
}, 400_000)
