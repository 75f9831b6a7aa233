import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals'
import type { TransferSpec } from '../../src/chains/action.ts'
import type { Outcome, SignedTransaction, Terms } from '../../src/chains/sending.ts'
import { tronAddress } from '../../src/chains/tron/address.ts'
import { tronTransferBuilder } from '../../src/chains/tron/transferBuilder.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { client, funded, type Network, newAccount, pay, payUsdt, trx } from '../devnets/tron/harness.ts'
import { startTronDevnet, type TronDevnet } from '../devnets/tron.ts'
import { openTron } from './tronTransfers.ts'

export type Tron = Awaited<ReturnType<typeof openTron>>

export const builder = tronTransferBuilder()
export const one = 1_000_000n
export const hexOf = (address: string): string => tronAddress.normalise(address) ?? ''

/**
 * A devnet of a suite, solidified three blocks behind the head, and before each test a new payer with 100 TRX
 * and 50 USDT.
 */
export function tronSuite() {
  const suite = {} as {
    devnet: TronDevnet
    network: Network
    tron: Tron
    payer: ReturnType<typeof newAccount>
  }
  beforeAll(async () => {
    const devnet = await startTronDevnet({ blockMs: 0, solidifiedDepth: 3 })
    const network = {
      url: devnet.rpcUrl,
      key: devnet.faucetPrivateKey,
      usdt: devnet.usdt,
      include: () => devnet.control<void>('mine'),
    }
    Object.assign(suite, { devnet, network, tron: await openTron(devnet) })
  })
  afterAll(async () => {
    await suite.tron.close()
    await suite.devnet.stop()
  })
  beforeEach(async () => {
    suite.payer = await funded(suite.network, 100 * trx)
    await payUsdt(suite.network, suite.network.key, suite.payer.address, 50n * one)
  })

  const mine = (count = 1) => suite.devnet.control('mine', { count })
  const usdt = () => ({ contract: hexOf(suite.devnet.usdt), symbol: 'USDT', decimals: 6 })
  /** 5 TRX from the payer to a new address. */
  const intentOf = (more: Partial<TransferSpec> = {}): TransferSpec => ({
    kind: 'transfer',
    from: suite.payer.hex,
    to: newAccount().hex,
    token: null,
    amount: 5n * one,
    memo: null,
    gasPrice: null,
    gasLimit: null,
    ...more,
  })
  const sign = (transfer: TransferSpec, terms: Terms): SignedTransaction =>
    builder.sign(transfer, terms, null, [new Secret(suite.payer.key)])
  /** Plans and signs, without broadcasting. */
  const signed = async (transfer = intentOf()) =>
    sign(transfer, (await suite.tron.sender.plan(transfer)).terms)
  const outcomeOf = ({ txId, expiry }: SignedTransaction, by = suite.tron): Promise<Outcome> =>
    by.sender.outcome(suite.payer.hex, [{ txId, nonce: null, expiry }])

  /** Plans, signs and broadcasts; in no block yet. */
  async function send(transfer: TransferSpec) {
    const plan = await suite.tron.sender.plan(transfer)
    const transaction = sign(transfer, plan.terms)
    expect(await suite.tron.sender.broadcast(transaction)).toEqual({ status: 'accepted', message: null })
    return { plan, transaction }
  }

  /** Also mines a block. */
  async function carryOut(transfer: TransferSpec) {
    const sent = await send(transfer)
    await mine()
    const outcome = await outcomeOf(sent.transaction)
    if (outcome.status !== 'included') throw new Error(`it is ${outcome.status}`)
    return { ...sent, outcome }
  }
  /** Gives the payer's account to two keys, of which both must sign. */
  async function shareKeys(): Promise<void> {
    await pay(suite.network, suite.network.key, suite.payer.address, 200 * trx)
    const tronWeb = client(suite.network.url, suite.payer.key)
    const owner = {
      type: 0,
      permission_name: 'owner',
      threshold: 2,
      keys: [suite.payer, newAccount()].map(({ address }) => ({ address, weight: 1 })),
    }
    const active = {
      ...owner,
      type: 2,
      permission_name: 'active',
      operations: `7fff1fc0033ec30f${'0'.repeat(48)}`,
    }
    const update = await tronWeb.transactionBuilder.updateAccountPermissions(
      suite.payer.address,
      owner,
      undefined,
      [active],
    )
    await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(update))
    await mine()
  }
  return { suite, mine, usdt, intentOf, sign, signed, outcomeOf, send, carryOut, shareKeys }
}
