import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { mintIdsOf } from '../../src/bridge/mintIds.ts'
import type { BridgeView } from '../../src/bridge/presentBridge.ts'
import type { ChainName } from '../../src/chains/registry.ts'
import { attest, type MessageField, withField } from '../devnets/attest.ts'
import { rpc } from '../devnets/evm.ts'
import type { CircleMessage } from '../partners/circle.ts'
import {
  bridgeIs,
  bridgeStatus,
  bridgeWallet,
  mintOn,
  startBridgeStack,
  usdcOn,
} from '../support/bridging.ts'
import { signedIn } from '../support/browser.ts'
import { newPayer } from '../support/payers.ts'
import type { Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/** What can happen to a bridge transfer on its way, at Circle and on the chains. */

let stack: Stack
let wallet: { address: string; walletId: string }
const chains: ChainName[] = ['base', 'polygon']
const forwardSeconds = 4

beforeAll(async () => {
  stack = await startBridgeStack(chains, { env: { BRIDGE_FORWARD_SECONDS: String(forwardSeconds) } })
  wallet = await bridgeWallet(stack, 'base', '100000')
}, 180_000)
afterAll(() => stack?.close())
afterEach(() => {
  const { circle } = stack
  Object.assign(circle, {
    mode: 'ok',
    throttled: 0,
    delayReason: null,
    expirationBlock: null,
    staleAnswers: 0,
    forward: null,
    lie: null,
    sign: (message: Hex) => message,
  })
})

const send = (more: object = {}) =>
  stack.api<BridgeView>('POST', '/bridge/transfer', {
    ...{
      sourceChain: 'base',
      destinationChain: 'polygon',
      amount: '20',
      sourceAddress: wallet.address,
      speed: 'fast',
    },
    destinationAddress: newPayer('polygon').address,
    ...more,
  })

async function make(more: object = {}): Promise<string> {
  const { status, body } = await send(more)
  expect({ status, body }).toMatchObject({ status: 201 })
  return body.id
}

const mintsOf = async (id: string): Promise<number> =>
  (await stack.db.query('select 1 from intents where id = any($1::uuid[])', [mintIdsOf(id)])).length

/** Circle is queried at once. */
const askNow = (id: string) =>
  stack.db.query('update bridge_transfers set next_at = now(), tries = 0 where id = $1', [id])

describe('an automatic transfer', () => {
  test('is minted by Circle, for its fee', async () => {
    stack.circle.forward = mintOn(stack, 'polygon')
    const id = await make({ automatic: true })
    const done = await bridgeIs(stack, id, 'completed')
    expect(done).toMatchObject({ automatic: true, fee: '0.1126', amountReceived: '19.8874' })
    expect(await usdcOn(stack, 'polygon', done.destinationAddress)).toBe(19_887_400n)
    expect(await mintsOf(id)).toBe(0)
  }, 120_000)

  test('whose forwardTxHash is of another mint: the chain shows which transaction minted', async () => {
    const other = await bridgeIs(stack, await make(), 'completed')
    let minted: Hex | null = null
    stack.circle.forward = async (message, attestation) => {
      minted = await mintOn(stack, 'polygon')(message, attestation)
      return minted
    }
    stack.circle.lie = (messages) =>
      messages.map((each) => ({ ...each, forwardTxHash: other.destinationTxHash }))
    const id = await make({ automatic: true })
    const done = await bridgeIs(stack, id, 'completed')
    expect([done.destinationTxHash, await mintsOf(id)]).toEqual([minted, 0])
  }, 120_000)

  test('that Circle does not mint in time is minted by the treasury', async () => {
    const id = await make({ automatic: true })
    await bridgeIs(stack, id, 'completed')
    expect(await mintsOf(id)).toBe(1)
  }, 120_000)
})

test('a message that another sender has minted is not minted again', async () => {
  const id = await make()
  // It is signed, and minted at once.
  stack.circle.lie = async (messages) => {
    const [first] = messages
    if (first?.status === 'complete') {
      await mintOn(stack, 'polygon')(first.message, first.attestation as Hex)
      await stack.mine(3, 'polygon')
      stack.circle.lie = null
    }
    return messages
  }
  const done = await bridgeIs(stack, id, 'completed')
  expect(await mintsOf(id)).toBe(0)
  expect(done.destinationTxHash).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await usdcOn(stack, 'polygon', done.destinationAddress)).toBe(20_000_000n - 2600n)
}, 120_000)

