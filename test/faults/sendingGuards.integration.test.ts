import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Terms } from '../../src/chains/sending.ts'
import { newId } from '../../src/platform/ids.ts'
import { readIntents } from '../../src/txmgr/intents.ts'
import { pauseSending, resumeSending } from '../../src/txmgr/pause.ts'
import { intentMessage, requestMessage } from '../../src/txmgr/proof.ts'
import { acknowledgeRestore } from '../../src/txmgr/restored.ts'
import { provers } from '../support/intentKeys.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
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
  transferOf,
  walletOf,
  wanted,
} from './sending.ts'

let stack: Stack

beforeAll(async () => {
  stack = await createStack({ chains: ['ethereum', 'base'], processes: ['treasury', 'api', 'worker'], confirmations: 2 })
})
// A row that a test has left unsigned is none of the next one's.
afterEach(() => stack.db.query('update intent_attempts set void_at = now() where signed_at is null and void_at is null'))
afterAll(() => stack?.close())

/** A transfer on the other chain, from beginning to end: whoever works has had its turn meanwhile. */
async function elsewhereGoes(): Promise<void> {
  const pair = await newPair(stack, 'base')
  const { body } = await sendFromWallet(stack, pair, await walletOf(stack, pair))
  expect(await settledAt(stack, pair, body.id)).toMatchObject({ status: 'confirmed' })
}

test('on a paused chain nothing is asked for, signed or sent; what waited goes when it is resumed', async () => {
  const pair = await newPair(stack, 'ethereum')
  const walletId = await walletOf(stack, pair)
  const prepare = { chain: pair.chain, fromAddress: pair.from.address, ...wanted(pair) }
  await stack.stop('treasury')
  const { id } = (await sendFromWallet(stack, pair, walletId)).body
  await waitFor('what the treasury is to sign', async () => (await transactionsOf(stack, id)).length === 1)

  await pauseSending(stack.db, 'ethereum', 'the suite wants it so')
  for (const refused of [
    await sendWithKey(stack, pair),
    await sendFromWallet(stack, pair, walletId),
    await stack.api('POST', '/crypto/transfers/prepare', prepare),
  ])
    expect([refused.status, refused.body]).toMatchObject([503, { error: 'outgoing_paused' }])
  // The operator's decision is no failure.
  const logged = stack
    .logs()
    .split('\n')
    .filter((line) => line.includes('the operator has paused it'))
  expect(logged).toHaveLength(3)
  for (const line of logged)
    expect(JSON.parse(line)).toMatchObject({ level: 'info', error: 'outgoing_paused', msg: expect.stringMatching(/^request refused/) })
  expect(logged.join('')).not.toContain('"stack"')
  await stack.start('treasury')
  await elsewhereGoes()
  expect(await transactionsOf(stack, id)).toMatchObject([{ txId: null }])

  await stack.stop('worker')
  await resumeSending(stack.db, 'ethereum')
  await waitFor('the signature', async () => (await transactionsOf(stack, id))[0]?.txId)
  await pauseSending(stack.db, 'ethereum', 'again')
  await stack.start('worker')
  await elsewhereGoes()
  expect(await transactionsOf(stack, id)).toMatchObject([{ sends: 0 }])
  expect((await transferOf(stack, id)).status).toBe('pending')

  await resumeSending(stack.db, 'ethereum')
  expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'confirmed' })
  expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([unitsOf(stack, pair), 1])
  expect((await sendWithKey(stack, pair)).status).toBe(201)
})

test('after a restore nothing is asked for, signed or sent, and the treasury says so; what waited goes when it is reconciled', async () => {
  const pair = await newPair(stack, 'ethereum')
  const walletId = await walletOf(stack, pair)
  const { body: prepared } = await stack.api<{ id: string }>('POST', '/crypto/transfers/prepare', {
    chain: pair.chain,
    fromAddress: pair.from.address,
    ...wanted(pair),
  })
  await stack.stop('treasury')
  const { id } = (await sendFromWallet(stack, pair, walletId)).body
  await waitFor('what the treasury is to sign', async () => (await transactionsOf(stack, id)).length === 1)

  await stack.db.query("update database_identity set identity = 'another'")
  for (const refused of [
    await sendWithKey(stack, pair),
    await sendFromWallet(stack, pair, walletId),
    await stack.api('POST', '/crypto/transfers/prepare', { chain: pair.chain, fromAddress: pair.from.address, ...wanted(pair) }),
    await stack.api('POST', '/crypto/transfers/submit', { id: prepared.id, payload: '0x00' }),
  ])
    expect([refused.status, refused.body]).toMatchObject([503, { error: 'outgoing_restored' }])
  await stack.start('treasury')
  await waitFor('the treasury’s word', async () => stack.logs().includes('the database was restored: nothing is signed'))
  const metrics = await (await fetch(stack.processes.get('worker')?.metricsUrl() ?? '')).text()
  expect(metrics).toMatch(/^cowry_txmgr_restored\{[^}]*\} 1$/m)
  expect(await transactionsOf(stack, id)).toMatchObject([{ txId: null }])

  await stack.db.tx(acknowledgeRestore)
  expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'confirmed' })
  expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([unitsOf(stack, pair), 1])
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

