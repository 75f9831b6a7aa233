import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { burnMessage } from '../../test/support/burnMessage.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { defaultSettings } from '../../test/support/defaultSettings.ts'
import { proofs, provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { makeWallet } from '../../test/support/waitingTransfer.ts'
import { bridgeActions } from '../chains/bridgeActions.ts'
import type { BridgeActions } from '../chains/bridging.ts'
import type { MessageHex } from '../chains/cctpMessage.ts'
import { registeredChain } from '../chains/registry.ts'
import { newId } from '../platform/ids.ts'
import { actionText } from '../txmgr/actionJson.ts'
import { type Intent, insertIntent, readIntents, type TreasuryFacts } from '../txmgr/intents.ts'
import { bridgeMessage } from './bridgeProof.ts'
import type { BridgeRequest } from './bridgeRow.ts'
import { callsOf, usdcOf } from './burnOf.ts'
import { burnAction, refusalOfBurn } from './burnPolicy.ts'
import { bridge } from './capability.ts'
import { mintIdsOf } from './mintIds.ts'
import { mintAction, refusalOfMint } from './mintPolicy.ts'
import { storeBridge } from './storeBridge.ts'

/** The treasury's policy of the bridge, by rows that other processes could forge. */

let database: TestDatabase
const businessId = newId()
let walletId: string
const [from, to, treasury] = [`0x${'cd'.repeat(20)}`, `0x${'ef'.repeat(20)}`, `0x${'77'.repeat(20)}`]
const addresses = { treasury: () => treasury, deposit: () => '', staking: () => '' }
const ownOf = (name: string): TreasuryFacts => ({
  addresses,
  proofs,
  settings: defaultSettings,
  chain: registeredChain(name),
})
const [source, destination] = [ownOf('ethereum'), ownOf('base')]
let actions: { ethereum: BridgeActions; base: BridgeActions }

beforeAll(async () => {
  database = await createTestDatabase()
  await insertBusiness(database.db, businessId, 'sender')
  walletId = await makeWallet(database.db, businessId)
  const [ethereum, base] = await Promise.all(
    ['ethereum', 'base'].map((name) => bridgeActions(registeredChain(name))),
  )
  if (!ethereum || !base) throw new Error('both chains have a bridge')
  actions = { ethereum, base }
})
afterAll(() => database?.drop())

function requestOf(more: Partial<BridgeRequest> = {}): BridgeRequest {
  const [ethereum, base] = [registeredChain('ethereum'), registeredChain('base')]
  return {
    id: newId(),
    ...{ businessId, walletId, sourceChain: 'ethereum', destinationChain: 'base', amount: 250_000_001n },
    ...{ sourceAddress: from, destinationAddress: to, automatic: false, speed: 'fast', maxFee: 39_002n },
    ...{
      sourceDomain: 0,
      destinationDomain: 6,
      hook: '0x',
      needsApproval: false,
      approvalIntentId: newId(),
      eventAccount: null,
      createdAt: new Date(),
    },
    sourceMessenger: actions.ethereum.wordOf(ethereum.cctp?.tokenMessenger ?? ''),
    destinationMessenger: actions.base.wordOf(base.cctp?.tokenMessenger ?? ''),
    burnToken: actions.ethereum.wordOf(usdcOf(ethereum)?.contract ?? ''),
    sourceWord: actions.ethereum.wordOf(from),
    mintRecipient: actions.base.wordOf(to),
    ...more,
  }
}

/** A stored transfer with its intents, all proven. */
async function made(more: Partial<BridgeRequest> = {}) {
  const request = requestOf(more)
  const token = usdcOf(registeredChain('ethereum'))
  if (!token) throw new Error('ethereum has USDC')
  const calls = callsOf(actions.ethereum, request, token)
  const nothing = { symbol: null, decimals: null } as const
  await database.db.tx(async (tx) => {
    const ofWallet = { businessId, chain: 'ethereum', signer: 'wallet', walletId, ...nothing } as const
    const ctx = { purposes: bridge.intents ?? [] }
    const burn = {
      ...ofWallet,
      id: request.id,
      purpose: 'bridge-burn',
      action: calls.burn,
      needsApproval: request.needsApproval,
    } as const
    await insertIntent(ctx, tx, burn, 60_000, provers.api)
    if (calls.approval && request.approvalIntentId)
      await insertIntent(
        ctx,
        tx,
        { ...ofWallet, id: request.approvalIntentId, purpose: 'bridge-approval', action: calls.approval },
        60_000,
        provers.api,
      )
    await storeBridge(
      tx,
      { ...request, proof: provers.api.prove(bridgeMessage(request)) },
      { apiKeyId: null, accountId: null },
    )
  })
  return request
}

/** Its message is signed, and its mint is stored. */
async function attested(
  request: BridgeRequest,
  { message = burnMessage(request), id = mintIdsOf(request.id)[0] ?? '', isBurnt = true } = {},
) {
  const attestation: MessageHex = `0x${'11'.repeat(130)}`
  const action = actions.base.mint(treasury, { message, attestation })
  await database.db.query(
    'update bridge_transfers set message = $2, attestation = $3, mint_intent_id = $4 where id = $1',
    [...[request.id, message, attestation, id]],
  )
  if (isBurnt)
    await database.db.query(
      "insert into treasury_signatures (intent_id, chain, tx_id, nonce, max_fee) values ($1, 'ethereum', $2, 1, 1)",
      [request.id, `0x${request.id.replaceAll('-', '').padEnd(64, '0')}`],
    )
  const wanted = {
    id,
    businessId: null,
    purpose: 'bridge-mint',
    chain: 'base',
    signer: 'treasury',
    walletId: null,
    action,
  } as const
  await database.db.tx((tx) =>
    insertIntent(
      { purposes: bridge.intents ?? [] },
      tx,
      { ...wanted, symbol: null, decimals: null },
      60_000,
      provers.worker,
    ),
  )
  return id
}

/** @param more columns of the intent's row that differ */
async function judged(id: string, own: TreasuryFacts, more: Partial<Intent> = {}): Promise<string | null> {
  return database.db.tx(async (tx) => {
    const [found] = await readIntents(tx, 'id = $1', [id])
    if (!found) throw new Error('no such intent')
    const row = { ...found, ...more }
    const isMint = row.purpose === 'bridge-mint'
    const refusal = await (isMint ? refusalOfMint : refusalOfBurn)(tx, row, own)
    if (refusal !== null) return refusal
    const action = await (isMint ? mintAction : burnAction)(tx, row, own)
    return action !== null && actionText(action) === actionText(row.action)
      ? null
      : 'it is not what its purpose sends'
  })
}

const change = (id: string, set: string, table: 'bridge_transfers' | 'intents' = 'bridge_transfers') =>
  database.db.query(`update ${table} set ${set} where id = $1`, [id])

let request: BridgeRequest
beforeEach(async () => {
  request = await made()
})

test('the treasury works out the allowance, the burn and the mint of a proven transfer, byte for byte', async () => {
  expect(await judged(request.id, source)).toBeNull()
  expect(await judged(request.approvalIntentId ?? '', source)).toBeNull()
  expect(await judged(await attested(request), destination)).toBeNull()
})

describe('a forged transfer is refused:', () => {
  const unproven = 'its bridge transfer has no valid proof of the API'
  test.each([
    ['more', 'amount = amount + 1'],
    ['to another recipient', `mint_recipient = '0x${'00'.repeat(12)}${'ab'.repeat(20)}'`],
    ['at another maximum fee', 'max_fee = amount - 1'],
    ['to another chain', "destination_domain = 3, destination_chain = 'arbitrum'"],
    ['by another bridge', `source_messenger = '0x${'00'.repeat(12)}${'ab'.repeat(20)}'`],
    ['of another token', `burn_token = '0x${'00'.repeat(12)}${'ab'.repeat(20)}'`],
    ['with a hook', "hook = '0xbeef'"],
    ['at another speed', "speed = 'standard'"],
    ['without an approval that it needs', 'needs_approval = not needs_approval'],
    ['of another time', "created_at = created_at - interval '1 second'"],
    ['without a proof', "proof = ''"],
  ])('%s', async (_what, set) => {
    const mint = await attested(request)
    await change(request.id, set)
    expect(await judged(request.id, source)).toBe(unproven)
    expect(await judged(request.approvalIntentId ?? '', source)).toBe(unproven)
    expect(await judged(mint, destination)).toBe(unproven)
  })
})

describe('an intent is refused', () => {
  const forged = async (more: Partial<Intent> & { action: Intent['action'] }) => {
    const id = newId()
    const wanted = {
      businessId,
      purpose: 'bridge-burn',
      chain: 'ethereum',
      signer: 'wallet',
      walletId,
      symbol: null,
      decimals: null,
    } as const
    await database.db.tx((tx) =>
      insertIntent(
        { purposes: bridge.intents ?? [] },
        tx,
        { ...wanted, ...more, id } as never,
        60_000,
        provers.api,
      ),
    )
    return id
  }
  const burnNow = () => {
    const token = usdcOf(registeredChain('ethereum'))
    if (!token) throw new Error('ethereum has USDC')
    return callsOf(actions.ethereum, request, token).burn
  }

  test('of no transfer, or with another id than its transfer: it burns once', async () => {
    const again = await forged({ action: burnNow() })
    expect(await judged(again, source)).toBe('it belongs to no bridge transfer')
    await change(request.id, `approval_intent_id = '${again}'`)
    expect(await judged(again, source)).toBe('it belongs to no bridge transfer')
  })

  test('of other calls than its transfer', async () => {
    await change(
      request.id,
      "calls = jsonb_set(calls, '{0,to}', '\"0xabababababababababababababababababababab\"')",
      'intents',
    )
    expect(await judged(request.id, source)).toBe('it is not what its purpose sends')
  })

  test('of another wallet or business, or another chain', async () => {
    const other = await makeWalletOf()
    await change(request.id, `wallet_id = '${other}'`, 'intents')
    expect(await judged(request.id, source)).toBe('its bridge transfer is of another wallet')
    const stolen = await made()
    expect(await judged(stolen.id, source, { businessId: newId() })).toBe(
      'its bridge transfer is of another wallet',
    )
    const elsewhere = await made()
    await change(elsewhere.id, "chain = 'base'", 'intents')
    expect(await judged(elsewhere.id, destination)).toBe('its bridge transfer begins on another chain')
  })

  test('where the treasury has another bridge of the chain', async () => {
    const chain = registeredChain('ethereum')
    const cctp = chain.cctp && { ...chain.cctp, tokenMessenger: to }
    expect(await judged(request.id, { ...source, chain: { ...chain, ...(cctp && { cctp }) } })).toBe(
      'its bridge is not that of the chain',
    )
  })

  test('that needs another approval than its transfer', async () => {
    expect(await judged(request.id, source, { needsApproval: true })).toBe(
      'it needs another approval than its bridge transfer',
    )
  })

  test('of a transfer that has failed, or that no second owner has approved', async () => {
    await change(request.id, "status = 'failed', error_message = 'too little'")
    expect(await judged(request.id, source)).toBe('its bridge transfer has failed')
    const waiting = await made({ needsApproval: true })
    const unapproved = 'its approval has no valid proof of the API'
    expect(await judged(waiting.id, source)).toBe(unapproved)
    expect(await judged(waiting.approvalIntentId ?? '', source)).toBe(unapproved)
  })

  const makeWalletOf = async () => {
    const id = newId()
    await database.db.query(
      `insert into wallets (id, business_id, chain, address, public_key, source, key_id, sealed)
       select $1, business_id, chain, $2, public_key, source, key_id, sealed from wallets where id = $3`,
      [id, treasury, walletId],
    )
    return id
  }
})

describe('a mint is refused', () => {
  test('of a business, of no transfer, on another chain, or by another bridge', async () => {
    const id = await attested(request)
    expect(await judged(id, destination, { businessId })).toBe('it is not of the platform')
    expect(await judged(id, source, { chain: 'ethereum' })).toBe('its bridge transfer ends on another chain')
    const chain = registeredChain('base')
    const cctp = chain.cctp && { ...chain.cctp, tokenMessenger: to }
    expect(await judged(id, { ...destination, chain: { ...chain, ...(cctp && { cctp }) } })).toBe(
      'its bridge is not that of the chain',
    )
    await change(request.id, 'mint_intent_id = null')
    expect(await judged(id, destination)).toBe('it belongs to no bridge transfer')
  })
  test('whose burn the treasury has not signed', async () => {
    expect(await judged(await attested(request, { isBurnt: false }), destination)).toBe(
      'its burn was not signed here',
    )
  })
  test('to another recipient than that of its address', async () => {
    const elsewhere = await made({ mintRecipient: actions.base.wordOf(from) })
    expect(await judged(await attested(elsewhere), destination)).toBe(
      'its recipient is not that of its address',
    )
  })
  test('with the message of another burn, or none', async () => {
    const other = await attested(request, { message: burnMessage(request, { amount: 1n }) })
    expect(await judged(other, destination)).toBe('its message is of another burn (amount)')
    await change(request.id, "message = '0x'")
    expect(await judged(other, destination)).toBe('its bridge transfer has no message')
  })
  test('with another id than those of its transfer', async () => {
    expect(await judged(await attested(request, { id: newId() }), destination)).toBe(
      'it was minted too often',
    )
  })
  test('after five that were signed: those that were not, and those of another day, do not count', async () => {
    const [ids, mint] = [
      mintIdsOf(request.id),
      await attested(request, { id: mintIdsOf(request.id)[20] ?? '' }),
    ]
    const sign = (id: string, hoursAgo = 0) =>
      database.db.query(
        "insert into treasury_signatures (intent_id, chain, tx_id, nonce, max_fee, signed_at) values ($1, 'base', $2, 1, 1, now() - $3 * interval '1 hour')",
        [id, id, hoursAgo],
      )
    await sign(ids[5] ?? '', 25)
    for (const id of ids.slice(0, 4)) await sign(id)
    expect(await judged(mint, destination)).toBeNull()
    // Its own signature does not count: a higher fee is another one.
    await sign(mint)
    expect(await judged(mint, destination)).toBeNull()
    await sign(ids[4] ?? '')
    expect(await judged(mint, destination)).toBe('it was minted too often')
  })
  test('of other bytes than those that are stored', async () => {
    const id = await attested(request)
    await change(request.id, `attestation = '0x${'22'.repeat(130)}'`)
    expect(await judged(id, destination)).toBe('it is not what its purpose sends')
  })
})
