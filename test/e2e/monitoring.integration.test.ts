import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import { Keypair as SolanaKeypair } from '@solana/web3.js'
import { Keypair as StellarKeypair } from '@stellar/stellar-sdk'
import { TronWeb } from 'tronweb'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { ChainName } from '../../src/chains/registry.ts'
import { sendSol } from '../devnets/customers/solana.ts'
import { payOnStellar } from '../devnets/customers/stellar.ts'
import { sendTrx } from '../devnets/customers/tron.ts'
import { rpc } from '../devnets/evm.ts'
import { type OtherChainName, otherChainNames } from '../support/otherDevnets.ts'
import { contractOf, fund, newPayer } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

let stack: Stack
beforeAll(async () => {
  stack = await createStack({ chains: ['ethereum', ...otherChainNames], confirmations: 3 })
  await stack.mine(1)
  await stack.caughtUp()
})
afterAll(() => stack?.close())

const newAddress = () => privateKeyToAddress(generatePrivateKey())
const unit = 1_000_000n

interface ReportedHeights {
  type: string
  data: Record<string, unknown> & {
    monitoredAddressId: string
    txId: string
    direction: string
    symbol: string
    amount: string
    metadata: unknown
  }
}

async function monitor(
  address: string,
  more: object = {},
): Promise<{ status: number; id: string; fromBlock: number; importId?: string }> {
  const { status, body } = await stack.api<{ id: string; fromBlock: number; importId?: string }>(
    'POST',
    '/monitoring/addresses',
    {
      chain: 'ethereum',
      address,
      ...more,
    },
  )
  if (status !== 200 && status !== 201) throw new Error(JSON.stringify(body))
  return { ...body, status }
}

const reported = (id: string): Promise<ReportedHeights[]> =>
  stack.db.query<ReportedHeights>(
    "select type, data from events where data->>'monitoredAddressId' = $1 order by sequence",
    [id],
  )
const brief = async (id: string) =>
  (await reported(id)).map(({ type, data }) =>
    [type.replace('transaction.', ''), data.direction, data.symbol, data.amount].join(' '),
  )
const isReported = (id: string, ...lines: string[]) =>
  waitFor(`that ${lines.join(', ')}`, async () => {
    const all = await brief(id)
    return lines.every((line) => all.includes(line))
  })
/** Webhooks about an address, in order. */
const received = (id: string) => stack.receiver.received.filter(({ data }) => data.monitoredAddressId === id)

describe('a monitored address', () => {
  test('reports incoming and outgoing transfers, token and coin, from the next block on, to their confirmation', async () => {
    const [address, faucet] = [newAddress(), stack.wallet().account.address]
    const [to, from] = [
      await monitor(address, { metadata: { orderId: 'A-1042' } }),
      await monitor(faucet, { tokens: 'all' }),
    ]
    await stack.send(address, 25n * (unit / 10n))
    await stack.sendNative(address, 10n ** 18n)
    await stack.send(faucet, unit)
    await stack.mine(3)
    const lines = ['in USDC 2.5', 'in ETH 1']
    await isReported(to.id, ...lines.flatMap((line) => [`detected ${line}`, `confirmed ${line}`]))
    await isReported(from.id, 'confirmed out USDC 2.5', 'confirmed out ETH 1', 'confirmed self USDC 1')
    expect(await brief(to.id)).toHaveLength(4)
    const [first] = await reported(to.id)
    expect(first?.data).toMatchObject({
      chain: 'ethereum',
      address,
      to: address,
      from: faucet,
      metadata: { orderId: 'A-1042' },
      requiredConfirmations: 3,
    })
    await waitFor('the webhooks', async () => received(to.id).length === 4)
    // The look-alike is reported only where all tokens are monitored, under its own symbol.
    await stack.send(address, 7n * unit, { token: stack.devnet.fakeUsdc })
    await stack.send(address, 3n * unit)
    await stack.mine()
    await isReported(to.id, 'detected in USDC 3')
    await isReported(from.id, 'detected out USDC 3', 'detected out USDC 7')
    expect(await brief(to.id)).not.toContain('detected in USDC 7')
    const fake = (await reported(from.id)).find(({ data }) => data.amount === '7')
    expect(String(fake?.data.contract).toLowerCase()).toBe(stack.devnet.fakeUsdc.toLowerCase())
  })

  test('added twice has one entry, and after removal reports nothing', async () => {
    const [monitored, removed] = [newAddress(), newAddress()]
    const [one, other] = [await monitor(monitored), await monitor(removed)]
    expect(await monitor(monitored.toLowerCase())).toEqual({ ...one, status: 200 })
    expect(
      await stack.api('POST', '/monitoring/addresses/remove', { chain: 'ethereum', address: removed }),
    ).toMatchObject({
      status: 200,
      body: { success: true },
    })
    for (const address of [monitored, removed]) await stack.send(address, unit)
    await stack.mine()
    await isReported(one.id, 'detected in USDC 1')
    expect(await brief(one.id)).toEqual(['detected in USDC 1'])
    expect(await brief(other.id)).toEqual([])
  })

  test('reports a transfer that a fork reverts, and again when it returns', async () => {
    const address = newAddress()
    const { id } = await monitor(address)
    await stack.mine()
    const hash = await stack.send(address, 4n * unit)
    await stack.mine()
    await isReported(id, 'detected in USDC 4')
    const raw = String(await rpc(stack.devnet.rpcUrl, 'eth_getRawTransactionByHash', [hash])) as Hex
    await rpc(stack.devnet.rpcUrl, 'anvil_reorg', [1, []])
    await isReported(id, 'reverted in USDC 4')
    await rpc(stack.devnet.rpcUrl, 'eth_sendRawTransaction', [raw])
    await stack.mine(3)
    await isReported(id, 'confirmed in USDC 4')
    expect(await brief(id)).toEqual([
      'detected in USDC 4',
      'reverted in USDC 4',
      'detected in USDC 4',
      'confirmed in USDC 4',
    ])
    expect(new Set((await reported(id)).map(({ data }) => data.txId))).toEqual(new Set([hash]))
    await waitFor('a webhook', async () => received(id).length > 0)
  })

  test('from an earlier block reports everything since then', async () => {
    const address = newAddress()
    await stack.send(address, unit)
    await stack.mine()
    const first = (await stack.height()) + 1
    await stack.send(address, 2n * unit)
    await stack.mine(4)
    await stack.caughtUp()
    const { id, importId, fromBlock } = await monitor(address, { fromBlock: first })
    expect(fromBlock).toBe(first)
    await waitFor(
      'the import',
      async () => (await stack.api('GET', `/monitoring/imports/${importId}`)).body.status === 'completed',
    )
    await isReported(id, 'confirmed in USDC 2')
    expect(await brief(id)).toEqual(['detected in USDC 2', 'confirmed in USDC 2'])
  })

  test('has an opening balance: from it and what is reported since, its balance follows', async () => {
    const address = newAddress()
    await rpc(stack.devnet.rpcUrl, 'anvil_setBalance', [address, '0x14d1120d7b160000'])
    await stack.send(address, 7n * unit)
    await stack.mine()
    const first = (await stack.height()) + 1
    await stack.send(address, 2n * unit)
    await stack.mine(4)
    await stack.caughtUp()
    const { id } = await monitor(address, { fromBlock: first })
    await isReported(id, 'confirmed in USDC 2')
    const opening = (
      await stack.api<{ tokens: { symbol: string }[] }>('GET', `/monitoring/addresses/${id}/opening-balance`)
    ).body
    expect(opening).toMatchObject({
      block: first - 1,
      native: { symbol: 'ETH', decimals: 18, balance: '1.5', baseUnits: '1500000000000000000' },
      reason: null,
    })
    expect(opening.tokens).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ symbol: 'USDC', decimals: 6, balance: '7', baseUnits: '7000000' }),
      ]),
    )
    // 7 before, 2 reported.
    const now = await stack.api<{ balances: object }>('POST', '/crypto/wallets/balance', {
      chain: 'ethereum',
      address,
    })
    expect(now.body.balances).toMatchObject({
      tokens: expect.arrayContaining([expect.objectContaining({ symbol: 'USDC', balance: '9' })]),
    })
  })
})

