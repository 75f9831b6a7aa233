/**
 * Behaviour of a Tron node, through tronweb and the documented HTTP API only. Runs against the devnet, or
 * against a real testnet (Nile, Shasta) with
 *   TRON_TESTNET_URL    https://nile.trongrid.io
 *   TRON_TESTNET_KEY    hex of a private key with some 100 TRX and 10 USDT there
 *   TRON_TESTNET_USDT   the TRC-20 contract of that USDT
 * Tests that control the devnet are in tron/control.integration.test.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type TronWeb, utils } from 'tronweb'
import { waitFor } from '../support/waitFor.ts'
import {
  ask,
  type BlockJson,
  type BroadcastAnswer,
  balanceOf,
  blockAt,
  call,
  client,
  feeLimit,
  funded,
  headHeight,
  infoOf,
  type Network,
  newAccount,
  pay,
  payUsdt,
  trx,
  usdtOf,
} from './tron/harness.ts'
import { blockIdOf, encodeTransaction, merkleRoot, sha256 } from './tron/wire.ts'
import { startTronDevnet, type TronDevnet } from './tron.ts'

const { TRON_TESTNET_URL, TRON_TESTNET_KEY, TRON_TESTNET_USDT } = process.env

let devnet: TronDevnet | null = null
let network: Network
let tronWeb: TronWeb

beforeAll(async () => {
  if (TRON_TESTNET_URL && TRON_TESTNET_KEY && TRON_TESTNET_USDT) {
    const url = TRON_TESTNET_URL
    const include = async (id: string) =>
      void (await waitFor(`block of ${id}`, async () => (await infoOf(url, id)).id !== undefined, 60_000))
    network = { url, key: TRON_TESTNET_KEY, usdt: TRON_TESTNET_USDT, include }
  } else {
    devnet = await startTronDevnet({ blockMs: 0, solidifiedDepth: 2 })
    const { control } = devnet
    network = {
      url: devnet.rpcUrl,
      key: devnet.faucetPrivateKey,
      usdt: devnet.usdt,
      include: async () => void (await control('mine')),
    }
  }
  tronWeb = client(network.url, network.key)
})
afterAll(() => devnet?.stop())

/** Chain parameters as served: no price is hard-coded here. */
async function prices() {
  const { chainParameter } = await ask<{ chainParameter: { key: string; value?: number }[] }>(
    network.url,
    'getchainparameters',
  )
  const value = (key: string) => chainParameter.find((each) => each.key === key)?.value ?? 0
  return {
    energy: value('getEnergyFee'),
    byte: value('getTransactionFee'),
    create: value('getCreateNewAccountFeeInSystemContract') + value('getCreateAccountFee'),
  }
}