test('a message that has expired is signed again, as a standard one', async () => {
  stack.circle.expirationBlock = 1n
  stack.circle.staleAnswers = 2
  const id = await make()
  const done = await bridgeIs(stack, id, 'completed')
  expect(done).toMatchObject({ speed: 'fast', executedSpeed: 'standard' })
  expect(stack.circle.reattested).toHaveLength(1)
}, 120_000)

test('a fast transfer that Circle delays shows why, and completes as a standard one', async () => {
  stack.circle.delayReason = 'insufficient_fee'
  stack.circle.depth.standard = 1000
  const id = await make()
  await bridgeIs(stack, id, 'in_progress')
  await waitFor('the delay', async () => (await bridgeStatus(stack, id)).delay === 'insufficient_fee')
  stack.circle.depth.standard = 2
  await askNow(id)
  expect(await bridgeIs(stack, id, 'completed')).toMatchObject({ executedSpeed: 'standard', delay: null })
}, 120_000)

test('while Circle is away nothing fails, and all complete after it; 429 is waited out', async () => {
  const ids = [await make(), await make()]
  stack.circle.mode = 'down'
  for (const id of ids) await bridgeIs(stack, id, 'in_progress')
  for (const id of ids) await askNow(id)
  await waitFor('questions in vain', async () => {
    const rows = await stack.db.query<{ tries: number }>(
      'select tries from bridge_transfers where id = any($1::uuid[])',
      [ids],
    )
    return rows.every(({ tries }) => tries > 0)
  })
  expect((await send()).status).toBe(503)
  stack.circle.mode = 'ok'
  stack.circle.throttled = 2
  for (const id of ids) await askNow(id)
  for (const id of ids) await bridgeIs(stack, id, 'completed')
}, 120_000)

describe('a lying answer is not used:', () => {
  const field = (name: MessageField, value: Hex | bigint | number) => async (messages: CircleMessage[]) => {
    const [first] = messages
    if (!first?.message || first.message === '0x') return messages
    const message = withField(first.message, name, value)
    return [{ ...first, message, attestation: await attest(message) }]
  }
  const somebody: Hex = `0x${'00'.repeat(12)}${'ab'.repeat(20)}`
  const lies: [string, (messages: CircleMessage[]) => unknown[] | Promise<unknown[]>][] = [
    ['another amount', field('amount', 21_000_000n)],
    ['another recipient', field('mintRecipient', somebody)],
    ['another wallet', field('messageSender', somebody)],
    ['another token', field('burnToken', somebody)],
    ['another source', field('sourceDomain', 0)],
    ['another destination', field('destinationDomain', 3)],
    ['another bridge at the source', field('sender', somebody)],
    ['another bridge at the destination', field('recipient', somebody)],
    ['a caller', field('destinationCaller', somebody)],
    ['a fee above the maximum', field('fee', 19_000_000n)],
    ['another maximum', field('maxFee', 19_000_000n)],
    ['another version', field('version', 0)],
    ['no nonce', field('nonce', 0n)],
    ['less finality than any', field('executed', 500)],
    ['two messages', (messages) => [...messages, ...messages]],
    [
      'a message that is cut',
      (messages) => messages.map((each) => ({ ...each, message: each.message.slice(0, 400) })),
    ],
  ]
  let id: string
  beforeAll(async () => {
    stack.circle.depth.fast = 1000
    id = await make()
    await bridgeIs(stack, id, 'in_progress')
    stack.circle.depth.fast = 1
  }, 60_000)

  test.each(lies)('%s', async (_what, lie) => {
    stack.circle.lie = lie
    await stack.db.query(
      'update bridge_transfers set delay = null, next_at = now(), tries = 0 where id = $1',
      [id],
    )
    await waitFor('the refusal', async () => (await bridgeStatus(stack, id)).delay === 'unexpected_message')
    const rows = await stack.db.query(
      'select message, attestation, fee, mint_intent_id as "mintIntentId" from bridge_transfers where id = $1',
      [id],
    )
    expect(rows).toEqual([{ message: null, attestation: null, fee: null, mintIntentId: null }])
  })

  test('a forged signature: the contract refuses it, and nothing is sent', async () => {
    stack.circle.lie = (messages) =>
      messages.map((each) => ({ ...each, attestation: `0x${'11'.repeat(130)}` }))
    await askNow(id)
    await waitFor('the refusal', async () => (await bridgeStatus(stack, id)).delay === 'mint_refused')
    expect(await mintsOf(id)).toBe(0)
    // Until the next false answer.
    await stack.db.query("update bridge_transfers set next_at = now() + interval '1 hour' where id = $1", [
      id,
    ])
  })

  test('a message that was used, and is of another burn: it is dropped, and nothing completes', async () => {
    const other = await make()
    await bridgeIs(stack, other, 'completed')
    const [used] = await stack.db.query<{ nonce: Hex }>('select nonce from bridge_transfers where id = $1', [
      other,
    ])
    // Its nonce is free in our rows, but used on the chain.
    await stack.db.query('update bridge_transfers set nonce = null where id = $1', [other])
    stack.circle.lie = async (messages) => {
      const [first] = messages
      if (!first) return messages
      const message = withField(first.message, 'nonce', used?.nonce ?? '0x')
      // The body is that of our burn; the one that was minted went to another recipient.
      return [{ ...first, message, attestation: `0x${'11'.repeat(130)}` }]
    }
    await stack.db.query(
      'update bridge_transfers set delay = null, next_at = now(), tries = 0 where id = $1',
      [id],
    )
    await waitFor('the refusal', async () => (await bridgeStatus(stack, id)).delay === 'unexpected_message')
    expect(await bridgeStatus(stack, id)).toMatchObject({ status: 'in_progress', destinationTxHash: null })
    const rows = await stack.db.query(
      'select message, attestation, nonce from bridge_transfers where id = $1',
      [id],
    )
    expect(rows).toEqual([{ message: null, attestation: null, nonce: null }])
  }, 60_000)

  test('a text of Circle that is not a transaction', async () => {
    stack.circle.lie = (messages) => messages.map((each) => ({ ...each, forwardTxHash: 'not a hash' }))
    await askNow(id)
    await bridgeIs(stack, id, 'completed')
    const rows = await stack.db.query(
      'select forward_tx_id as "forwardTxId" from bridge_transfers where id = $1',
      [id],
    )
    expect(rows).toEqual([{ forwardTxId: null }])
  }, 60_000)

  test('and the truth completes the transfer', async () => {
    const done = await bridgeIs(stack, id, 'completed')
    expect(await usdcOn(stack, 'polygon', done.destinationAddress)).toBe(20_000_000n - 2600n)
  }, 60_000)
})

