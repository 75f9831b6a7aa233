import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { Asset, Keypair as StellarKey } from '@stellar/stellar-sdk'
import { connectDevnet, trustingAccount } from '../../devnets/stellar/testNetwork.ts'
import { startYellowCard, type YellowCardStandIn } from '../../partners/yellowcard.ts'
import { full } from '../../support/full.ts'
import { waitFor } from '../../support/waitFor.ts'
import { newCollection } from './collectionRequest.ts'
import { payOnDevnets } from './payOnDevnets.ts'
import type { SettlementTransfer } from './settling.ts'

const blockMs = 200
const decimals = 6
let standIn: YellowCardStandIn
let stellar: Awaited<ReturnType<typeof connectDevnet>>

beforeAll(async () => {
  standIn = await startYellowCard({ apiKey: 'key', secretKey: 'secret' }, 0, { still: true })
  stellar = await connectDevnet({ blockMs })
})
beforeEach(() => {
  standIn.collections.pay = payOnDevnets({ stellar: { ...stellar.devnet, decimals: 7 } })
})
afterAll(() => Promise.all([standIn?.close(), stellar?.devnet.stop()]))

/**
 * What a collection's settlement brought to its address; the amount is the one that its answer states, cut to
 * six places.
 */
async function settled<Amount>(
  settlementInfo: object,
  arrived: (txHash: string) => Promise<Amount | null>,
): Promise<Amount> {
  const collection = standIn.collections.add(newCollection(requestOf(settlementInfo)))
  standIn.collections.receive(collection)
  await standIn.collections.settled()
  expect(collection.settlement).toMatchObject({ status: 'complete', txHash: expect.any(String) })
  return waitFor('the transfer', () => arrived(collection.settlement?.txHash ?? '').catch(() => null))
}

let made = 0
const requestOf = (settlementInfo: object) => ({
  sequenceId: `sequence-${++made}`,
  customerUID: 'customer',
  customerType: 'institution',
  recipient: { businessId: 'RC-1', businessName: 'Shop', email: 'shop@example.com' },
  source: { accountType: 'bank' },
  channelId: 'af944f0c-ba70-47c7-86dc-1bad5a6ab4e4',
  localAmount: 100_000,
  forceAccept: true,
  directSettlement: true,
  settlementInfo,
})

// 100000 NGN at 1620 for a dollar, without 0.62 and the network's fee: 61.728395 − 0.62 − fee.
test('two settlements at once on Stellar are both paid, with their tags as memos', async () => {
  const [code = '', issuer] = stellar.devnet.usdc.split(':')
  const address = (await trustingAccount(stellar, new Asset(code, issuer))).publicKey()
  const both = ['7', '8'].map((walletTag) =>
    settled(
      { walletAddress: address, walletTag, cryptoCurrency: 'USDC', cryptoNetwork: 'XLM' },
      async (txHash) => {
        const { memo } = await stellar.horizon.transactions().transaction(txHash).call()
        const { records } = await stellar.horizon.payments().forTransaction(txHash).call()
        expect(records).toMatchObject([{ to: address, asset_code: code, asset_issuer: issuer }])
        expect(memo).toBe(walletTag)
        return (records[0] as { amount?: string }).amount ?? null
      },
    ),
  )
  expect(await Promise.all(both)).toEqual(['61.0983950', '61.0983950'])
})

test('a settlement that no devnet can pay has failed', async () => {
  const pay = payOnDevnets({})
  const transfer: SettlementTransfer = {
    collectionId: 'id',
    sequenceId: 'sequence',
    address: StellarKey.random().publicKey(),
    tag: '7',
    currency: 'USDC',
    network: 'XLM',
    cryptoAmount: '1',
    amount: '1',
  }
  await expect(pay(transfer)).rejects.toThrow('no devnet has USDC on XLM')
})

/** Their devnets and libraries take many seconds. */
async function onOtherFamilies(): Promise<void> {
  const { receivedOnEvm, receivedOnSolana, receivedOnTron } = await import(
    '../../devnets/customers/received.ts'
  )
  const { startEvmDevnet } = await import('../../devnets/evm.ts')
  const { startSolanaDevnet } = await import('../../devnets/solana.ts')
  const { startTronDevnet } = await import('../../devnets/tron.ts')
  const { Keypair: SolanaKey } = await import('@solana/web3.js')
  const [base, solana, tron] = await Promise.all([
    startEvmDevnet({ chain: 'base', blockSeconds: blockMs / 1000 }),
    startSolanaDevnet({ blockMs }),
    startTronDevnet({ blockMs }),
  ])
  standIn.collections.pay = payOnDevnets({
    base,
    solana: { ...solana, decimals },
    tron: { ...tron, decimals },
  })
  try {
    const onBase = {
      walletAddress: '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe',
      cryptoCurrency: 'USDC',
      cryptoNetwork: 'BASE',
    }
    const arrivedOnBase = (txHash: string) =>
      receivedOnEvm(base.rpcUrl, { txHash, address: onBase.walletAddress, token: base.usdc })
    expect(await settled(onBase, arrivedOnBase)).toBe(61_058_395n)

    const onTron = {
      walletAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      cryptoCurrency: 'USDT',
      cryptoNetwork: 'TRC20',
    }
    const arrivedOnTron = (txHash: string) =>
      receivedOnTron(tron.rpcUrl, { txHash, address: onTron.walletAddress, token: tron.usdt })
    expect(await settled(onTron, arrivedOnTron)).toBe(59_978_395n)

    const onSolana = {
      walletAddress: SolanaKey.generate().publicKey.toBase58(),
      cryptoCurrency: 'USDT',
      cryptoNetwork: 'SOL',
    }
    const arrivedOnSolana = (txHash: string) =>
      receivedOnSolana(solana.rpcUrl, { txHash, address: onSolana.walletAddress, token: solana.usdt })
    expect(await settled(onSolana, arrivedOnSolana)).toBe(61_088_395n)
  } finally {
    await Promise.all([base.stop(), solana.stop(), tron.stop()])
  }
}
if (full) test('a settlement is paid on the other families, with its transaction stated', onOtherFamilies)
