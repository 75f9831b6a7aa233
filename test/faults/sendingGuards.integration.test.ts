import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Terms } from '../../src/chains/sending.ts'
import { newId } from '../../src/platform/ids.ts'
import { readIntents } from '../../src/txmgr/intents.ts'
import { pauseSending, resumeSending } from '../../src/txmgr/pause.ts'
import { intentMessage, requestMessage } from '../../src/txmgr/proof.ts'
import { acknowledgeRestore } from '../../src/txmgr/restored.ts'
import { runCommand } from '../support/command.ts'
import { provers } from '../support/intentKeys.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { metric } from './metric.ts'
import { heldBy, sentBy, unitsOf } from './onChain.ts'
import {
  newPair,
  normalOf,
  type Pair,
  rowOf,
  sendFromWallet,
  sendWithKey,
  settledAt,
  transactionsOf,
  transferBody,
  transferOf,
  walletOf,
} from './sending.ts'

let stack: Stack

beforeAll(async () => {
  stack = await createStack({
    chains: ['ethereum', 'base'],
    processes: ['treasury', 'api', 'worker'],
    confirmations: 2,
  })
})
// Unsigned rows of a test must not affect the next one.
afterEach(() =>
  stack.db.query('update intent_attempts set void_at = now() where signed_at is null and void_at is null'),
)
afterAll(() => stack?.close())

/** Runs a transfer on the other chain to its end: by then every process had time to act. */
async function otherChainSettles(): Promise<void> {
  const pair = await newPair(stack, 'base')
  const { body } = await sendFromWallet(stack, pair, await walletOf(stack, pair))
  expect(await settledAt(stack, pair, body.id)).toMatchObject({ status: 'confirmed' })
}

test('on a paused chain nothing is requested, signed or sent; waiting transfers proceed when it is resumed', async () => {
  const pair = await newPair(stack, 'ethereum')
  const walletId = await walletOf(stack, pair)
  const prepare = { chain: pair.chain, fromAddress: pair.from.address, ...transferBody(pair) }
  await stack.stop('treasury')
  const { id } = (await sendFromWallet(stack, pair, walletId)).body
  await waitFor('the signature request', async () => (await transactionsOf(stack, id)).length === 1)

  await pauseSending(stack.db, 'ethereum', 'paused by the test')
  for (const refused of [
    await sendWithKey(stack, pair),
    await sendFromWallet(stack, pair, walletId),
    await stack.api('POST', '/crypto/transfers/prepare', prepare),
  ])
    expect([refused.status, refused.body]).toMatchObject([503, { error: 'outgoing_paused' }])
  // The operator's decision is no failure.
  // A process writes its log a moment later.
  const logged = await waitFor('the log of three refusals', async () => {
    const lines = stack.logs().split('\n')
    const refusals = lines.slice(0, -1).filter((line) => line.includes('the operator has paused it'))
    return refusals.length === 3 ? refusals : null
  })
  for (const line of logged)
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      error: 'outgoing_paused',
      msg: expect.stringMatching(/^request refused/),
    })
  expect(logged.join('')).not.toContain('"stack"')
  await stack.start('treasury')
  await otherChainSettles()
  expect(await transactionsOf(stack, id)).toMatchObject([{ txId: null }])

  await stack.stop('worker')
  await resumeSending(stack.db, 'ethereum')
  await waitFor('the signature', async () => (await transactionsOf(stack, id))[0]?.txId)
  await pauseSending(stack.db, 'ethereum', 'again')
  await stack.start('worker')
  await otherChainSettles()
  expect(await transactionsOf(stack, id)).toMatchObject([{ sends: 0 }])
  expect((await transferOf(stack, id)).status).toBe('pending')

  await resumeSending(stack.db, 'ethereum')
  expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'confirmed' })
  expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([unitsOf(stack, pair), 1])
  expect((await sendWithKey(stack, pair)).status).toBe(201)
})