test('of two equal burns with one message, one waits for its own', async () => {
  const recipient = newPayer('polygon').address
  let first: CircleMessage | undefined
  stack.circle.lie = (messages) => {
    if (messages[0]?.status !== 'complete') return messages
    first ??= messages[0]
    return [first]
  }
  const ids = [await make({ destinationAddress: recipient }), await make({ destinationAddress: recipient })]
  const statuses = () => Promise.all(ids.map((id) => bridgeStatus(stack, id)))
  await waitFor('one is refused', async () => {
    for (const chain of chains) await stack.mine(1, chain)
    return (await statuses()).some(({ delay }) => delay === 'unexpected_message')
  })
  await waitFor('the other one is minted', async () => {
    for (const chain of chains) await stack.mine(1, chain)
    return (await statuses()).some(({ status }) => status === 'completed')
  })
  expect(await usdcOn(stack, 'polygon', recipient)).toBe(20_000_000n - 2600n)
  stack.circle.lie = null
  for (const id of ids) await askNow(id)
  for (const id of ids) await bridgeIs(stack, id, 'completed')
  expect(await usdcOn(stack, 'polygon', recipient)).toBe(2n * (20_000_000n - 2600n))
}, 120_000)

test('a treasury without gas mints once it has some: what was not signed does not count', async () => {
  const [row] = await stack.db.query<{ address: Hex }>(
    "select address from treasury_addresses where family = 'evm'",
  )
  const { rpcUrl } = stack.devnets.get('polygon') ?? { rpcUrl: '' }
  const balance = await stack.client('polygon').getBalance({ address: row?.address ?? '0x' })
  await rpc(rpcUrl, 'anvil_setBalance', [row?.address, '0x1'])
  const id = await make()
  await waitFor('the shortage', async () => {
    for (const chain of chains) await stack.mine(1, chain)
    return (await bridgeStatus(stack, id)).delay === 'treasury_gas_low'
  })
  // More than five, without the pauses.
  await waitFor('more mints than may be signed', async () => {
    await stack.db.query(
      'update bridge_transfers set next_at = now() where id = $1 and mint_intent_id is null',
      [id],
    )
    return (await mintsOf(id)) > 5
  })
  await rpc(rpcUrl, 'anvil_setBalance', [row?.address, `0x${balance.toString(16)}`])
  await stack.db.query('update bridge_transfers set next_at = now() where id = $1', [id])
  expect(await bridgeIs(stack, id, 'completed')).toMatchObject({ delay: null })
}, 120_000)

