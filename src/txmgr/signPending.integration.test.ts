import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { proofs, provers } from '../../test/support/intentKeys.ts'
import { transfersWith, walletsWith } from '../../test/support/purposes.ts'
import { knownChain } from '../chains/registry.ts'
import type { Terms } from '../chains/sending.ts'
import { transferBuilder } from '../chains/transferBuilders.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { insertRequest, readAttempts, voidAttempts } from './attempts.ts'
import { claimNonce } from './claimNonce.ts'
import { insertIntent, readIntents } from './intents.ts'
import { pauseSending, resumeSending } from './pause.ts'
import { type SigningContext, signPending } from './signPending.ts'
import { proveIntent } from './unproven.ts'

/** The treasury against rows of an untrusted writer. */

const key = `0x${'5'.repeat(64)}` as const
const address = privateKeyToAccount(key).address.toLowerCase()
const usdc = { contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', symbol: 'USDC', decimals: 6 }
const terms: Terms = {
  gas: '65000',
  maxFeePerGas: '1000000000',
  maxPriorityFeePerGas: '1000000000',
  l1Fee: '0',
}
let database: TestDatabase
let businessId: string
let stranger: string
let outcomes: string[]
let ctx: SigningContext
/** Wallets whose secrets cannot be opened. */
let broken: Set<string>

beforeAll(async () => {
  database = await createTestDatabase()
  ;[businessId, stranger] = [newId(), newId()]
  await database.db.query("insert into businesses (id, name) values ($1, 'one'), ($2, 'two')", [
    businessId,
    stranger,
  ])
  const keyId = newId()
  await database.db.query(
    "insert into wallet_keys (id, public_key, provider, wrapped_key, sealed, retired_at) values ($1, '', 'env', '', '', now())",
    [keyId],
  )
  sealedTo = keyId
  const ethereum = knownChain('ethereum')
  if (!ethereum) throw new Error('no ethereum')
  ctx = {
    db: database.db,
    log: createLog('test', 'silent'),
    environment: 'test',
    proofs,
    signing: async (name) =>
      name === 'ethereum' ? { chain: ethereum, builder: await transferBuilder(ethereum) } : null,
    signers: walletsWith(async (_tx, id) => {
      if (broken.has(id)) throw new Error('it cannot be opened')
      return new Secret(key)
    }),
    purposes: transfersWith(),
    signed: (_chain, outcome) => void outcomes.push(outcome),
  }
})
afterAll(() => database?.drop())
beforeEach(async () => {
  outcomes = []
  broken = new Set()
  await database.db.query('delete from intent_nonces')
  await database.db.query('delete from intent_attempts')
  await database.db.query('delete from intents')
  await database.db.query('delete from wallets')
})
let sealedTo = ''

async function walletOf(
  owner = businessId,
  change: { chain?: string; address?: string; archived?: boolean } = {},
): Promise<string> {
  const id = newId()
  await database.db.query(
    `insert into wallets (id, business_id, chain, address, public_key, source, key_id, sealed, archived_at)
     values ($1, $2, $3, $4, '', 'private_key', $5, '', case when $6 then now() end)`,
    [id, owner, change.chain ?? 'ethereum', change.address ?? address, sealedTo, change.archived ?? false],
  )
  return id
}

interface Change {
  walletId: string
  owner?: string
  chain?: string
  from?: string
  token?: typeof usdc | null
  terms?: Terms
  nonce?: bigint | null
}

/** A request for a signature, as a worker writes it. */
const ask = ({
  walletId,
  owner = businessId,
  chain = 'ethereum',
  from = address,
  token = usdc,
  terms: given = terms,
  nonce,
}: Change): Promise<string> =>
  database.db.tx(async (tx) => {
    const transfer = {
      kind: 'transfer' as const,
      from,
      to: '0x00000000000000000000000000000000000000aa',
      token,
      amount: 5n,
      memo: null,
      gasPrice: null,
      gasLimit: null,
    }
    const wanted = {
      businessId: owner,
      purpose: 'transfer',
      chain,
      signer: 'wallet',
      walletId,
      action: transfer,
      symbol: 'USDC',
      decimals: token?.decimals ?? 18,
    } as const
    const row = await insertIntent(ctx, tx, wanted, 1000, provers.api)
    const own = await claimNonce(tx, { chain, address: from, intentId: row.id }, 3n)
    await insertRequest(tx, row, { nonce: nonce === undefined ? own : nonce, terms: given }, provers.worker)
    return row.id
  })
const statusOf = async (id: string) => {
  const [row] = await readIntents(database.db, 'id = $1', [id])
  return [row?.status, row?.reason, row?.message]
}

describe('a request', () => {
  test('that policy allows is signed exactly: recipient, amount and token', async () => {
    const id = await ask({ walletId: await walletOf() })
    await signPending(ctx)
    expect(await statusOf(id)).toEqual(['signed', null, null])
    const [transaction] = await readAttempts(database.db, id)
    const { parseTransaction, recoverTransactionAddress, toHex, decodeFunctionData, erc20Abi } = await import(
      'viem'
    )
    const raw = toHex(transaction?.signed?.bytes ?? new Uint8Array()) as `0x02${string}`
    expect((await recoverTransactionAddress({ serializedTransaction: raw })).toLowerCase()).toBe(address)
    const parsed = parseTransaction(raw)
    expect(parsed).toMatchObject({ to: usdc.contract, chainId: 1, nonce: 3 })
    expect(decodeFunctionData({ abi: erc20Abi, data: parsed.data ?? '0x' }).args).toEqual([
      '0x00000000000000000000000000000000000000AA',
      5n,
    ])
    expect(outcomes).toEqual(['signed'])
  })

  const refusals: [what: string, row: () => Promise<Change>, why: RegExp][] = [
    [
      "of another business's wallet",
      async () => ({ walletId: await walletOf(stranger) }),
      /not the business's/,
    ],
    [
      'of an archived wallet',
      async () => ({ walletId: await walletOf(businessId, { archived: true }) }),
      /archived/,
    ],
    [
      'from another address than the wallet has',
      async () => ({
        walletId: await walletOf(businessId, { address: '0x00000000000000000000000000000000000000ab' }),
      }),
      /another address/,
    ],
    [
      'of a wallet of another chain',
      async () => ({ walletId: await walletOf(businessId, { chain: 'polygon' }) }),
      /another address/,
    ],
    [
      'of a token that the chain is not known to have',
      async () => ({ walletId: await walletOf(), token: { ...usdc, contract: `0x${'9'.repeat(40)}` } }),
      /its token is not known/,
    ],
    [
      'of a token with other decimals',
      async () => ({ walletId: await walletOf(), token: { ...usdc, decimals: 18 } }),
      /its token is not known/,
    ],
    [
      'with a fee beyond the chain’s limit',
      async () => ({ walletId: await walletOf(), terms: { ...terms, maxFeePerGas: '900000000000' } }),
      /fee/,
    ],
    [
      'with a nonce that is not its own',
      async () => ({ walletId: await walletOf(), nonce: 99n }),
      /not its own/,
    ],
    [
      'on a chain that the treasury does not have',
      async () => ({ walletId: await walletOf(businessId, { chain: 'bsc' }), chain: 'bsc' }),
      /does not have/,
    ],
  ]
  test.each(refusals)('%s is refused, and nothing is signed', async (_what, row, why) => {
    const id = await ask(await row())
    await signPending(ctx)
    expect(await statusOf(id)).toEqual(['failed', 'policy', expect.stringMatching(why)])
    expect((await readAttempts(database.db, id)).every((each) => each.sent === null)).toBe(true)
    expect(outcomes).toEqual(['refused'])
  })

  test('for a caller’s or an external key is refused', async () => {
    const id = await ask({ walletId: await walletOf() })
    await database.db.query("update intents set signer = 'external', wallet_id = null where id = $1", [id])
    await signPending(ctx)
    expect(await statusOf(id)).toEqual(['failed', 'policy', expect.stringMatching(/does not sign/)])
  })

  test('waits while its chain is paused', async () => {
    const id = await ask({ walletId: await walletOf() })
    await pauseSending(database.db, 'ethereum', 'test')
    await signPending(ctx)
    expect(await statusOf(id)).toEqual(['created', null, null])
    await resumeSending(database.db, 'ethereum')
    await signPending(ctx)
    expect(await statusOf(id)).toEqual(['signed', null, null])
  })

  test('of a suspended business stays as it is, and any number of them blocks no other', async () => {
    const theirs = await walletOf(stranger, { address: '0x00000000000000000000000000000000000000ab' })
    const held: string[] = []
    for (let i = 0; i < 25; i++)
      held.push(
        await ask({ walletId: theirs, owner: stranger, from: '0x00000000000000000000000000000000000000ab' }),
      )
    await database.db.query("update businesses set approval = 'suspended' where id = $1", [stranger])
    const ours = await ask({ walletId: await walletOf() })
    await signPending(ctx)
    expect(await statusOf(ours)).toEqual(['signed', null, null])
    expect(await Promise.all(held.map(statusOf))).toEqual(held.map(() => ['created', null, null]))
    expect(outcomes).toEqual(['signed'])
    await database.db.query("update businesses set approval = 'approved' where id = $1", [stranger])
  })

  test('that cannot be signed blocks no other, and is refused in the end', async () => {
    const bad = await walletOf()
    broken.add(bad)
    await database.db.query("update wallets set address = '0x000000000000000000000000000000000000dead'")
    const id = await ask({ walletId: bad, from: '0x000000000000000000000000000000000000dead' })
    const sound = await ask({ walletId: await walletOf() })
    await signPending(ctx)
    expect(await statusOf(sound)).toEqual(['signed', null, null])
    expect(await statusOf(id)).toEqual(['created', null, null])
    await signPending(ctx)
    expect(outcomes.filter((each) => each === 'failed')).toHaveLength(1)
    for (let i = 0; i < 9; i++) {
      await database.db.query(
        "update intent_attempts set created_at = created_at - interval '30 s' where signed_at is null",
      )
      await signPending(ctx)
    }
    expect(await statusOf(id)).toEqual(['failed', 'policy', 'it could not be signed'])
    expect(outcomes.filter((each) => each === 'failed')).toHaveLength(10)
  })
})

describe('a request without a proof', () => {
  /** A retry after its pause; every other one finds new terms of the worker. */
  async function tries(id: string, count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      await signPending(ctx)
      await database.db.query(
        "update intent_attempts set created_at = created_at - interval '30 s' where signed_at is null",
      )
      if (i % 2 === 0) continue
      await database.db.tx(async (tx) => {
        const transactions = await readAttempts(tx, id)
        const live = transactions.filter((each) => !each.isVoid).map((each) => each.number)
        await voidAttempts(tx, id, live, 'its terms were too old')
        const own = await claimNonce(tx, { chain: 'ethereum', address, intentId: id }, 3n)
        await insertRequest(tx, { id, chain: 'ethereum' }, { nonce: own, terms }, provers.worker)
      })
    }
  }
  const unproven = async (): Promise<string> => {
    const id = await ask({ walletId: await walletOf() })
    await database.db.query('update intents set proof = null where id = $1', [id])
    return id
  }
  /** Sets how long ago it was first found without a proof. */
  const since = (minutes: number) =>
    database.db.query(
      "update intent_attempts set unproven_since = now() - $1 * interval '1 minute' where unproven_since is not null",
      [minutes],
    )

  test('waits for half an hour over any number of retries and new terms, and then fails', async () => {
    const id = await unproven()
    await tries(id, 24)
    await since(29)
    await tries(id, 2)
    expect(await statusOf(id)).toEqual(['created', null, null])
    expect(outcomes.filter((each) => each === 'failed')).toHaveLength(26)
    await since(30)
    await signPending(ctx)
    expect(await statusOf(id)).toEqual(['failed', 'policy', 'the intent has no proof'])
  })

  test('is signed once the operator proves it, even after many retries', async () => {
    const id = await unproven()
    await tries(id, 12)
    await database.db.tx((tx) => proveIntent(tx, id, provers.api))
    await tries(id, 1)
    expect(await statusOf(id)).toEqual(['signed', null, null])
  })
})