test('after a restore nothing is requested, signed or sent, and the treasury reports it; waiting transfers proceed after the restore is acknowledged', async () => {
  const pair = await newPair(stack, 'ethereum')
  const walletId = await walletOf(stack, pair)
  const { body: prepared } = await stack.api<{ id: string }>('POST', '/crypto/transfers/prepare', {
    chain: pair.chain,
    fromAddress: pair.from.address,
    ...transferBody(pair),
  })
  await stack.stop('treasury')
  const { id } = (await sendFromWallet(stack, pair, walletId)).body
  await waitFor('the signature request', async () => (await transactionsOf(stack, id)).length === 1)

  await stack.db.query("update database_identity set identity = 'another'")
  for (const refused of [
    await sendWithKey(stack, pair),
    await sendFromWallet(stack, pair, walletId),
    await stack.api('POST', '/crypto/transfers/prepare', {
      chain: pair.chain,
      fromAddress: pair.from.address,
      ...transferBody(pair),
    }),
    await stack.api('POST', '/crypto/transfers/submit', { id: prepared.id, payload: '0x00' }),
  ])
    expect([refused.status, refused.body]).toMatchObject([503, { error: 'outgoing_restored' }])
  await stack.start('treasury')
  await waitFor('the report of the treasury', async () =>
    stack.logs().includes('the database was restored: nothing is signed'),
  )
  const metrics = await (await fetch(stack.processes.get('worker')?.metricsUrl() ?? '')).text()
  expect(metrics).toMatch(/^cowry_txmgr_restored\{[^}]*\} 1$/m)
  expect(await transactionsOf(stack, id)).toMatchObject([{ txId: null }])

  await stack.db.tx(acknowledgeRestore)
  expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'confirmed' })
  expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([unitsOf(stack, pair), 1])
})

const audited = async (target: string) =>
  stack.db.query(
    "select action, actor_label as by, before, after from audit_log where target = $1 and actor_kind = 'system' order by id",
    [target],
  )

test("the operator's limits of fees hold while all processes run: above the ceiling a request is refused, beyond the budget a transfer waits", async () => {
  const pair = await newPair(stack, 'ethereum')
  const walletId = await walletOf(stack, pair)
  const fees = (...words: string[]) => runCommand(stack, 'fees', words)
  expect(await fees('ceiling', 'ethereum', '0.06')).toMatchObject({
    code: 2,
    err: expect.stringContaining('0.06 is above ETHEREUM_MAX_FEE, 0.05 ETH'),
  })
  expect(await fees('ceiling', 'ethereum', '0.000000000001')).toMatchObject({
    code: 0,
    out: expect.stringContaining('ceiling 0.000000000001 ETH (command)'),
  })
  for (const refused of [await sendFromWallet(stack, pair, walletId), await sendWithKey(stack, pair)])
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { error: 'fee_too_high', message: expect.stringContaining('0.000000000001 is allowed') },
    ])
  expect((await fees('ceiling', 'ethereum', 'none')).out).toContain('ceiling 0.05 ETH (settings)')

  await fees('budget', 'ethereum', '0.000000000001')
  const { id } = (await sendFromWallet(stack, pair, walletId)).body
  await otherChainSettles()
  expect([await transactionsOf(stack, id, true), await transferOf(stack, id)]).toMatchObject([
    [],
    { status: 'pending', reason: null },
  ])
  expect(
    await metric(stack.processes.get('worker'), 'cowry_txmgr_fee_budget_used_ratio', 'chain="ethereum"'),
  ).toBeGreaterThan(1)
  expect((await fees()).out).toMatch(
    /^ethereum .* budget 0\.000000000001 ETH \(command\), used up: transfers wait {2}signed in 24 h /m,
  )
  await fees('budget', 'ethereum', 'none')
  expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'confirmed' })
  expect(await audited('ethereum')).toEqual([
    {
      action: 'fees.ceiling_set',
      by: 'cowry fees',
      before: { ceiling: null },
      after: { ceiling: '1000000' },
    },
    {
      action: 'fees.ceiling_set',
      by: 'cowry fees',
      before: { ceiling: '1000000' },
      after: { ceiling: null },
    },
    {
      action: 'fees.budget_set',
      by: 'cowry fees',
      before: { budget: null },
      after: { budget: '1000000' },
    },
    {
      action: 'fees.budget_set',
      by: 'cowry fees',
      before: { budget: '1000000' },
      after: { budget: null },
    },
  ])
})

