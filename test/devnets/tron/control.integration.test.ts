/** Features of the devnet only: contracts, reorgs, restarts, and misbehaving faces. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { TronWeb, utils } from 'tronweb'
import { startTronDevnet, type TronDevnet, tronDevnetEnv } from '../tron.ts'
import {
  ask,
  type BlockJson,
  type BroadcastAnswer,
  balanceOf,
  blockAt,
  call,
  client,
  funded,
  headHeight,
  type Info,
  infoOf,
  type Network,
  newAccount,
  pay,
  payUsdt,
  trx,
  usdtOf,
} from './harness.ts'

const home = mkdtempSync(join(tmpdir(), 'tron-devnet-'))
let devnet: TronDevnet
let network: Network

const networkOf = ({ rpcUrl, faucetPrivateKey, usdt, control }: TronDevnet): Network => ({
  url: rpcUrl,
  key: faucetPrivateKey,
  usdt,
  include: async () => void (await control('mine')),
})

beforeAll(async () => {
  devnet = await startTronDevnet({ blockMs: 0, solidifiedDepth: 2, home })
  network = networkOf(devnet)
})
afterAll(async () => {
  await devnet.stop()
  rmSync(home, { recursive: true, force: true })
})

const faucet = () => utils.address.fromPrivateKey(devnet.faucetPrivateKey) || ''
const mine = (params: object = {}) => devnet.control<{ height: number; ids: string[] }>('mine', params)
const sendRaw = async (signed: unknown): Promise<BroadcastAnswer> =>
  ask(devnet.rpcUrl, 'broadcasttransaction', signed as object)

describe('contracts and system contracts', () => {
  test('a transaction with several TRC-20 transfers has a log for each', async () => {
    const [one, two] = [newAccount(), newAccount()]
    const info = await call(network, network.key, {
      contract: devnet.batch,
      method: 'send(address,address[],uint256[])',
      args: [
        { type: 'address', value: devnet.usdt },
        { type: 'address[]', value: [one.address, two.address] },
        { type: 'uint256[]', value: ['11', '22'] },
      ],
    })
    expect(info.log?.map(({ data }) => BigInt(`0x${data}`))).toEqual([11n, 22n])
    expect(await usdtOf(devnet.rpcUrl, devnet.usdt, two.address)).toBe(22n)
  })

  const forward = (method: string, to: string, value: number) =>
    call(network, network.key, {
      contract: devnet.forwarder,
      method: `${method}(address)`,
      args: [{ type: 'address', value: to }],
      value,
    })

  test('TRX forwarded by a contract is an internal transaction, and activates the receiver', async () => {
    const receiver = newAccount()
    const info = await forward('pay', receiver.address, 3 * trx)
    expect(info.internal_transactions).toMatchObject([
      {
        transferTo_address: receiver.hex,
        callValueInfo: [{ callValue: 3 * trx }],
        note: Buffer.from('call').toString('hex'),
      },
    ])
    expect(await balanceOf(devnet.rpcUrl, receiver.address)).toBe(3 * trx)
  })

  test('a reverted internal transaction is listed as rejected in a successful transaction', async () => {
    const receiver = newAccount()
    const info = await forward('payOrFail', receiver.address, 2 * trx)
    expect(info.receipt.result).toBe('SUCCESS')
    expect(info.internal_transactions?.map(({ rejected }) => rejected)).toEqual([true, true])
    expect(await ask(devnet.rpcUrl, 'getaccount', { address: receiver.hex })).toEqual({})
  })

  test('a self-destructing contract transfers its balance by a suicide, without a call', async () => {
    const receiver = newAccount()
    const info = await forward('vanish', receiver.address, trx)
    const notes = info.internal_transactions?.map(({ note }) => Buffer.from(note, 'hex').toString())
    expect(notes).toEqual(['create', 'call', 'suicide'])
    expect(info.internal_transactions?.[1]?.transferTo_address).toBe(
      info.internal_transactions?.[0]?.transferTo_address,
    )
    expect(info.internal_transactions?.[2]).toMatchObject({
      transferTo_address: receiver.hex,
      callValueInfo: [{ callValue: trx }],
    })
    expect(await balanceOf(devnet.rpcUrl, receiver.address)).toBe(trx)
  })

  test('a TRC-10 transfer is neither TRX nor a log', async () => {
    const [tronWeb, receiver] = [client(devnet.rpcUrl, network.key), newAccount()]
    const { txid } = (await tronWeb.trx.sendToken(receiver.address, 500, '1000001')) as BroadcastAnswer
    const { height } = await mine()
    expect(await infoOf(devnet.rpcUrl, txid)).toMatchObject({ fee: 1.1 * trx, blockNumber: height })
    const block = await blockAt(devnet.rpcUrl, height)
    expect(block.transactions?.[0]?.raw_data.contract[0]).toMatchObject({
      type: 'TransferAssetContract',
      parameter: { value: { asset_name: Buffer.from('1000001').toString('hex'), amount: 500 } },
    })
    const account = await ask<object>(devnet.rpcUrl, 'getaccount', { address: receiver.hex })
    expect(account).toMatchObject({ assetV2: [{ key: '1000001', value: 500 }] })
    expect(account).not.toHaveProperty('balance')
  })

  test('creating an account costs 1.1 TRX, and its balance is empty', async () => {
    const [owner, made] = [await funded(network, 10 * trx), newAccount()]
    const tronWeb = client(devnet.rpcUrl, owner.key)
    const { txid } = await sendRaw(
      await tronWeb.trx.sign(await tronWeb.transactionBuilder.createAccount(made.address, owner.address)),
    )
    await mine()
    expect(await infoOf(devnet.rpcUrl, txid)).toMatchObject({ fee: 1.1 * trx })
    expect(await balanceOf(devnet.rpcUrl, owner.address)).toBe(10 * trx - 1.1 * trx)
    expect(await ask(devnet.rpcUrl, 'getaccount', { address: made.hex })).toMatchObject({ address: made.hex })
  })

  test('staked TRX pays energy in place of TRX', async () => {
    const owner = await funded(network, 30_000 * trx)
    await payUsdt(network, network.key, owner.address, 10n)
    const tronWeb = client(devnet.rpcUrl, owner.key)
    await sendRaw(
      await tronWeb.trx.sign(
        await tronWeb.transactionBuilder.freezeBalanceV2(20_000 * trx, 'ENERGY', owner.address),
      ),
    )
    await mine()
    const info = await payUsdt(network, owner.key, newAccount().address, 10n)
    expect(info.receipt).toMatchObject({ energy_usage: info.receipt.energy_usage_total })
    expect(info.receipt.energy_fee).toBeUndefined()
  })

  test('a memo costs 1 TRX', async () => {
    const [sender, receiver] = [await funded(network, 5 * trx), await funded(network, trx)]
    const tronWeb = client(devnet.rpcUrl, sender.key)
    const built = await tronWeb.transactionBuilder.addUpdateData(
      await tronWeb.transactionBuilder.sendTrx(receiver.address, 1),
      'order 7',
      'utf8',
      {
        txLocal: true,
      },
    )
    await sendRaw(await tronWeb.trx.sign(built))
    await mine()
    expect(await balanceOf(devnet.rpcUrl, sender.address)).toBe(5 * trx - 1 - trx)
  })

  test('two of two keys: one signature is refused; two cost a fee of 1 TRX', async () => {
    const [owner, second, receiver] = [
      await funded(network, 200 * trx),
      newAccount(),
      await funded(network, trx),
    ]
    const tronWeb = client(devnet.rpcUrl, owner.key)
    const keys = [owner, second].map(({ hex }) => ({ address: hex, weight: 1 }))
    const permission = { threshold: 2, keys }
    const update = await tronWeb.transactionBuilder.updateAccountPermissions(
      owner.hex,
      { type: 0, permission_name: 'owner', ...permission },
      undefined,
      [
        {
          type: 2,
          permission_name: 'active',
          operations: `7fff1fc0033ec30f${'0'.repeat(48)}`,
          ...permission,
        },
      ],
    )
    expect(await sendRaw(await tronWeb.trx.sign(update))).toMatchObject({ result: true })
    await mine()
    expect(await balanceOf(devnet.rpcUrl, owner.address)).toBe(100 * trx)
    const built = await tronWeb.transactionBuilder.sendTrx(receiver.address, trx, owner.address)
    const once = await tronWeb.trx.sign(built)
    expect(await sendRaw(once)).toMatchObject({
      code: 'SIGERROR',
      message: Buffer.from('Validate signature error: sig error').toString('hex'),
    })
    const twice = utils.crypto.signTransaction(second.key, JSON.parse(JSON.stringify(once)) as never)
    expect(await sendRaw(twice)).toMatchObject({ result: true })
    await mine()
    const info = await infoOf(devnet.rpcUrl, built.txID)
    expect(info.fee).toBe(trx + (info.receipt.net_fee ?? 0))
  })

  test('a transaction that expires before the next block is dropped silently', async () => {
    const tronWeb = client(devnet.rpcUrl, network.key)
    const signed = await tronWeb.trx.sign(await tronWeb.transactionBuilder.sendTrx(newAccount().address, 1))
    expect(await sendRaw(signed)).toMatchObject({ result: true })
    const { height } = await mine({ time: Math.ceil(signed.raw_data.expiration / 1000) + 1 })
    expect((await blockAt(devnet.rpcUrl, height)).transactions).toBeUndefined()
    expect(await infoOf(devnet.rpcUrl, signed.txID)).toEqual({})
  })
})

describe('reorgs', () => {
  test('blocks are undone with their effects; the next ones have other ids', async () => {
    const receiver = newAccount()
    const [before, faucetBefore] = [await headHeight(devnet.rpcUrl), await balanceOf(devnet.rpcUrl, faucet())]
    const info = await payUsdt(network, network.key, receiver.address, 77n)
    const paid = await pay(network, network.key, receiver.address, 5 * trx)
    const old = await blockAt(devnet.rpcUrl, before + 1)
    expect(await devnet.control('reorg', { depth: 2 })).toMatchObject({
      dropped: [info.id, paid.id],
      height: before,
    })
    expect(await usdtOf(devnet.rpcUrl, devnet.usdt, receiver.address)).toBe(0n)
    expect(await ask(devnet.rpcUrl, 'getaccount', { address: receiver.hex })).toEqual({})
    expect(await balanceOf(devnet.rpcUrl, faucet())).toBe(faucetBefore)
    expect(await infoOf(devnet.rpcUrl, info.id)).toEqual({})
    await mine({ time: Math.ceil(old.block_header.raw_data.timestamp / 1000) + 1 })
    const other = await blockAt(devnet.rpcUrl, before + 1)
    expect(other.blockID).not.toBe(old.blockID)
    expect(other.block_header.raw_data.parentHash).toBe(old.block_header.raw_data.parentHash)
  })

  test('keep: the dropped transactions are in the next block', async () => {
    const receiver = newAccount()
    const paid = await pay(network, network.key, receiver.address, 5 * trx)
    expect(await devnet.control('reorg', { depth: 1, keep: true })).toMatchObject({
      dropped: [paid.id],
      kept: [paid.id],
    })
    const { height } = await mine()
    expect(await infoOf(devnet.rpcUrl, paid.id)).toMatchObject({ blockNumber: height })
    expect(await balanceOf(devnet.rpcUrl, receiver.address)).toBe(5 * trx)
  })
})

describe('faces', () => {
  const face = async (name: string, flags: object) => {
    await devnet.control('misbehave', { face: name, ...flags })
    return devnet.faceUrl(name)
  }
  const infosAt = (url: string, num: number) => ask<Info[]>(url, 'gettransactioninfobyblocknum', { num })

  test('lagBlocks: the head is lower, and the state is as of that block', async () => {
    const url = await face('behind', { lagBlocks: 3 })
    const receiver = await funded(network, trx)
    const head = await headHeight(devnet.rpcUrl)
    expect(await headHeight(url)).toBe(head - 3)
    expect(await blockAt(url, head)).toEqual({})
    expect(await balanceOf(url, receiver.address)).toBe(0)
    await mine({ count: 3 })
    expect(await balanceOf(url, receiver.address)).toBe(trx)
    expect(await balanceOf(devnet.rpcUrl, receiver.address)).toBe(trx)
  })

  test('down, throttle and slowMs', async () => {
    const get = (url: string) => fetch(`${url}/wallet/getnowblock`)
    expect((await get(await face('down', { down: true }))).status).toBe(503)
    const throttled = await face('busy', { throttle: 0 })
    const refused = await get(throttled)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    const started = Date.now()
    await get(await face('slow', { slowMs: 120 }))
    expect(Date.now() - started).toBeGreaterThanOrEqual(115)
    expect((await get(devnet.rpcUrl)).status).toBe(200)
  })

  test('pruneBelow: blocks below are missing; lite: history is refused', async () => {
    const pruned = await face('pruned', { pruneBelow: 2 })
    expect(await blockAt(pruned, 1)).toEqual({})
    expect(await infosAt(pruned, 1)).toEqual([])
    expect((await blockAt(pruned, 2)).blockID).toBe((await blockAt(devnet.rpcUrl, 2)).blockID)
    const lite = await fetch(`${await face('lite', { lite: true })}/wallet/getblockbynum?num=3`)
    expect(await lite.text()).toBe('this API is closed because this node is a lite fullnode')
  })

  test('omit, omitLogs, amountOff, noInternal, failedAsSuccess, wrongParent: each false answer, and no other change', async () => {
    const paid = await pay(network, network.key, newAccount().address, 123)
    const info = await payUsdt(network, network.key, newAccount().address, 9n)
    const poor = await funded(network, 20 * trx)
    const failed = await payUsdt(network, poor.key, newAccount().address, 9n)
    const internal = await call(network, network.key, {
      contract: devnet.forwarder,
      method: 'pay(address)',
      args: [{ type: 'address', value: newAccount().address }],
      value: trx,
    })
    const url = await face('liar', {
      omit: [paid.id],
      omitLogs: [info.id],
      failedAsSuccess: [failed.id],
      noInternal: true,
      wrongParent: info.blockNumber,
    })
    expect((await blockAt(url, paid.blockNumber)).transactions).toBeUndefined()
    expect(await infosAt(url, paid.blockNumber)).toEqual([])
    expect((await infosAt(url, info.blockNumber))[0]).toMatchObject({
      id: info.id,
      receipt: { result: 'SUCCESS' },
    })
    expect((await infosAt(url, info.blockNumber))[0]?.log).toBeUndefined()
    expect((await blockAt(url, failed.blockNumber)).transactions?.[0]?.ret).toEqual([
      { contractRet: 'SUCCESS' },
    ])
    expect((await infosAt(url, failed.blockNumber))[0]?.receipt.result).toBe('REVERT')
    expect((await infosAt(url, internal.blockNumber))[0]?.internal_transactions).toBeUndefined()
    const [lie, truth] = [
      await blockAt(url, info.blockNumber),
      await blockAt(devnet.rpcUrl, info.blockNumber),
    ]
    expect(lie.block_header.raw_data.parentHash).not.toBe(truth.block_header.raw_data.parentHash)
    expect(lie.blockID).toBe(truth.blockID)

    const inflated = (await blockAt(await face('inflater', { amountOff: paid.id }), paid.blockNumber))
      .transactions?.[0]
    expect(inflated?.raw_data.contract[0]?.parameter.value.amount).toBe(1230)
    expect(inflated?.raw_data_hex).toBe(
      (await blockAt(devnet.rpcUrl, paid.blockNumber)).transactions?.[0]?.raw_data_hex,
    )
    await devnet.control('misbehave', { face: 'liar', clear: true })
    expect(await blockAt(url, info.blockNumber)).toEqual(truth)
  })

  test('infoOfOtherFork: infos are of the block that the reorg dropped', async () => {
    const old = await payUsdt(network, network.key, newAccount().address, 5n)
    await devnet.control('reorg', { depth: 1 })
    const own = await payUsdt(network, network.key, newAccount().address, 6n)
    expect(own.blockNumber).toBe(old.blockNumber)
    const url = await face('stale', { infoOfOtherFork: true })
    expect((await infosAt(url, old.blockNumber)).map(({ id }) => id)).toEqual([old.id])
    expect((await infosAt(devnet.rpcUrl, own.blockNumber)).map(({ id }) => id)).toEqual([own.id])
  })

  test('unknown flags and actions are refused', async () => {
    await expect(devnet.control('misbehave', { face: 'x', omitt: [] })).rejects.toThrow('unknown flag: omitt')
    await expect(devnet.control('dance')).rejects.toThrow('unknown action: dance')
  })
})

describe('the process', () => {
  test('a restart with the same home continues the chain, and can still undo blocks', async () => {
    const receiver = newAccount()
    const info = await payUsdt(network, network.key, receiver.address, 31n)
    const signed = await client(devnet.rpcUrl, network.key).trx.sign(
      await client(devnet.rpcUrl, network.key).transactionBuilder.sendTrx(receiver.address, 4 * trx),
    )
    await sendRaw(signed)
    const [height, history] = [
      await headHeight(devnet.rpcUrl),
      await blockAt(devnet.rpcUrl, info.blockNumber),
    ]
    const { genesisBlockId, usdt } = devnet
    await devnet.stop()
    devnet = await startTronDevnet({ blockMs: 0, solidifiedDepth: 2, home })
    network = networkOf(devnet)
    expect([devnet.genesisBlockId, devnet.usdt, await headHeight(devnet.rpcUrl)]).toEqual([
      genesisBlockId,
      usdt,
      height,
    ])
    expect(await blockAt(devnet.rpcUrl, info.blockNumber)).toEqual(history)
    expect(await usdtOf(devnet.rpcUrl, usdt, receiver.address)).toBe(31n)
    await mine()
    expect(await balanceOf(devnet.rpcUrl, receiver.address)).toBe(4 * trx)
    await devnet.control('reorg', { depth: 2 })
    expect(await usdtOf(devnet.rpcUrl, usdt, receiver.address)).toBe(0n)
  })

  test('with an API key: 401 without it, and the environment variables include it', async () => {
    const guarded = await startTronDevnet({ blockMs: 200, apiKey: 'secret' })
    try {
      expect((await fetch(`${guarded.rpcUrl}/wallet/getnowblock`)).status).toBe(401)
      const tronWeb = new TronWeb({ fullHost: guarded.rpcUrl, headers: { 'TRON-PRO-API-KEY': 'secret' } })
      const genesis = (await tronWeb.trx.getBlockByNumber(0)) as BlockJson
      expect(tronDevnetEnv(guarded)).toEqual({
        TRON_RPC_URLS: guarded.rpcUrl,
        TRON_NETWORK: genesis.blockID,
        TRON_BLOCK_MS: '200',
        TRON_USDT: guarded.usdt,
        TRON_API_KEY: 'secret',
      })
      await guarded.control('hold', { on: true })
    } finally {
      await guarded.stop()
    }
  })
})
