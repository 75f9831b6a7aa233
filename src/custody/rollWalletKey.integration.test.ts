import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import type { Queryable } from '../platform/database/db.ts'
import { openModelDb } from '../platform/database/modelDb.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { envKeyProvider } from './keyProvider.ts'
import { finishRoll, rollWalletKey } from './rollWalletKey.ts'
import { sealNewWallet } from './sealNewWallet.ts'
import { currentWalletKey } from './walletKeyPair.ts'
import { openWalletKeys, storeWalletKey } from './walletKeys.ts'
import type { SealedWallet } from './walletSeal.ts'

const keyProvider = envKeyProvider(new Secret(Buffer.alloc(32, 21).toString('base64')))
let database: TestDatabase
let businessId: string
let ctx: { db: TestDatabase['db']; keyProvider: typeof keyProvider }

beforeAll(async () => {
  database = await createTestDatabase()
  ctx = { db: database.db, keyProvider }
  businessId = newId()
  await insertBusiness(database.db, businessId, 'wallets')
})
afterAll(() => database?.drop())
beforeEach(async () => {
  await database.db.query('delete from wallets')
  await database.db.query('delete from wallet_keys')
  await openWalletKeys(ctx)
})

const secretOf = (id: string) => `canary of ${id}`

/** Stores a wallet as the API does: sealed to the current key, in one transaction with it. */
async function storeWallet(db: Queryable, sealing: () => Promise<void> = async () => {}): Promise<string> {
  const owner = { id: newId(), businessId, chain: 'ethereum', address: `0x${newId()}` }
  const { keyId, sealed } = await sealNewWallet(db, owner, { privateKey: new Secret(secretOf(owner.id)) })
  await sealing()
  await db.query(
    `insert into wallets (id, business_id, chain, address, public_key, source, key_id, sealed) values ($1, $2, $3, $4, 'x', 'private_key', $5, $6)`,
    [owner.id, businessId, owner.chain, owner.address, keyId, sealed],
  )
  return owner.id
}
const storeWallets = async (count: number) => {
  for (let i = 0; i < count; i++) await database.db.tx((tx) => storeWallet(tx))
}
const wallets = () =>
  database.db.query<SealedWallet>(
    `select id, business_id as "businessId", chain, address, key_id as "keyId", sealed from wallets order by id`,
  )
const keys = async () =>
  (await database.db.query<{ id: string }>('select id from wallet_keys order by id')).map(({ id }) => id)
/** Waits until a statement on the keys waits for another transaction. */
async function waitForBlockedStatement() {
  for (let waits = false; !waits; ) {
    const [row] = await database.db.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%wallet_keys%'",
    )
    waits = row !== undefined
  }
}
/** Every wallet opens to its own secret. */
async function expectAllOpen() {
  const opener = await openWalletKeys(ctx)
  for (const wallet of await wallets())
    expect((await opener.open(wallet)).privateKey.reveal()).toBe(secretOf(wallet.id))
}