test('one transfer is held, released and repriced by commands while the others go on', async () => {
  const [pair, other] = [await newPair(stack, 'ethereum'), await newPair(stack, 'ethereum')]
  const [walletId, otherId] = [await walletOf(stack, pair), await walletOf(stack, other)]
  const intents = (...words: string[]) => runCommand(stack, 'intents', words)
  await stack.stop('treasury')
  const { id } = (await sendFromWallet(stack, pair, walletId)).body
  await waitFor('the signature request', async () => (await transactionsOf(stack, id)).length === 1)
  expect((await intents('hold', id, 'a call from the owner')).out).toContain(`${id} is held`)
  await stack.start('treasury')
  const { body } = await sendFromWallet(stack, other, otherId)
  expect(await settledAt(stack, other, body.id)).toMatchObject({ status: 'confirmed' })
  expect([await transferOf(stack, id), await sentBy(stack, pair)]).toMatchObject([
    { status: 'pending', reason: 'held' },
    0,
  ])
  expect((await intents()).out).toMatch(new RegExp(`^${id} .* held  -  held: a call from the owner$`, 'm'))

  expect((await intents('release', id)).out).toBe(`${id} is released\n`)
  await waitFor('the broadcast', async () => (await rowOf(stack, id))?.status === 'broadcast')
  expect(await intents('reprice', id, '1.05x')).toMatchObject({
    code: 2,
    err: expect.stringContaining('an eighth more'),
  })
  expect(await intents('reprice', id, '3x')).toMatchObject({
    code: 0,
    out: expect.stringContaining(' gwei replaces the one at '),
  })
  await waitFor('the replacement', async () =>
    (await transactionsOf(stack, id)).some((each) => each.number > 0 && each.accepted),
  )
  expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'confirmed' })
  expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([unitsOf(stack, pair), 1])
  expect(await intents('hold', id, 'too late')).toMatchObject({
    code: 2,
    err: 'The transfer has ended: it is confirmed\n',
  })
  expect(await audited(id)).toMatchObject([
    {
      action: 'transfer.held',
      by: 'cowry intents',
      before: { status: 'created' },
      after: { held: 'a call from the owner' },
    },
    { action: 'transfer.released', by: 'cowry intents' },
    {
      action: 'transfer.repriced',
      by: 'cowry intents',
      before: { price: expect.any(String) },
      after: { price: expect.any(String) },
    },
  ])
})

interface Written {
  business: string
  walletId: string
  signer: string
  chain: string
  from: string
  terms: object
  nonce: number | null
  /** Whether the nonce is claimed for it. */
  claims: boolean
}

const terms = { gas: '90000', maxFeePerGas: '3000000000', maxPriorityFeePerGas: '1000000000', l1Fee: '0' }

/**
 * Writes rows that an attacker with the database password could write: an intent and its signature request.
 * @returns the intent's id
 */
async function write(pair: Pair, walletId: string, changes: Partial<Written>): Promise<string> {
  const row: Written = {
    business: stack.businessId,
    walletId,
    signer: 'wallet',
    chain: 'ethereum',
    from: normalOf(pair),
    terms,
    nonce: 0,
    claims: true,
    ...changes,
  }
  const id = newId()
  await stack.db.query(
    `insert into intents (id, business_id, purpose, chain, signer, wallet_id, from_address, to_address, symbol, contract, decimals, amount, status, next_reconcile_at)
     values ($1, $2, 'transfer', $3, $4, $5, $6, $7, 'USDC', $8, 6, 2500000, 'created', now() + interval '1 hour')`,
    [
      id,
      row.business,
      row.chain,
      row.signer,
      row.signer === 'wallet' ? row.walletId : null,
      row.from,
      pair.to.toLowerCase(),
      stack.devnet.usdc,
    ],
  )
  if (row.claims) {
    await stack.db.query(
      'insert into intent_nonces (chain, address, nonce, intent_id) values ($1, $2, $3, $4) on conflict do nothing',
      [row.chain, row.from, row.nonce, id],
    )
  }
  // With valid proofs: only policy can refuse the rows.
  const [stored] = await readIntents(stack.db, 'id = $1', [id])
  if (!stored) throw new Error('the row was not stored')
  await stack.db.query('update intents set proof = $2 where id = $1', [
    id,
    provers.api.prove(intentMessage(stored)),
  ])
  const nonce = row.nonce === null ? null : BigInt(row.nonce)
  const proof = provers.worker.prove(
    requestMessage({
      intentId: id,
      number: 0,
      chain: row.chain,
      nonce,
      terms: row.terms as Terms,
      givenUp: [],
    }),
  )
  await stack.db.query(
    'insert into intent_attempts (intent_id, number, chain, nonce, terms, proof) values ($1, 0, $2, $3, $4, $5)',
    [id, row.chain, row.nonce, JSON.stringify(row.terms), proof],
  )
  return id
}

const isSigned = async (id: string) =>
  (await transactionsOf(stack, id, true)).some(({ txId }) => txId !== null)

