import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  formatUnits,
  getAddress,
  parseAbi,
  parseUnits,
} from 'viem'
import { coinPlaceholder } from '../../src/swaps/coins.ts'
import { allowanceHolder, evmChainNames } from '../devnets/evm.ts'
import { contentsOf } from '../support/credentialMatrix.ts'
import { fund, newPayer, type Payer } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/** Swaps by the API on the six EVM devnets: balances exact to the unit, and what a failed swap leaves. */

interface Swap extends Record<string, unknown> {
  id: string
  status: string
  success: boolean
  txHash: string
  approvalTxHash: string | null
  fee: string
  error?: string
}

let stack: Stack
beforeAll(async () => {
  stack = await createStack({ chains: [...evmChainNames], processes: ['api', 'worker'] })
}, 180_000)
afterAll(() => stack?.close())
beforeEach(() => {
  Object.assign(stack.zeroX, { mode: 'ok', lie: null, reroute: null })
})

describe.each(evmChainNames)('on %s', (chain) => {
  let payer: Payer
  let recipient: Address
  let usdc: Address
  let decimals: number
  beforeAll(async () => {
    const devnet = stack.devnets.get(chain)
    if (!devnet) throw new Error(`no ${chain}`)
    ;[usdc, decimals] = [getAddress(devnet.usdc), devnet.decimals]
    payer = newPayer(chain)
    recipient = getAddress(newPayer(chain).address)
    await fund(stack, payer, { native: '10', USDC: '1000' })
  })

  const execute = (body: object, headers?: Record<string, string>) =>
    stack.api<Swap>(
      'POST',
      '/crypto/swaps/execute',
      { chain, privateKey: payer.privateKey, ...body },
      headers,
    )
  const held = async (token: string, owner: string): Promise<bigint> => {
    const client = stack.client(chain)
    if (token === 'native') return client.getBalance({ address: getAddress(owner) })
    return client.readContract({
      address: getAddress(token),
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [getAddress(owner)],
    })
  }
  /** Swaps, and waits until it is final. */
  async function swap(body: object): Promise<Swap> {
    const { status, body: made } = await execute(body)
    expect([status, made.error]).toEqual([201, undefined])
    expect(made).toMatchObject({ success: true, status: 'pending', provider: '0x' })
    return waitFor(
      `the swap on ${chain} is final`,
      async () => {
        await stack.mine(2, chain)
        const { body: found } = await stack.api<Swap>('GET', `/crypto/swaps/${made.id}`)
        return found.status === 'pending' ? null : found
      },
      60_000,
    )
  }
  const units = (amount: string) => parseUnits(amount, decimals)

  test('the coin for a token, to another address', async () => {
    const before = await held('native', payer.address)
    const swapped = await swap({ sellToken: 'native', buyToken: usdc, amount: '1', toAddress: recipient })
    expect(swapped).toMatchObject({
      status: 'confirmed',
      buyAmount: '2991',
      toAddress: recipient,
      approvalTxHash: null,
    })
    expect(await held(usdc, recipient)).toBe(units('2991'))
    expect(await held('native', payer.address)).toBe(
      before - parseUnits('1', 18) - parseUnits(swapped.fee, 18),
    )
  })

  test('a token for the coin, to oneself', async () => {
    const [coins, tokens] = [await held('native', payer.address), await held(usdc, payer.address)]
    const swapped = await swap({ sellToken: usdc, buyToken: 'native', amount: '300' })
    expect(swapped).toMatchObject({
      status: 'confirmed',
      buyAmount: '0.0997',
      fromAddress: payer.address,
      toAddress: payer.address,
    })
    expect(swapped.approvalTxHash).toMatch(/^0x/)
    expect(await held('native', payer.address)).toBe(
      coins + parseUnits('0.0997', 18) - parseUnits(swapped.fee, 18),
    )
    expect(await held(usdc, payer.address)).toBe(tokens - units('300'))
  })

  test('a swap whose price has moved reverts with its reason; the next one uses what it left allowed', async () => {
    const devnet = stack.devnets.get(chain)
    const pool = devnet?.pool ?? '0x'
    const move = (bps: bigint) =>
      stack.wallet(chain).sendTransaction({
        to: pool,
        data: encodeFunctionData({ abi: parseAbi(['function setMoved(uint256)']), args: [bps] }),
      })
    const before = await held(usdc, payer.address)
    const { body: made } = await execute({ sellToken: usdc, buyToken: 'native', amount: '30' })
    // Before the swap in the same block: its tip is higher.
    const data = encodeFunctionData({ abi: parseAbi(['function setMoved(uint256)']), args: [100n] })
    await stack
      .wallet(chain)
      .sendTransaction({ to: pool, data, maxPriorityFeePerGas: 10n ** 11n, maxFeePerGas: 10n ** 12n })
    const failed = await waitFor(
      'the swap has failed',
      async () => {
        await stack.mine(2, chain)
        const { body } = await stack.api<Swap>('GET', `/crypto/swaps/${made.id}`)
        return body.status === 'pending' ? null : body
      },
      60_000,
    )
    const message = expect.stringContaining('the price moved by more than the slippage allows')
    expect(failed).toMatchObject({ status: 'failed', reason: 'reverted', message, allowanceLeft: '30' })
    expect(await held(usdc, payer.address)).toBe(before)
    await move(0n)
    await stack.mine(1, chain)
    const next = await swap({ sellToken: usdc, buyToken: 'native', amount: '30', toAddress: recipient })
    expect(next).toMatchObject({ status: 'confirmed', approvalTxHash: null })
    const client = stack.client(chain)
    const args = [getAddress(payer.address), allowanceHolder] as const
    expect(await client.readContract({ address: usdc, abi: erc20Abi, functionName: 'allowance', args })).toBe(
      0n,
    )
    expect(formatUnits(await held('native', recipient), 18)).toBe('0.00997')
  })

  test('a hostile answer is refused: nothing is stored, and nothing is sent', async () => {
    const sent = async () =>
      stack.client(chain).getTransactionCount({ address: getAddress(payer.address), blockTag: 'pending' })
    // The worker still reads what became of the swaps before: their rows may change, but there are no more.
    const stored = async () => {
      const { swaps = '', intents = '', intent_attempts = '' } = await contentsOf(stack)
      return [swaps, intents, intent_attempts].map((rows) => Number.parseInt(rows, 10))
    }
    const [before, nonce] = [await stored(), await sent()]
    expect(before).not.toContain(0)
    stack.zeroX.reroute = (route) => ({ ...route, recipient: newPayer(chain).address })
    const { status, body } = await execute({ sellToken: usdc, buyToken: coinPlaceholder, amount: '30' })
    expect([status, body.error]).toEqual([422, 'unsafe_answer'])
    expect(await stored()).toEqual(before)
    expect(await sent()).toBe(nonce)
  })
})