describe('rolling the key', () => {
  test('reseals every wallet to a new one, in batches, and leaves no trace of the old', async () => {
    await storeWallets(230)
    const [old] = await keys()
    const before = await wallets()
    expect(await rollWalletKey(ctx)).toEqual({ resealed: 230, unopened: [] })
    const [current, ...others] = await keys()
    expect(others).toEqual([])
    expect(current).not.toBe(old)
    const after = await wallets()
    expect(new Set(after.map(({ keyId }) => keyId))).toEqual(new Set([current]))
    expect(after.filter(({ sealed }, i) => Buffer.from(sealed).equals(before[i]?.sealed as Buffer))).toEqual(
      [],
    )
    await expectAllOpen()
  })

  test('without wallets, or without an existing key, leaves one key', async () => {
    await rollWalletKey(ctx)
    expect(await keys()).toHaveLength(1)
    await database.db.query('delete from wallet_keys')
    await rollWalletKey(ctx)
    expect(await keys()).toHaveLength(1)
  })

  test('while wallets are being stored loses no wallet', async () => {
    const dbs = Array.from({ length: 3 }, () => openModelDb(database.url, 1))
    try {
      let storing = dbs.length
      const stored = Promise.all(
        dbs.map(async (db) => {
          for (let i = 0; i < 60; i++) await db.tx((tx) => storeWallet(tx))
          storing--
        }),
      )
      let rolls = 0
      for (; storing > 0; rolls++) await rollWalletKey(ctx)
      await stored
      expect(rolls).toBeGreaterThan(1)
    } finally {
      await Promise.all(dbs.map((db) => db.close()))
    }
    expect(await wallets()).toHaveLength(180)
    await expectAllOpen()
    await finishRoll(ctx)
    expect(await keys()).toHaveLength(1)
    await expectAllOpen()
  })

  test('waits for a wallet that is being sealed to the old key, and keeps that key until the wallet is resealed', async () => {
    const db = openModelDb(database.url, 1)
    try {
      const [hasKey, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const storing = db.tx((tx) =>
        storeWallet(tx, () => {
          hasKey.resolve()
          return goOn.promise
        }),
      )
      await hasKey.promise
      const rolling = rollWalletKey(ctx)
      await waitForBlockedStatement()
      goOn.resolve()
      await storing
      await rolling
      await expectAllOpen()
      expect(await keys()).toHaveLength(2)
      expect(await finishRoll(ctx)).toEqual({ resealed: 1, unopened: [] })
      expect(await keys()).toHaveLength(1)
      await expectAllOpen()
    } finally {
      await db.close()
    }
  })

  test('gives a concurrent reader the new key', async () => {
    const [old] = await keys()
    const asked = await database.db.tx(async (tx) => {
      await tx.query('select from wallet_keys for update')
      await tx.query('update wallet_keys set retired_at = now()')
      await storeWalletKey(ctx, tx)
      const asking = currentWalletKey(database.db)
      await waitForBlockedStatement()
      return { asking }
    })
    const { id } = await asked.asking
    expect([old === id, await keys()]).toEqual([false, [old, id]])
  })

  test('twice at once leaves one key and every wallet readable', async () => {
    await storeWallets(120)
    const dbs = [openModelDb(database.url, 3), openModelDb(database.url, 3)]
    try {
      const rolls = await Promise.all(dbs.map((db) => rollWalletKey({ db, keyProvider })))
      expect(rolls.flatMap(({ unopened }) => unopened)).toEqual([])
    } finally {
      await Promise.all(dbs.map((db) => db.close()))
    }
    await finishRoll(ctx)
    expect(await keys()).toHaveLength(1)
    await expectAllOpen()
  })

  test('is finished by the next call after an interruption, and its wallets open in between', async () => {
    await storeWallets(3)
    // The state that a process leaves which died after retiring the old key.
    await database.db.tx(async (tx) => {
      await tx.query('update wallet_keys set retired_at = now()')
      await storeWalletKey(ctx, tx)
    })
    await storeWallets(2)
    expect(await keys()).toHaveLength(2)
    await expectAllOpen()
    expect(await finishRoll(ctx)).toEqual({ resealed: 3, unopened: [] })
    expect(await keys()).toHaveLength(1)
    await expectAllOpen()
    expect(await finishRoll(ctx)).toEqual({ resealed: 0, unopened: [] })
  })

  test('leaves a wallet that cannot be opened unchanged, names it, and keeps its key', async () => {
    await storeWallets(3)
    const [, broken] = await wallets()
    await database.db.query(
      'update wallets set sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1) where id = $1',
      [broken?.id],
    )
    const before = (await wallets())[1]
    expect(await rollWalletKey(ctx)).toEqual({ resealed: 2, unopened: [broken?.id] })
    expect((await wallets())[1]).toEqual(before)
    expect(await keys()).toHaveLength(2)
  })
})