describe('payments', () => {
  test('TRX to a new account costs 1.1 TRX of activation on top of the amount, even with free bandwidth', async () => {
    const sender = await funded(network, 20 * trx)
    const receiver = newAccount()
    const info = await pay(network, sender.key, receiver.address, 5 * trx)
    const { create } = await prices()
    expect(create).toBe(1.1 * trx)
    expect(info).toMatchObject({ fee: create, contractResult: [''], receipt: { net_fee: 0.1 * trx } })
    expect(info.receipt.result).toBeUndefined()
    expect(await balanceOf(network.url, receiver.address)).toBe(5 * trx)
    expect(await balanceOf(network.url, sender.address)).toBe(20 * trx - 5 * trx - create)
  })

  test('600 bytes a day are free, further bytes are paid', async () => {
    const [sender, receiver] = [await funded(network, 20 * trx), await funded(network, trx)]
    const first = await pay(network, sender.key, receiver.address, 1)
    expect(first.fee).toBeUndefined()
    const bytes = first.receipt.net_usage ?? 0
    // The transaction with its signature, plus 64 for its result.
    const tx = (await blockAt(network.url, first.blockNumber)).transactions?.find(
      ({ txID }) => txID === first.id,
    )
    expect(bytes).toBe(
      encodeTransaction({ raw: tx?.raw_data_hex ?? '', signatures: tx?.signature ?? [] }).length + 64,
    )
    await pay(network, sender.key, receiver.address, 2)
    const third = await pay(network, sender.key, receiver.address, 3)
    const fee = bytes * (await prices()).byte
    expect(third).toMatchObject({ fee, receipt: { net_fee: fee } })
    expect(await balanceOf(network.url, sender.address)).toBe(20 * trx - 6 - fee)
  })

  test('a TRC-20 transfer emits a log, burns energy, and does not activate the receiver', async () => {
    const [sender, receiver] = [await funded(network, 50 * trx), newAccount()]
    await payUsdt(network, network.key, sender.address, 3_000_000n)
    const info = await payUsdt(network, sender.key, receiver.address, 1_250_000n)
    const topic = (address: string) => utils.address.toHex(address).slice(2).toLowerCase().padStart(64, '0')
    expect(info.log).toEqual([
      {
        address: utils.address.toHex(network.usdt).slice(2).toLowerCase(),
        topics: [
          'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
          topic(sender.address),
          topic(receiver.address),
        ],
        data: 1_250_000n.toString(16).padStart(64, '0'),
      },
    ])
    const { energy_usage_total: energy = 0, energy_fee = 0, result } = info.receipt
    expect(result).toBe('SUCCESS')
    expect(energy_fee).toBe(energy * (await prices()).energy)
    expect(info.fee).toBe(energy_fee + (info.receipt.net_fee ?? 0))
    expect(await usdtOf(network.url, network.usdt, receiver.address)).toBe(1_250_000n)
    expect(await balanceOf(network.url, sender.address)).toBe(50 * trx - (info.fee ?? 0))
    expect(await ask(network.url, 'getaccount', { address: receiver.hex })).toEqual({})
  })

  test('a reverted transfer is in a block, pays for its resources, and has no log', async () => {
    const [sender, receiver] = [await funded(network, 50 * trx), newAccount()]
    const info = await payUsdt(network, sender.key, receiver.address, 1n)
    expect(info).toMatchObject({
      result: 'FAILED',
      resMessage: Buffer.from('REVERT opcode executed').toString('hex'),
      receipt: { result: 'REVERT' },
    })
    expect(info.log).toBeUndefined()
    expect(await balanceOf(network.url, sender.address)).toBe(50 * trx - (info.fee ?? 0))
    const tx = (await blockAt(network.url, info.blockNumber)).transactions?.find(
      ({ txID }) => txID === info.id,
    )
    expect(tx?.ret).toEqual([{ contractRet: 'REVERT' }])
  })

  test('a call that runs out of energy burns the whole fee limit', async () => {
    const [sender, receiver] = [await funded(network, 50 * trx), newAccount()]
    await payUsdt(network, network.key, sender.address, 5n)
    const limit = 1000 * (await prices()).energy
    const args = [
      { type: 'address', value: receiver.address },
      { type: 'uint256', value: '5' },
    ]
    const info = await call(network, sender.key, {
      contract: network.usdt,
      method: 'transfer(address,uint256)',
      args,
      feeLimit: limit,
    })
    expect(info).toMatchObject({
      result: 'FAILED',
      receipt: { result: 'OUT_OF_ENERGY', energy_fee: limit, energy_usage_total: 1000 },
    })
    expect(await usdtOf(network.url, network.usdt, sender.address)).toBe(5n)
  })
})