const coins: Record<OtherChainName, string> = { solana: 'SOL', tron: 'TRX', stellar: 'XLM' }
const faucetOf: Record<OtherChainName, (secret: string) => string> = {
  solana: (secret) => SolanaKeypair.fromSecretKey(base58.decode(secret)).publicKey.toBase58(),
  tron: (secret) => String(TronWeb.address.fromPrivateKey(secret)),
  stellar: (secret) => StellarKeypair.fromSecret(secret).publicKey(),
}
const sendCoin: Record<OtherChainName, (to: string) => Promise<unknown>> = {
  solana: (to) => sendSol(stack.other('solana'), to, 3_000_000_000n),
  tron: (to) => sendTrx(stack.other('tron'), to, 3_000_000),
  stellar: (to) =>
    payOnStellar(stack.other('stellar'), { address: to, token: 'native', amount: '3', decimals: 7 }),
}

test.each([...otherChainNames])(
  'on %s both sides of each transfer are reported, token and coin',
  async (chain) => {
    const token = chain === 'tron' ? 'USDT' : 'USDC'
    const payee = newPayer(chain)
    await fund(stack, payee, { native: '10', [token]: '1' })
    await stack.caughtUp(undefined, chain)
    const on = { chain: chain satisfies ChainName }
    const to = await monitor(payee.address, { ...on, metadata: { of: chain } })
    const from = await monitor(faucetOf[chain](stack.other(chain).faucetPrivateKey), on)
    expect((await stack.api('GET', `/monitoring/addresses/${to.id}/opening-balance`)).body).toEqual({
      block: to.fromBlock - 1,
      native: null,
      tokens: null,
      reason: 'no_history',
    })
    await stack.pay({ chain, address: payee.address as Hex, token, amountExpected: '2.5' })
    await stack.mine(1, chain)
    await sendCoin[chain](payee.address)
    await stack.mine(1, chain)
    await isReported(to.id, `detected in ${token} 2.5`, `detected in ${coins[chain]} 3`)
    await isReported(from.id, `detected out ${token} 2.5`, `detected out ${coins[chain]} 3`)
    const movements = (await reported(to.id)).filter(({ type }) => type === 'transaction.detected')
    expect(movements).toHaveLength(2)
    expect(movements[0]?.data).toMatchObject({
      chain,
      address: payee.address,
      to: payee.address,
      metadata: { of: chain },
    })
    // Two blocks may be reported in either order.
    expect(new Set(movements.map(({ data }) => data.contract))).toEqual(
      new Set([contractOf(stack, chain, token), null]),
    )
    expect((await reported(from.id)).some(({ data }) => data.direction === 'in')).toBe(false)
  },
)