/** What somebody with the database's password could write: an intent, and a transaction that waits for the treasury. @returns its id */
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
    [id, row.business, row.chain, row.signer, row.signer === 'wallet' ? row.walletId : null, row.from, pair.to.toLowerCase(), stack.devnet.usdc],
  )
  if (row.claims) {
    await stack.db.query('insert into intent_nonces (chain, address, nonce, intent_id) values ($1, $2, $3, $4) on conflict do nothing', [
      row.chain,
      row.from,
      row.nonce,
      id,
    ])
  }
  // Proven all the same: what follows is refused by policy alone.
  const [stored] = await readIntents(stack.db, 'id = $1', [id])
  if (!stored) throw new Error('the row was not stored')
  await stack.db.query('update intents set proof = $2 where id = $1', [id, provers.api.prove(intentMessage(stored))])
  const nonce = row.nonce === null ? null : BigInt(row.nonce)
  const proof = provers.worker.prove(requestMessage({ intentId: id, number: 0, chain: row.chain, nonce, terms: row.terms as Terms, givenUp: [] }))
  await stack.db.query('insert into intent_attempts (intent_id, number, chain, nonce, terms, proof) values ($1, 0, $2, $3, $4, $5)', [
    id,
    row.chain,
    row.nonce,
    JSON.stringify(row.terms),
    proof,
  ])
  return id
}

const isSigned = async (id: string) => (await transactionsOf(stack, id, true)).some(({ txId }) => txId !== null)

/** What is wrong with the row, by what an attacker would want of it. */
const forgeries: Record<string, () => Promise<Partial<Written>>> = {
  'of another business’s wallet': async () => ({ business: await otherBusiness() }),
  'from another address than the wallet’s': async () => ({ from: normalOf(await newPair(stack, 'ethereum')) }),
  'from another wallet of the business, by its address': async () => {
    const other = await newPair(stack, 'ethereum')
    await walletOf(stack, other)
    return { from: normalOf(other) }
  },
  'on another chain than the wallet’s': async () => ({ chain: 'base' }),
  'on a chain that the deployment does not have': async () => ({ chain: 'polygon' }),
  'that burns the wallet in fees': async () => ({ terms: { ...terms, maxFeePerGas: '1000000000000000' } }),
  'with a nonce that is not its own': async () => ({ claims: false }),
  'that no wallet is to sign': async () => ({ signer: 'caller' }),
}

async function otherBusiness(): Promise<string> {
  const id = newId()
  await stack.db.query(
    `insert into businesses select (jsonb_populate_record(null::businesses, to_jsonb(b) || jsonb_build_object('id', $1::text))).* from businesses b limit 1`,
    [id],
  )
  return id
}

test('the control: a row that is written as the worker writes it is signed', async () => {
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
    if (!pair || !id) throw new Error('no such row')
    expect(await rowOf(stack, id)).toMatchObject({ status: 'failed', reason: 'policy', txId: null })
    expect(await isSigned(id)).toBe(false)
    expect(await sentBy(stack, pair)).toBe(0)
  })
})

test('the treasury does not sign a second transaction beside one that may still come', async () => {
  const pair = await newPair(stack, 'ethereum')
  const walletId = await walletOf(stack, pair)
  const { id } = (await sendFromWallet(stack, pair, walletId)).body
  await waitFor('the signature', () => isSigned(id))
  await stack.db.query("insert into intent_nonces (chain, address, nonce, intent_id) values ('ethereum', $1, 7, $2)", [normalOf(pair), id])
  const insert = "insert into intent_attempts (intent_id, number, chain, nonce, terms) values ($1, 90, 'ethereum', 7, $2)"
  await stack.db.query(insert, [id, JSON.stringify(terms)])
  await waitFor('the refusal', async () => (await transactionsOf(stack, id, true)).some((each) => each.number === 90 && each.void))
  expect((await transactionsOf(stack, id, true)).find((each) => each.number === 90)).toMatchObject({ txId: null })
  // What was signed before stands.
  expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'confirmed' })
  expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([unitsOf(stack, pair), 1])
})

test.each(['terms that are none', 'a wallet that cannot be opened'])('a row with %s holds up nobody else', async (what) => {
  const [pair, bystander] = [await newPair(stack, 'ethereum'), await newPair(stack, 'ethereum')]
  const walletId = await walletOf(stack, pair)
  if (what === 'a wallet that cannot be opened') await stack.db.query('update wallets set sealed = $2 where id = $1', [walletId, Buffer.alloc(100)])
  const id = await write(pair, walletId, what === 'terms that are none' ? { terms: { gas: 'plenty' } } : {})
  const other = (await sendFromWallet(stack, bystander, await walletOf(stack, bystander))).body.id
  await waitFor('somebody else’s signature', () => isSigned(other), 10_000)
  expect(await settledAt(stack, bystander, other)).toMatchObject({ status: 'confirmed' })
  expect(await isSigned(id)).toBe(false)
})