describe('refusals', () => {
  const text = ({ message = '' }: BroadcastAnswer) => Buffer.from(message, 'hex').toString()
  const broadcast = (tx: unknown) => ask<BroadcastAnswer>(network.url, 'broadcasttransaction', tx as object)
  const build = (amount: number, options: object = {}, from?: string) =>
    tronWeb.transactionBuilder.sendTrx(newAccount().address, amount, from, options)
  const head = async () => (await ask<BlockJson>(network.url, 'getnowblock')).block_header.raw_data.timestamp
  /** tronweb requires all four of these, or not any. */
  const reference = async (change: object) => {
    const block = await ask<BlockJson>(network.url, 'getnowblock')
    const timestamp = block.block_header.raw_data.timestamp
    return {
      blockHeader: {
        ref_block_bytes: block.blockID.slice(12, 16),
        ref_block_hash: block.blockID.slice(16, 32),
        expiration: timestamp + 60_000,
        timestamp,
        ...change,
      },
    }
  }

  test.each<[string, string, string, () => Promise<unknown>]>([
    ['no signature', 'SIGERROR', 'Validate signature error: miss sig or contract', () => build(1)],
    [
      "another account's signature",
      'SIGERROR',
      'but it is not contained of permission.',
      async () => utils.crypto.signTransaction(newAccount().key, await build(1)),
    ],
    [
      'a signature of another content',
      'SIGERROR',
      'but it is not contained of permission.',
      async () => {
        const signed = JSON.parse(JSON.stringify(await tronWeb.trx.sign(await build(1)))) as {
          raw_data: { contract: [{ parameter: { value: { amount: number } } }] }
        }
        signed.raw_data.contract[0].parameter.value.amount = 2
        return signed
      },
    ],
    [
      'an expiration in the past',
      'TRANSACTION_EXPIRATION_ERROR',
      'Transaction expired',
      async () => tronWeb.trx.sign(await build(1, await reference({ expiration: (await head()) - 1000 }))),
    ],
    [
      'an expiration beyond a day',
      'TRANSACTION_EXPIRATION_ERROR',
      'Transaction expired',
      async () =>
        tronWeb.trx.sign(await build(1, await reference({ expiration: (await head()) + 25 * 3600 * 1000 }))),
    ],
    [
      'a reference to a block of another chain',
      'TAPOS_ERROR',
      'Tapos check error.',
      async () => tronWeb.trx.sign(await build(1, await reference({ ref_block_hash: 'ab'.repeat(8) }))),
    ],
    [
      'more than the balance',
      'CONTRACT_VALIDATE_ERROR',
      'Contract validate error : Validate TransferContract error, balance is not sufficient.',
      async () => tronWeb.trx.sign(await build(8_000_000_000_000_000)),
    ],
    [
      'a payment to oneself',
      'CONTRACT_VALIDATE_ERROR',
      'Contract validate error : Cannot transfer TRX to yourself.',
      async () => {
        const own = utils.address.fromPrivateKey(network.key) || ''
        const tx = JSON.parse(JSON.stringify(await build(1))) as {
          raw_data: { contract: [{ parameter: { value: { to_address: string } } }] }
        }
        tx.raw_data.contract[0].parameter.value.to_address = utils.address.toHex(own)
        const raw = utils.transaction.txPbToTxID(utils.transaction.txJsonToPb(tx)).slice(2)
        return {
          ...tx,
          signature: [
            utils.crypto.ECKeySign(
              utils.code.hexStr2byteArray(raw),
              utils.code.hexStr2byteArray(network.key),
            ),
          ],
        }
      },
    ],
    [
      'a plain transfer to a contract',
      'CONTRACT_VALIDATE_ERROR',
      'Contract validate error : Cannot transfer TRX to a smartContract.',
      async () => tronWeb.trx.sign(await tronWeb.transactionBuilder.sendTrx(network.usdt, 1)),
    ],
    [
      'an owner that was never activated',
      'CONTRACT_VALIDATE_ERROR',
      'does not exist',
      async () => {
        const inactive = newAccount()
        return utils.crypto.signTransaction(inactive.key, await build(1, {}, inactive.address))
      },
    ],
    [
      'half a megabyte',
      'TOO_BIG_TRANSACTION_ERROR',
      'Too big transaction with result',
      async () =>
        tronWeb.trx.sign(
          await tronWeb.transactionBuilder.addUpdateData(await build(1), 'x'.repeat(512 * 1024), 'utf8', {
            txLocal: true,
          }),
        ),
    ],
  ])('%s: %s', async (_what, code, message, make) => {
    const answer = await broadcast(await make())
    expect(answer).toMatchObject({ code })
    expect(answer.result).toBeUndefined()
    expect(text(answer)).toContain(message)
  })

  test('a duplicate transaction: DUP_TRANSACTION_ERROR, while pending and in a block', async () => {
    const signed = await tronWeb.trx.sign(await build(trx))
    expect(await broadcast(signed)).toEqual({ result: true, txid: signed.txID })
    expect(await broadcast(signed)).toMatchObject({ code: 'DUP_TRANSACTION_ERROR', txid: signed.txID })
    await network.include(signed.txID)
    expect(await broadcast(signed)).toMatchObject({ code: 'DUP_TRANSACTION_ERROR', txid: signed.txID })
  })

  test('no balance for its bytes: BANDWITH_ERROR', async () => {
    const poor = await funded(network, 1)
    const signed = utils.crypto.signTransaction(poor.key, await build(1, {}, poor.address))
    const answer = await broadcast(signed)
    expect(answer.code).toBe('BANDWITH_ERROR')
    expect(text(answer)).toBe('Account resource insufficient error.')
  })
})

