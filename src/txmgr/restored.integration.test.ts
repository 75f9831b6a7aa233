import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { commandArguments, nodeArguments } from '../../scripts/local/nodeArguments.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { proofs, provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { transfers, transfersWith, walletsWith } from '../../test/support/purposes.ts'
import { knownChain } from '../chains/registry.ts'
import type { Terms } from '../chains/sending.ts'
import { transferBuilder } from '../chains/transferBuilders.ts'
import { replacePool, takeDepositAddress } from '../custody/depositPool.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { insertRequest, readAttempts } from './attempts.ts'
import { claimNonce } from './claimNonce.ts'
import { giveUp } from './giveUp.ts'
import { insertIntent, readIntents } from './intents.ts'
import { isPaused, pauseSending, requireNotPaused, resumeSending } from './pause.ts'
import { isRestored } from './restored.ts'
import { signPending } from './signPending.ts'

/** Signing and sending after a restore of the database, and the operator's commands, as npm runs them. */

const key = `0x${'7'.repeat(64)}` as const
const address = privateKeyToAccount(key).address.toLowerCase()
const terms: Terms = {
  gas: '65000',
  maxFeePerGas: '1000000000',
  maxPriorityFeePerGas: '1000000000',
  l1Fee: '0',
}
let database: TestDatabase
let businessId: string
let walletId: string
/** The audit log only grows: older rows are from other tests. */
let begun: string

beforeAll(async () => {
  database = await createTestDatabase()
  businessId = newId()
  walletId = newId()
  await insertBusiness(database.db, businessId, 'one')
  const keyId = newId()
  await database.db.query(
    "insert into wallet_keys (id, public_key, provider, wrapped_key, sealed, retired_at) values ($1, '', 'env', '', '', now())",
    [keyId],
  )
  await database.db.query(
    `insert into wallets (id, business_id, chain, address, public_key, source, key_id, sealed) values ($1, $2, 'ethereum', $3, '', 'private_key', $4, '')`,
    [walletId, businessId, address, keyId],
  )
})
afterAll(() => database?.drop())
beforeEach(async () => {
  for (const table of ['intent_nonces', 'intent_attempts', 'intents'])
    await database.db.query(`delete from ${table}`)
  await database.db.query(
    'insert into database_identity (identity) values (present_identity()) on conflict (one) do update set identity = excluded.identity',
  )
  begun = newId()
})

/** An intent with a request to the treasury. */
const ask = (signer: 'wallet' | 'caller' = 'wallet'): Promise<string> =>
  database.db.tx(async (tx) => {
    const transfer = {
      kind: 'transfer' as const,
      from: address,
      to: `0x${'0'.repeat(38)}aa`,
      token: null,
      amount: 1_500_000_000_000_000_000n,
      memo: null,
      gasPrice: null,
      gasLimit: null,
    }
    const row = await insertIntent(
      transfers,
      tx,
      {
        businessId,
        purpose: 'transfer',
        chain: 'ethereum',
        signer,
        walletId: signer === 'wallet' ? walletId : null,
        action: transfer,
        symbol: 'ETH',
        decimals: 18,
      },
      1000,
      provers.api,
    )
    const nonce = await claimNonce(tx, { chain: 'ethereum', address, intentId: row.id }, 3n)
    await insertRequest(tx, row, { nonce, terms }, provers.worker)
    return row.id
  })

async function sign(): Promise<void> {
  const chain = knownChain('ethereum')
  if (!chain) throw new Error('no ethereum')
  await signPending({
    db: database.db,
    log: createLog('test', 'silent'),
    environment: 'test',
    proofs,
    signing: async () => ({ chain, builder: await transferBuilder(chain) }),
    signers: walletsWith(async () => new Secret(key)),
    purposes: transfersWith(),
    signed: () => {},
  })
}
const statusOf = async (id: string) => (await readIntents(database.db, 'id = $1', [id]))[0]?.status
const signedOf = async (id: string) =>
  (await readAttempts(database.db, id)).filter(({ sent }) => sent !== null).length

/** A restore, as the database sees it: one of the three differs from the acknowledged one. */
const parts = ['cluster', 'timeline', 'table'] as const
async function restore(part: (typeof parts)[number] = 'timeline'): Promise<void> {
  const [row] = await database.db.query<{ identity: string }>('select identity from database_identity')
  const identity = (row?.identity.split('/') ?? [])
    .map((each, i) => (parts[i] === part ? `1${each}` : each))
    .join('/')
  await database.db.query('update database_identity set identity = $1', [identity])
}

