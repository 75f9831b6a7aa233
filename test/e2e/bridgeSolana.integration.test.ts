import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Connection, PublicKey } from '@solana/web3.js'
import { formatUnits } from 'viem'
import type { BridgeView } from '../../src/bridge/presentBridge.ts'
import type { ChainName } from '../../src/chains/registry.ts'
import {
  bridgeIs,
  bridgeWallet,
  mintOn,
  mintOnSolana,
  startBridgeStack,
  supplyOn,
  usdcOn,
} from '../support/bridging.ts'
import { newPayer } from '../support/payers.ts'
import type { Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/** USDC of stored wallets to and from Solana: to the unit, and with the rent of each burn. */

let stack: Stack
let connection: Connection
const chains: ChainName[] = ['base', 'polygon', 'solana']
/** Of mints that Circle makes by itself. */
const owners: string[] = []

beforeAll(async () => {
  stack = await startBridgeStack(chains)
  connection = new Connection(stack.other('solana').rpcUrl, 'confirmed')
}, 180_000)
afterAll(() => stack?.close())

const request = (body: object) => stack.api<BridgeView>('POST', '/bridge/transfer', body)
const forwarding = (chain: ChainName) =>
  chain === 'solana' ? mintOnSolana(stack, () => owners) : mintOn(stack, chain)

describe('USDC of a stored wallet', () => {
  const routes: [ChainName, ChainName][] = [
    ['base', 'solana'],
    ['solana', 'polygon'],
    ['polygon', 'solana'],
    ['solana', 'base'],
  ]
  const amount = 250_000_001n
  const ways = [
    { speed: 'standard', automatic: false, fee: 0n },
    { speed: 'fast', automatic: false, fee: 32_501n },
    { speed: 'standard', automatic: true, fee: 110_000n },
    { speed: 'fast', automatic: true, fee: 142_501n },
  ] as const

  test.each(routes)(
    'arrives from %s on %s in each way: the amount less the fee, to the unit, and no coin is made or lost',
    async (source, destination) => {
      stack.circle.forward = forwarding(destination)
      const supplies = async () =>
        [await supplyOn(stack, source), await supplyOn(stack, destination)] as const
      const wallets: { address: string }[] = []
      for (const _ of ways) wallets.push(await bridgeWallet(stack, source))
      const before = await supplies()
      const sent: {
        id: string
        sourceAddress: string
        destinationAddress: string
        fee: bigint
        speed: string
      }[] = []
      for (const [i, { fee, ...way }] of ways.entries()) {
        const [sourceAddress, destinationAddress] = [wallets[i]?.address ?? '', newPayer(destination).address]
        if (destination === 'solana') owners.push(destinationAddress)
        const wanted = {
          sourceChain: source,
          destinationChain: destination,
          amount: '250.000001',
          sourceAddress,
          destinationAddress,
          ...way,
        }
        const { status, body } = await request(wanted)
        expect({ status, body }).toMatchObject({
          status: 201,
          body: { status: 'pending', amount: '250.000001', sourceTxHash: null, ...way },
        })
        sent.push({ id: body.id, sourceAddress, destinationAddress, fee, speed: way.speed })
      }
      for (const { id, sourceAddress, destinationAddress, fee, speed } of sent) {
        const done = await bridgeIs(stack, id, 'completed')
        const received = formatUnits(amount - fee, 6)
        expect(done).toMatchObject({
          fee: formatUnits(fee, 6),
          amountReceived: received,
          executedSpeed: speed,
          errorMessage: null,
          delay: null,
        })
        expect(await usdcOn(stack, destination, destinationAddress)).toBe(amount - fee)
        expect(await usdcOn(stack, source, sourceAddress)).toBe(1_000_000_000n - amount)
      }
      const after = await supplies()
      const moved = amount * BigInt(ways.length)
      expect([after[0] - before[0], after[1] - before[1]]).toEqual([-moved, moved])
    },
    180_000,
  )
})

describe('the rent of a burn on Solana', () => {
  const lamportsOf = (address: string) => connection.getBalance(new PublicKey(address), 'confirmed')
  const rowOf = async (id: string) => {
    const [row] = await stack.db.query<{
      eventAccount: string
      reclaimAt: Date | null
      reclaimedAt: Date | null
      reclaim: string | null
    }>(
      `select b.event_account as "eventAccount", reclaim_at as "reclaimAt", reclaimed_at as "reclaimedAt", i.tx_id as reclaim
       from bridge_transfers b left join intents i on i.id = b.reclaim_intent_id where b.id = $1`,
      [id],
    )
    if (!row) throw new Error('no such transfer')
    return row
  }

  test('returns to its wallet after five days, less the fee of the wallet', async () => {
    const wallet = await bridgeWallet(stack, 'solana')
    const wanted = {
      sourceChain: 'solana',
      destinationChain: 'base',
      amount: '5',
      sourceAddress: wallet.address,
    }
    const { body } = await request({ ...wanted, destinationAddress: newPayer('base').address })
    await bridgeIs(stack, body.id, 'completed')
    await waitFor('its mint is final', async () => {
      await stack.mine(1, 'base')
      return (await rowOf(body.id)).reclaimAt !== null
    })
    const { eventAccount, reclaimAt } = await rowOf(body.id)
    const days = ((reclaimAt?.getTime() ?? 0) - Date.now()) / 86_400_000
    expect([days > 4.9, days < 5.1]).toEqual([true, true])
    const rent = await lamportsOf(eventAccount)
    expect(rent).toBeGreaterThan(0)
    const before = await lamportsOf(wallet.address)

    // Too early by the clock of the chain, although the row is due.
    await stack.db.query('update bridge_transfers set next_at = now() where id = $1', [body.id])
    await waitFor('its check', async () => (await rowNext(body.id)) > 60_000)
    expect(await rowOf(body.id)).toMatchObject({ reclaimedAt: null, reclaim: null })

    await stack.mineAt(new Date(Date.now() + 5 * 86_400_000 + 60_000), 'solana')
    await stack.mine(6, 'solana')
    await stack.db.query('update bridge_transfers set next_at = now() where id = $1', [body.id])
    await waitFor(
      'the rent has returned',
      async () => {
        await stack.mine(1, 'solana')
        await stack.db.query(
          "update bridge_transfers set next_at = now() where id = $1 and next_at > now() + interval '2 s'",
          [body.id],
        )
        return (await rowOf(body.id)).reclaimedAt !== null
      },
      60_000,
    )
    const [intent] = await stack.db.query<{ fee: string; count: number }>(
      "select sum(fee)::text as fee, count(*)::int as count from intents where purpose = 'bridge-reclaim' and business_id = $1",
      [stack.businessId],
    )
    expect(intent?.count).toBe(1)
    expect(await lamportsOf(eventAccount)).toBe(0)
    expect((await lamportsOf(wallet.address)) - before).toBe(rent - Number(intent?.fee))
  }, 120_000)

  const rowNext = async (id: string) => {
    const [row] = await stack.db.query<{ ms: number }>(
      'select (extract(epoch from next_at - now()) * 1000)::float8 as ms from bridge_transfers where id = $1',
      [id],
    )
    return row?.ms ?? 0
  }
})

describe('a request is refused by name:', () => {
  test('a recipient on Solana that is a token account, a program, a mint, or an address without a key', async () => {
    const wallet = await bridgeWallet(stack, 'base')
    const { usdc } = stack.other('solana')
    const holder = await bridgeWallet(stack, 'solana')
    const [account] = (
      await connection.getTokenAccountsByOwner(new PublicKey(holder.address), { mint: new PublicKey(usdc) })
    ).value
    const [offCurve] = PublicKey.findProgramAddressSync([Buffer.from('no key')], new PublicKey(usdc))
    const refused: [string, string][] = [
      [account?.pubkey.toBase58() ?? '', 'recipient_is_token'],
      ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'recipient_without_key'],
      [usdc, 'recipient_is_token'],
      [offCurve.toBase58(), 'recipient_without_key'],
    ]
    for (const [destinationAddress, error] of refused) {
      const answer = await request({
        sourceChain: 'base',
        destinationChain: 'solana',
        amount: '5',
        sourceAddress: wallet.address,
        destinationAddress,
      })
      expect(answer).toMatchObject({
        status: 422,
        body: { error, fields: [{ field: 'destinationAddress' }] },
      })
    }
  })

  test('a wallet without SOL', async () => {
    const dry = await bridgeWallet(stack, 'solana', '10', '0.001')
    const wanted = {
      sourceChain: 'solana',
      destinationChain: 'base',
      amount: '5',
      sourceAddress: dry.address,
    }
    const answer = await request({ ...wanted, destinationAddress: newPayer('base').address })
    expect(answer).toMatchObject({ status: 422, body: { error: 'insufficient_native_balance' } })
  })
})