describe('what binds sends of a stored wallet', () => {
  let bound: { address: string; walletId: string }
  const limit = async (of: object) => {
    const { amounts = null, destinations = null } = of as { amounts?: object; destinations?: object }
    await stack.db.query(
      `insert into send_limits (subject, subject_id, business_id, amounts, destinations) values ('wallet', $1, $2, $3, $4)
       on conflict (subject, subject_id) do update set amounts = excluded.amounts, destinations = excluded.destinations`,
      [
        bound.walletId,
        stack.businessId,
        amounts && JSON.stringify(amounts),
        destinations && JSON.stringify(destinations),
      ],
    )
  }
  const usdc = { chain: 'base', token: 'usdc', perTransfer: null, perDay: null, approvalAbove: null }
  beforeAll(async () => {
    bound = await bridgeWallet(stack, 'base')
  }, 60_000)

  test('a limit of a transfer and of a day: bridged amounts count for transfers, too', async () => {
    await limit({ amounts: [{ ...usdc, perTransfer: '30', perDay: '50' }] })
    const refused = await send({ sourceAddress: bound.address, amount: '31' })
    expect(refused).toMatchObject({
      status: 403,
      body: { error: 'limit_exceeded', fields: [{ field: 'amount' }] },
    })
    await make({ sourceAddress: bound.address, amount: '30' })
    const again = await send({ sourceAddress: bound.address, amount: '20.000001' })
    expect(again).toMatchObject({
      status: 403,
      body: { error: 'limit_exceeded', fields: [{ field: 'amount' }] },
    })
    const transfer = { toAddress: newPayer('base').address, token: 'usdc', amount: '20.000001' }
    const sent = await stack.api('POST', `/crypto/wallets/${bound.walletId}/transfers`, transfer)
    expect(sent).toMatchObject({ status: 403, body: { error: 'limit_exceeded' } })
    expect((await send({ sourceAddress: bound.address, amount: '20' })).status).toBe(201)
  })

  test('a list of destinations', async () => {
    const listed = newPayer('polygon').address
    await limit({ destinations: [{ chain: 'polygon', address: listed.toLowerCase() }] })
    const refused = await send({ sourceAddress: bound.address })
    expect(refused).toMatchObject({
      status: 403,
      body: { error: 'limit_exceeded', fields: [{ field: 'destinationAddress' }] },
    })
    expect((await send({ sourceAddress: bound.address, destinationAddress: listed })).status).toBe(201)
  })

  test('a second owner’s approval: nothing is signed before it, and nothing after a refusal', async () => {
    await limit({ amounts: [{ ...usdc, approvalAbove: '5' }] })
    const [approved, refused] = [
      await make({ sourceAddress: bound.address }),
      await make({ sourceAddress: bound.address }),
    ]
    expect((await bridgeStatus(stack, approved)).delay).toBe('awaiting_approval')
    const owner = await signedIn(stack)
    const path = `/businesses/${stack.businessId}/approvals`
    const { body } = await owner.ask<{ approvals: { id: string; bridge: { id: string } }[] }>(
      'GET',
      `${path}?waiting=true`,
    )
    const approvalOf = (id: string) => body.approvals.find(({ bridge }) => bridge?.id === id)?.id
    for (let i = 0; i < 5; i++) for (const chain of chains) await stack.mine(1, chain)
    const attempts =
      'select 1 from intent_attempts where intent_id in (select id from bridge_transfers where id = any($1) union select approval_intent_id from bridge_transfers where id = any($1))'
    expect(await stack.db.query(attempts, [[approved, refused]])).toEqual([])
    expect(
      (await owner.ask('PUT', `${path}/${approvalOf(refused)}/decision`, { decision: 'refused' })).status,
    ).toBe(200)
    expect(
      (await owner.ask('PUT', `${path}/${approvalOf(approved)}/decision`, { decision: 'approved' })).status,
    ).toBe(200)
    expect(await bridgeIs(stack, refused, 'failed')).toMatchObject({
      errorMessage: 'An owner has refused it',
      sourceTxHash: null,
    })
    expect((await bridgeStatus(stack, approved)).delay).toBeNull()
    await bridgeIs(stack, approved, 'completed')
    expect(await stack.db.query(attempts, [[refused]])).toEqual([])
  }, 120_000)
})
