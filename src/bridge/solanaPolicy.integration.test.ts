import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { Keypair } from '@solana/web3.js'
import { burnMessage } from '../../test/support/burnMessage.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { defaultSettings } from '../../test/support/defaultSettings.ts'
import { proofs, provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { makeWallet } from '../../test/support/waitingTransfer.ts'
import { bridgeSigner } from '../../treasury/bridgeSigner.ts'
import { refusalOfWallet } from '../../treasury/walletSigner.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { bridgeActions } from '../chains/bridgeActions.ts'
import type { BridgeActions } from '../chains/bridging.ts'
import { registeredChain } from '../chains/registry.ts'
import { openPlatformKeys } from '../custody/platformKeys.ts'
import type { WalletOpener } from '../custody/walletKeys.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { giveUpTransfer } from '../transfers/giveUpTransfer.ts'
import { actionText } from '../txmgr/actionJson.ts'
import { type Intent, insertIntent, readIntents, type TreasuryFacts } from '../txmgr/intents.ts'
import { declareRestored } from '../txmgr/restored.ts'
import { bridgeMessage } from './bridgeProof.ts'
import type { BridgeRequest } from './bridgeRow.ts'
import { callsOf, usdcOf } from './burnOf.ts'
import { burnAction, refusalOfBurn } from './burnPolicy.ts'
import { bridge } from './capability.ts'
import { fillEventAccounts, takeEventAccount } from './eventAccounts.ts'
import { reclaimIdsOf } from './reclaimIds.ts'
import { reclaimAction, refusalOfReclaim } from './reclaimPolicy.ts'
import { storeBridge } from './storeBridge.ts'

/**
 * The treasury's policy of burns on Solana and of the return of their rent, by rows that other processes
 * could forge.
 */

let database: TestDatabase
const businessId = newId()
let walletId: string
const from = Keypair.generate().publicKey.toBase58()
const to = `0x${'ef'.repeat(20)}`
const keys = openPlatformKeys(new Secret(new Uint8Array(64).fill(7)))
const otherSeed = openPlatformKeys(new Secret(new Uint8Array(64).fill(8)))
const own: TreasuryFacts = {
  addresses: keys,
  proofs,
  settings: defaultSettings,
  chain: registeredChain('solana'),
}
const signer = bridgeSigner({} as WalletOpener, keys)
let actions: { solana: BridgeActions; base: BridgeActions }
const ctx = { purposes: bridge.intents ?? [] }

beforeAll(async () => {
  database = await createTestDatabase()
  await insertBusiness(database.db, businessId, 'sender')
  walletId = await makeWallet(database.db, businessId)
  await database.db.query("update wallets set chain = 'solana', address = $2 where id = $1", [walletId, from])
  const [solana, base] = await Promise.all(
    ['solana', 'base'].map((name) => bridgeActions(registeredChain(name))),
  )
  if (!solana || !base) throw new Error('both chains have a bridge')
  actions = { solana, base }
  await fillEventAccounts(database.db, keys)
})
afterAll(() => database?.drop())

const usdc = () => {
  const token = usdcOf(registeredChain('solana'))
  if (!token) throw new Error('solana has USDC')
  return token
}

async function made(more: Partial<BridgeRequest> = {}): Promise<BridgeRequest> {
  const [solana, base] = [registeredChain('solana'), registeredChain('base')]
  const request: BridgeRequest = {
    id: newId(),
    ...{ businessId, walletId, sourceChain: 'solana', destinationChain: 'base', amount: 250_000_001n },
    ...{ sourceAddress: from, destinationAddress: to, automatic: false, speed: 'fast', maxFee: 39_002n },
    ...{
      sourceDomain: 5,
      destinationDomain: 6,
      hook: '0x',
      needsApproval: false,
      approvalIntentId: null,
      createdAt: new Date(),
    },
    sourceMessenger: actions.solana.wordOf(solana.cctp?.tokenMessenger ?? ''),
    destinationMessenger: actions.base.wordOf(base.cctp?.tokenMessenger ?? ''),
    burnToken: actions.solana.wordOf(usdc().contract),
    sourceWord: actions.solana.wordOf(from),
    mintRecipient: actions.base.wordOf(to),
    eventAccount: await database.db.tx((tx) => takeEventAccount(tx)),
    ...more,
  }
  const { burn: action } = callsOf(actions.solana, request, usdc())
  await database.db.tx(async (tx) => {
    const burn = {
      id: request.id,
      businessId,
      purpose: 'bridge-burn',
      chain: 'solana',
      signer: 'bridge',
      walletId,
      action,
    } as const
    await insertIntent(ctx, tx, { ...burn, symbol: null, decimals: null }, 60_000, provers.api)
    await storeBridge(
      tx,
      { ...request, proof: provers.api.prove(bridgeMessage(request)) },
      { apiKeyId: null, accountId: null },
    )
  })
  return request
}

/** Its message is signed, and what returns its rent is stored. @returns the id of that */
async function minted(
  request: BridgeRequest,
  { message = burnMessage(request), id = reclaimIdsOf(request.id)[0] ?? '', isBurnt = true } = {},
) {
  const attestation = `0x${'11'.repeat(130)}` as const
  const action = actions.solana.reclaim?.(from, request.eventAccount ?? '', { message, attestation })
  if (!action) throw new Error('solana reclaims')
  await change(
    request.id,
    `message = '${message}', attestation = '${attestation}', reclaim_intent_id = '${id}'`,
  )
  if (isBurnt) await sign(request.id)
  const wanted = {
    id,
    businessId,
    purpose: 'bridge-reclaim',
    chain: 'solana',
    signer: 'wallet',
    walletId,
    action,
  } as const
  await database.db.tx((tx) =>
    insertIntent(ctx, tx, { ...wanted, symbol: null, decimals: null }, 60_000, provers.worker),
  )
  return id
}

const sign = (id: string) =>
  database.db.query(
    "insert into treasury_signatures (intent_id, chain, tx_id, nonce, max_fee) values ($1, 'solana', $2, null, 1)",
    [id, id],
  )
const change = (id: string, set: string, table: 'bridge_transfers' | 'intents' = 'bridge_transfers') =>
  database.db.query(`update ${table} set ${set} where id = $1`, [id])

/** @param more columns of the intent's row that differ */
const checked = (id: string, more: Partial<Intent> = {}, by = signer): Promise<string | null> =>
  database.db.tx(async (tx) => {
    const [found] = await readIntents(tx, 'id = $1', [id])
    if (!found) throw new Error('no such intent')
    const row = { ...found, ...more }
    const isReclaim = row.purpose === 'bridge-reclaim'
    const refusal =
      (isReclaim ? null : await by.refusal(tx, row)) ??
      (await (isReclaim ? refusalOfReclaim : refusalOfBurn)(tx, row, own))
    if (refusal !== null) return refusal
    const action = await (isReclaim ? reclaimAction : burnAction)(tx, row, own)
    return action !== null && actionText(action) === actionText(row.action)
      ? null
      : 'it is not what its purpose sends'
  })

let request: BridgeRequest
beforeEach(async () => {
  request = await made()
})

test('the treasury works out the burn and the return of its rent, byte for byte', async () => {
  expect(await checked(request.id)).toBeNull()
  expect(await checked(await minted(request))).toBeNull()
})

describe('a burn is refused', () => {
  const foreign = 'its event account is not of this seed'
  test('with an event account of another seed, or of no row', async () => {
    expect(await checked(request.id, {}, bridgeSigner({} as WalletOpener, otherSeed))).toBe(foreign)
    const stranger = await made({ eventAccount: Keypair.generate().publicKey.toBase58() })
    expect(await checked(stranger.id)).toBe(foreign)
  })
  test('with an event account whose row names another id', async () => {
    await database.db.query('update bridge_event_accounts set id = $2 where address = $1', [
      request.eventAccount,
      newId(),
    ])
    expect(await checked(request.id)).toBe(foreign)
  })
  test('with the event account of another transfer', async () => {
    const other = await made()
    await change(request.id, `event_account = null`)
    await change(other.id, `event_account = '${request.eventAccount}'`)
    expect(await checked(other.id)).toBe('its bridge transfer has no valid proof of the API')
    expect(await checked(request.id)).toBe('its bridge transfer has no valid proof of the API')
  })
  test('without a cosigner, or with two', async () => {
    const [row] = await readIntents(database.db, 'id = $1', [request.id])
    if (row?.action.kind !== 'calls') throw new Error('calls')
    const [cosigner = ''] = row.action.cosigners
    expect(await checked(request.id, { action: { ...row.action, cosigners: [] } })).toBe(
      'a wallet signs with 1 other key',
    )
    expect(await checked(request.id, { action: { ...row.action, cosigners: [cosigner, from] } })).toBe(
      'a wallet signs with 1 other key',
    )
  })
  test('to another recipient', async () => {
    await change(request.id, `mint_recipient = '0x${'00'.repeat(12)}${'ab'.repeat(20)}'`)
    expect(await checked(request.id)).toBe('its bridge transfer has no valid proof of the API')
  })

  test('whose calls name the event account of another transfer', async () => {
    const other = await made()
    const { burn: action } = callsOf(actions.solana, { ...request, eventAccount: other.eventAccount }, usdc())
    // Its key would sign: the calls are not those of the transfer.
    expect(await checked(request.id, { action })).toBe('it is not what its purpose sends')
  })
})

test('after a declared restore no event account of the copy is taken, and other ones are made', async () => {
  const freeBefore = await database.db.query<{ address: string }>(
    'select address from bridge_event_accounts where taken_at is null',
  )
  expect(freeBefore.length).toBeGreaterThan(0)
  await database.db.tx((tx) => declareRestored(tx))
  await expect(database.db.tx((tx) => takeEventAccount(tx))).rejects.toThrow(
    'No account for the burn is ready on solana',
  )
  await fillEventAccounts(database.db, keys)
  const taken = await database.db.tx((tx) => takeEventAccount(tx))
  expect(freeBefore.map(({ address }) => address)).not.toContain(taken)
})

test("a held burn ends when the operator gives it up: its key is the platform's", async () => {
  const actor = systemActor('cowry business')
  await database.db.query("update businesses set approval = 'suspended' where id = $1", [businessId])
  const ended = await giveUpTransfer({ ...ctx, db: database.db }, actor, businessId, request.id)
  await database.db.query("update businesses set approval = 'approved' where id = $1", [businessId])
  expect(ended).toMatchObject({ id: request.id, reason: 'given_up' })
})

test('an archived wallet burns no more, and gets the rent of its burns', async () => {
  const id = await minted(request)
  const refusal = (intentId: string, cosigners: number) =>
    database.db.tx(async (tx) => {
      const [row] = await readIntents(tx, 'id = $1', [intentId])
      return row && refusalOfWallet(tx, row, cosigners)
    })
  await database.db.query('update wallets set archived_at = now() where id = $1', [walletId])
  const refusals = [await refusal(request.id, 1), await refusal(id, 0)]
  await database.db.query('update wallets set archived_at = null where id = $1', [walletId])
  expect(refusals).toEqual(['the wallet is archived', null])
})

describe('the return of rent is refused', () => {
  test('of no transfer, of another wallet or business, on another chain', async () => {
    const id = await minted(request)
    expect(await checked(id, { businessId: newId() })).toBe('its bridge transfer is of another wallet')
    expect(await checked(id, { walletId: newId() })).toBe('its bridge transfer is of another wallet')
    expect(await checked(id, { chain: 'base' })).toBe('its bridge transfer begins on another chain')
    await change(request.id, 'reclaim_intent_id = null')
    expect(await checked(id)).toBe('it belongs to no bridge transfer')
  })
  test('of a transfer without a proof, or whose burn the treasury has not signed', async () => {
    expect(await checked(await minted(request, { isBurnt: false }))).toBe('its burn was not signed here')
    await change(request.id, 'amount = amount + 1')
    expect(await checked(reclaimIdsOf(request.id)[0] ?? '')).toBe(
      'its bridge transfer has no valid proof of the API',
    )
  })
  test('by another bridge', async () => {
    const id = await minted(request)
    const { cctp } = own.chain
    const chain = { ...own.chain, ...(cctp && { cctp: { ...cctp, tokenMessenger: from } }) }
    const refusal = await database.db.tx(async (tx) => {
      const [row] = await readIntents(tx, 'id = $1', [id])
      return row && refusalOfReclaim(tx, row, { ...own, chain })
    })
    expect(refusal).toBe('its bridge is not that of the chain')
  })
  test('with the message of another burn, or none', async () => {
    const id = await minted(request, { message: burnMessage(request, { amount: 1n }) })
    expect(await checked(id)).toBe('its message is of another burn (amount)')
    await change(request.id, "message = '0x'")
    expect(await checked(id)).toBe('its bridge transfer has no message')
  })
  test('with another id than those of its transfer, or after five that were signed', async () => {
    expect(await checked(await minted(request, { id: newId() }))).toBe('its rent was reclaimed too often')
    const other = await made()
    const ids = reclaimIdsOf(other.id)
    const id = await minted(other, { id: ids[20] ?? '' })
    for (const each of ids.slice(0, 4)) await sign(each)
    expect(await checked(id)).toBeNull()
    await sign(ids[4] ?? '')
    expect(await checked(id)).toBe('its rent was reclaimed too often')
  })
  test('of another account, or with other bytes than those that are stored', async () => {
    const id = await minted(request)
    await change(
      id,
      "calls = jsonb_set(calls, '{0,accounts,2,address}', '\"11111111111111111111111111111111\"')",
      'intents',
    )
    expect(await checked(id)).toBe('it is not what its purpose sends')
  })
})