const command = (...args: string[]) => run(...commandArguments, 'intents', ...args)
const run = (...args: string[]): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH ?? '', DATABASE_URL: database.url } }
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
    )
  })
/** As in the runbook: the treasury has renewed the pool before. */
const reconcile = async () => {
  await replacePool(database.db)
  return command('reconciled')
}
const abandon = (id: string) => database.db.tx((tx) => giveUp({ purposes: transfersWith() }, tx, id))
const audited = () =>
  database.db.query(
    'select action, target, business_id as "businessId", actor_label as by from audit_log where id > $1 order by id',
    [begun],
  )

const paused = { status: 503, error: 'outgoing_restored' }
const refusal = () => requireNotPaused(database.db, 'ethereum').catch((error: unknown) => error)

describe('a database', () => {
  test('that was migrated here signs and sends', async () => {
    expect([await isRestored(database.db), await isPaused(database.db, 'ethereum'), await refusal()]).toEqual(
      [false, false, undefined],
    )
  })

  test.each(parts)('of another %s than the acknowledged one does not, on any chain', async (part) => {
    await restore(part)
    expect([
      await isRestored(database.db),
      await isPaused(database.db, 'ethereum'),
      await isPaused(database.db, 'tron'),
    ]).toEqual([true, true, true])
    expect(await refusal()).toMatchObject(paused)
  })

  test('without an acknowledgement does not', async () => {
    await database.db.query('delete from database_identity')
    expect(await refusal()).toMatchObject(paused)
    expect(await reconcile()).toMatchObject({ code: 0 })
    expect(await refusal()).toBeUndefined()
  })

  test('loaded from a dump does not, in the same cluster either', async () => {
    await database.db.tx(async (tx) => {
      await tx.query('alter table database_identity rename to dumped')
      await tx.query('create table database_identity (like dumped including all)')
      await tx.query('insert into database_identity select * from dumped')
      await tx.query('drop table dumped')
    })
    expect(await refusal()).toMatchObject(paused)
  })

  test('knows its cluster and its timeline from Postgres', async () => {
    const [row] = await database.db.query<{ identity: string; clusterAndTimeline: string }>(
      `select present_identity() as identity, format('%s/%s/', s.system_identifier, c.timeline_id) as "clusterAndTimeline"
       from pg_control_system() s, pg_control_checkpoint() c`,
    )
    expect(row?.identity.startsWith(row.clusterAndTimeline)).toBe(true)
  })
})

test('is identified by its own number if Postgres does not show the cluster', async () => {
  const { db } = database
  const role = `poor_${newId().replaceAll('-', '')}`
  await db.query('revoke execute on function pg_control_system() from public')
  await db.query(`create role ${role}`)
  // The function has the rights of its owner, who lacks this one on managed databases.
  await db.query(
    `alter function present_identity() security invoker; grant execute on function present_identity() to ${role}`,
  )
  try {
    const [present] = await db.tx(async (tx) => {
      await tx.query(`set local role ${role}`)
      return tx.query<{ identity: string }>('select present_identity() as identity')
    })
    expect(present?.identity).toMatch(/^untold\/\d+$/)
    expect(await isRestored(db)).toBe(false)
  } finally {
    await db.query(
      `alter function present_identity() security definer; drop owned by ${role}; drop role ${role}`,
    )
    await db.query('grant execute on function pg_control_system() to public')
  }
})