describe('a second attempt of an intent', () => {
  const wantAnother = (id: string, change: { nonce: bigint | null; terms?: Terms }) =>
    database.db.tx((tx) =>
      insertRequest(
        tx,
        { id, chain: 'ethereum' },
        { terms: { ...terms, maxFeePerGas: '2000000000' }, ...change },
        provers.worker,
      ),
    )
  const signedNumbers = async (id: string) =>
    (await readAttempts(database.db, id)).filter((each) => each.signed !== null).map((each) => each.number)

  test('with its own nonce is signed: a higher fee', async () => {
    const id = await ask({ walletId: await walletOf() })
    await signPending(ctx)
    await wantAnother(id, { nonce: 3n })
    await signPending(ctx)
    expect(await signedNumbers(id)).toEqual([0, 1])
  })

  test('with another nonce is not, with any owner of that nonce', async () => {
    const id = await ask({ walletId: await walletOf() })
    await signPending(ctx)
    await database.db.query("insert into intent_nonces values ('ethereum', $1, 4, $2)", [address, id])
    await wantAnother(id, { nonce: 4n })
    await signPending(ctx)
    expect(await signedNumbers(id)).toEqual([0])
    // The earlier attempt stays as it is.
    expect(await statusOf(id)).toEqual(['signed', null, null])
  })

  test('that replaces one that was given up is signed once, not twice', async () => {
    const id = await ask({ walletId: await walletOf() })
    await signPending(ctx)
    for (const nonce of [4n, 5n]) {
      await database.db.query(
        'update intent_attempts set void_at = now(), bytes = null, sends = 1 where intent_id = $1 and signed_at is not null',
        [id],
      )
      await database.db.query("update intents set status = 'created' where id = $1", [id])
      await database.db.query("insert into intent_nonces values ('ethereum', $1, $2, $3)", [
        address,
        nonce.toString(),
        id,
      ])
      await wantAnother(id, { nonce })
      await signPending(ctx)
    }
    expect(await statusOf(id)).toEqual(['failed', 'policy', 'it was signed again before'])
  })

  test('is not signed before one that was given up has expired', async () => {
    const id = await ask({ walletId: await walletOf() })
    await signPending(ctx)
    await database.db.query(
      "update intent_attempts set void_at = now(), bytes = null, sends = 1, expires_at = now() + interval '1 minute' where intent_id = $1",
      [id],
    )
    await database.db.query("update intents set status = 'created' where id = $1", [id])
    await wantAnother(id, { nonce: 3n })
    await signPending(ctx)
    expect(await signedNumbers(id)).toEqual([])
    await database.db.query(
      "update intent_attempts set expires_at = now() - interval '1 second' where expires_at is not null",
    )
    await signPending(ctx)
    expect(await signedNumbers(id)).toEqual([1])
  })
})