describe('history', () => {
  test("a block's id, root and parent are hashes of its content", async () => {
    const info = await pay(network, network.key, newAccount().address, 7)
    const block = await blockAt(network.url, info.blockNumber)
    const { number = 0, ...header } = block.block_header.raw_data
    expect(blockIdOf({ number, ...header })).toBe(block.blockID)
    const encoded = (block.transactions ?? []).map((tx) =>
      encodeTransaction(
        { raw: tx.raw_data_hex, signatures: tx.signature },
        tx.ret[0]?.contractRet as Parameters<typeof encodeTransaction>[1],
      ),
    )
    expect(merkleRoot(encoded)).toBe(header.txTrieRoot)
    expect((await blockAt(network.url, number - 1)).blockID).toBe(header.parentHash)
    expect(block.transactions?.map(({ txID }) => txID)).toContain(info.id)
    const infos = await ask<{ id: string }[]>(network.url, 'gettransactioninfobyblocknum', { num: number })
    expect(infos.map(({ id }) => id)).toEqual(block.transactions?.map(({ txID }) => txID))
  })

  test('a pending transaction has a result, but no info', async () => {
    const signed = await tronWeb.trx.sign(await tronWeb.transactionBuilder.sendTrx(newAccount().address, 9))
    await ask(network.url, 'broadcasttransaction', signed as object)
    expect(await ask(network.url, 'gettransactionbyid', { value: signed.txID })).toMatchObject({
      txID: signed.txID,
      ret: [{ contractRet: 'SUCCESS' }],
    })
    expect(await ask(network.url, 'gettransactioninfobyid', { value: signed.txID })).toEqual({})
    await network.include(signed.txID)
    expect(await infoOf(network.url, signed.txID)).toMatchObject({ id: signed.txID })
  })

  test('a missing block is {}, and its infos are []', async () => {
    const beyond = (await headHeight(network.url)) + 1000
    expect(await blockAt(network.url, beyond)).toEqual({})
    expect(await ask(network.url, 'gettransactioninfobyblocknum', { num: beyond })).toEqual([])
  })

  test('the solidity node serves a block only when it is final', async () => {
    const info = await pay(network, network.key, newAccount().address, 8)
    const solid = await ask<BlockJson>(network.url, 'walletsolidity/getnowblock')
    expect(solid.block_header.raw_data.number).toBeLessThan(info.blockNumber)
    expect(await ask(network.url, 'walletsolidity/getblockbynum', { num: info.blockNumber })).toEqual({})
    expect(await ask(network.url, 'walletsolidity/gettransactioninfobyid', { value: info.id })).toEqual({})
  })

  test('GET and POST, base58 and hex give the same answers', async () => {
    const number = await headHeight(network.url)
    const response = await fetch(`${network.url}/wallet/getblockbynum?num=${number}`)
    expect(await response.json()).toEqual(await blockAt(network.url, number))
    const address = utils.address.fromPrivateKey(network.key) || ''
    const shown = await ask<{ address: string }>(network.url, 'getaccount', { address, visible: true })
    const hex = await ask<{ address: string }>(network.url, 'getaccount', {
      address: utils.address.toHex(address),
    })
    expect(utils.address.toHex(shown.address).toLowerCase()).toBe(hex.address)
  })

  test("the library finds a contract's ABI, and a constant call shows how a transfer would fail", async () => {
    const contract = await tronWeb.contract().at(network.usdt)
    expect(String(await contract.decimals?.().call())).toBe('6')
    const answer = await ask<{ result: { message?: string }; energy_used: number }>(
      network.url,
      'triggerconstantcontract',
      {
        owner_address: newAccount().address,
        contract_address: network.usdt,
        function_selector: 'transfer(address,uint256)',
        parameter: `${newAccount().hex.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`,
        visible: true,
      },
    )
    expect(answer.result.message).toBe('REVERT opcode executed')
    expect(answer.energy_used * (await prices()).energy).toBeLessThan(feeLimit)
  })
})

describe('bytes recorded on mainnet', () => {
  test("the id of block 79072107 is its header's hash", () => {
    const header = {
      number: 79072107,
      txTrieRoot: 'f557fe6879e64fc27d21c3a2a99e097636a8f7253a6a48392742b411e97d8e69',
      witness_address: '41beab998551416b02f6721129bb01b51fceceba08',
      parentHash: '0000000004b68b6aff9a1af3e52db1197b07bacb52612f29bf5dc8c5a4474b41',
      version: 32,
      timestamp: 1767879414000,
    }
    expect(blockIdOf(header)).toBe('0000000004b68b6be6d7223b1ecf2850f00f700292beeead2810c18e9e1548e2')
  })

  test('a leaf of the Merkle tree of block 78115149 is the hash of the whole transaction, its result included', () => {
    const raw =
      '0a02f139220878c7302743bd69de40c8d09395af335aae01081f12a9010a31747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e54726967676572536d617274436f6e747261637412740a154183f9daeee05fbbc232e5281bb632e4a6b3d4d9c8121541a614f803b6fd780986a42c78ec9c7f77e6ded13c2244a9059cbb0000000000000000000000412b32a481528cbd4c685e301fecaaa89f3a9b3fb9000000000000000000000000000000000000000000000000000000005367b9b570f5988e95af33900180e1eb17'
    const signature =
      '12ee0f68157fb820f28f8a750a9fd8451d5b6a19c24921858ce417fa718496f13f608812461619072f043eafc387157549a71eddf90df7d524a91b7dcc0d34581b'
    expect(sha256(encodeTransaction({ raw, signatures: [signature] }, 'SUCCESS')).toString('hex')).toBe(
      'bdb308da10299256de32e738b49e3465b69c1412a4337da20adfd5068989d20e',
    )
  })
})