describe('after a restore', () => {
  test('the treasury signs nothing before the database is reconciled, and the waiting requests after', async () => {
    const id = await ask()
    await restore()
    await sign()
    expect([await statusOf(id), await signedOf(id)]).toEqual(['created', 0])
    expect(await reconcile()).toEqual({
      code: 0,
      said: 'acknowledged: everything is signed and sent again\n',
    })
    await sign()
    expect([await statusOf(id), await signedOf(id)]).toEqual(['signed', 1])
    expect(await audited()).toEqual([
      { action: 'outgoing.reconciled', target: null, businessId: null, by: 'cowry intents' },
    ])
    expect(await reconcile()).toEqual({ code: 0, said: 'there was nothing to acknowledge\n' })
    expect(await audited()).toHaveLength(1)
  })

  test('an undetectable copy is declared restored: nothing is signed, and no address is given out', async () => {
    const id = await ask()
    expect(await command('declare-restored')).toMatchObject({
      code: 0,
      said: expect.stringContaining('nothing is signed or sent on any chain'),
    })
    await sign()
    expect([await statusOf(id), await refusal()]).toEqual(['created', expect.objectContaining(paused)])
    const taken = await database.db.tx((tx) => takeDepositAddress(tx, 'evm')).catch((error: unknown) => error)
    expect(taken).toMatchObject({ status: 503, error: 'no_deposit_address' })
    expect(await audited()).toEqual([
      {
        action: 'database.declared_restored',
        target: null,
        businessId: null,
        by: 'cowry intents',
      },
    ])
    expect((await command('declare-restored', 'now')).code).toBe(2)
  })

  test('reconciled is refused, and nothing is signed, until the treasury has renewed the pool of addresses', async () => {
    const id = await ask()
    await command('declare-restored')
    expect(await command('reconciled')).toEqual({
      code: 2,
      said: 'the deposit addresses of the restored database are not renewed yet: start the treasury, then run this again\n',
    })
    await sign()
    expect([await statusOf(id), await refusal()]).toEqual(['created', expect.objectContaining(paused)])
    expect(await reconcile()).toMatchObject({ code: 0 })
    await sign()
    expect(await statusOf(id)).toBe('signed')
  })

  test('a paused chain stays paused', async () => {
    await pauseSending(database.db, 'ethereum', 'test')
    await restore()
    await reconcile()
    expect(await refusal()).toMatchObject({ status: 503, error: 'outgoing_paused' })
    await resumeSending(database.db, 'ethereum')
  })

  test('every open intent is listed with its details', async () => {
    const [open, done] = [await ask(), await ask()]
    await database.db.query("update intents set status = 'confirmed' where id = $1", [done])
    await restore()
    const { code, said } = await command('restored')
    expect([code, said]).toEqual([0, expect.stringContaining('nothing is signed or sent on any chain')])
    const from = privateKeyToAccount(key).address
    expect(said).toMatch(
      new RegExp(`${open}  \\S+Z  ethereum  ${from} #3  0x0+(aA|AA|Aa|aa)  1\\.5 ETH  wallet  created  -\\n`),
    )
    expect(said).not.toContain(done)
    expect(said).toMatch(/\n1 open\n$/)
    expect((await command()).said).toContain('the database was restored')
  })
})

describe('giving up', () => {
  test('an unsigned intent fails and frees its nonce; its business is notified, and it is never signed', async () => {
    const id = await ask()
    await restore()
    expect(await command('give-up', id)).toMatchObject({ code: 0 })
    await reconcile()
    await sign()
    const [row] = await readIntents(database.db, 'id = $1', [id])
    const message = expect.stringContaining('after the database was restored')
    expect(row).toMatchObject({ status: 'failed', reason: 'given_up', message, txId: null, settled: true })
    expect(await signedOf(id)).toBe(0)
    expect(await database.db.query('select 1 from intent_nonces')).toEqual([])
    const events = await database.db.query(
      "select data->>'id' as id, data->>'reason' as reason from events where type = 'transfer.failed'",
    )
    expect(events).toEqual([{ id, reason: 'given_up' }])
    expect(await audited()).toContainEqual({
      action: 'transfer.given_up',
      target: id,
      businessId,
      by: 'cowry intents',
    })
  })

  test.each(['signed', 'broadcast', 'unknown', 'confirmed', 'failed'])(
    'an intent that is %s is refused: it may still be mined, or has been',
    async (status) => {
      const id = await ask()
      await sign()
      await database.db.query('update intents set status = $2 where id = $1', [id, status])
      await expect(abandon(id)).rejects.toMatchObject({
        error: 'transfer_not_held',
        message: expect.stringContaining(`it is ${status}`),
      })
      expect(await statusOf(id)).toBe(status)
    },
  )

  test('an intent signed with a caller’s key is refused', async () => {
    const id = await ask('caller')
    expect(await command('give-up', id)).toEqual({
      code: 2,
      said: 'caller has signed the transfer: it can be sent without this platform\n',
    })
    expect([await statusOf(id), await audited()]).toEqual(['created', []])
  })

  test('an unknown or missing id is refused', async () => {
    await expect(abandon(newId())).rejects.toMatchObject({ status: 404 })
    for (const args of [['give-up', 'x'], ['constructor']])
      expect(await command(...args)).toMatchObject({ code: 2, said: expect.stringContaining('Usage') })
  })
})

test('the path of its program in the version before does the same with a warning', async () => {
  const { code, said } = await run(...nodeArguments, join(import.meta.dirname, '../../scripts/outgoing.ts'))
  expect([code, said]).toEqual([
    0,
    expect.stringContaining(
      'scripts/outgoing.ts is now cowry intents; the old name works for one more version',
    ),
  ])
  expect(said).toContain((await command()).said)
})