/** Forged rows by the attacker's goal. */
const forgeries: Record<string, () => Promise<Partial<Written>>> = {
  'from another business’s wallet': async () => ({ business: await otherBusiness() }),
  'from an address other than the wallet’s': async () => ({
    from: normalOf(await newPair(stack, 'ethereum')),
  }),
  'from the address of another wallet of the business': async () => {
    const other = await newPair(stack, 'ethereum')
    await walletOf(stack, other)
    return { from: normalOf(other) }
  },
  'on a chain other than the wallet’s': async () => ({ chain: 'base' }),
  'on a chain that is not configured': async () => ({ chain: 'polygon' }),
  'that spends the wallet on fees': async () => ({ terms: { ...terms, maxFeePerGas: '1000000000000000' } }),
  'with an unclaimed nonce': async () => ({ claims: false }),
  'without a wallet as its signer': async () => ({ signer: 'caller' }),
}

async function otherBusiness(): Promise<string> {
  const id = newId()
  await stack.db.query(
    `insert into businesses select (jsonb_populate_record(null::businesses, to_jsonb(b) || jsonb_build_object('id', $1::text))).* from businesses b limit 1`,
    [id],
  )
  return id
}

test('control: a row written as the worker writes it is signed', async () => {
  const pair = await newPair(stack, 'ethereum')
  const id = await write(pair, await walletOf(stack, pair), {})
  await waitFor('the signature', () => isSigned(id))
})

describe('the treasury does not sign a row', () => {
  const rows = new Map<string, { pair: Pair; id: string }>()

  beforeAll(async () => {
    for (const [name, forgery] of Object.entries(forgeries)) {
      const pair = await newPair(stack, 'ethereum')
      const walletId = await walletOf(stack, pair)
      rows.set(name, { pair, id: await write(pair, walletId, await forgery()) })
    }
    await waitFor('the refusals', async () => {
      const found = await Promise.all([...rows.values()].map(({ id }) => rowOf(stack, id)))
      return found.every((row) => row?.status === 'failed')
    })
  })

  test.each(Object.keys(forgeries))('%s', async (name) => {
    const { pair, id } = rows.get(name) ?? {}
    if (!pair || !id) throw new Error(`no row of ${name}`)
    expect(await rowOf(stack, id)).toMatchObject({ status: 'failed', reason: 'policy', txId: null })
    expect(await isSigned(id)).toBe(false)
    expect(await sentBy(stack, pair)).toBe(0)
  })
})

test('the treasury does not sign a second transaction while an earlier one may still be mined', async () => {
  const pair = await newPair(stack, 'ethereum')
  const walletId = await walletOf(stack, pair)
  const { id } = (await sendFromWallet(stack, pair, walletId)).body
  await waitFor('the signature', () => isSigned(id))
  await stack.db.query(
    "insert into intent_nonces (chain, address, nonce, intent_id) values ('ethereum', $1, 7, $2)",
    [normalOf(pair), id],
  )
  const insert =
    "insert into intent_attempts (intent_id, number, chain, nonce, terms) values ($1, 90, 'ethereum', 7, $2)"
  await stack.db.query(insert, [id, JSON.stringify(terms)])
  await waitFor('the refusal', async () =>
    (await transactionsOf(stack, id, true)).some((each) => each.number === 90 && each.void),
  )
  expect((await transactionsOf(stack, id, true)).find((each) => each.number === 90)).toMatchObject({
    txId: null,
  })
  // The earlier signature stays valid.
  expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'confirmed' })
  expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([unitsOf(stack, pair), 1])
})

test.each(['invalid terms', 'a wallet that cannot be opened'])(
  'a row with %s does not block other transfers',
  async (what) => {
    const [pair, bystander] = [await newPair(stack, 'ethereum'), await newPair(stack, 'ethereum')]
    const walletId = await walletOf(stack, pair)
    if (what === 'a wallet that cannot be opened')
      await stack.db.query('update wallets set sealed = $2 where id = $1', [walletId, Buffer.alloc(100)])
    const id = await write(pair, walletId, what === 'invalid terms' ? { terms: { gas: 'plenty' } } : {})
    const other = (await sendFromWallet(stack, bystander, await walletOf(stack, bystander))).body.id
    await waitFor('the signature of the other transfer', () => isSigned(other))
    expect(await settledAt(stack, bystander, other)).toMatchObject({ status: 'confirmed' })
    expect(await isSigned(id)).toBe(false)
  },
)
