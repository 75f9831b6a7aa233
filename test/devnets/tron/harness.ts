/** Shared by both suites of the Tron devnet: a network, and transfers on it by tronweb only. */
import { TronWeb, utils } from 'tronweb'
import { waitFor } from '../../support/waitFor.ts'

export interface Network {
  url: string
  /** Hex; holds TRX and USDT. */
  key: string
  usdt: string
  /** Waits until a transaction is in a block; the devnet mines one. */
  include(id: string): Promise<void>
}

export interface Info {
  id: string
  fee?: number
  blockNumber: number
  blockTimeStamp: number
  contractResult: string[]
  contract_address?: string
  receipt: {
    net_usage?: number
    net_fee?: number
    energy_fee?: number
    energy_usage_total?: number
    result?: string
  }
  log?: { address: string; topics: string[]; data: string }[]
  internal_transactions?: {
    caller_address: string
    transferTo_address: string
    callValueInfo: { callValue?: number }[]
    note: string
    rejected?: boolean
  }[]
  result?: string
  resMessage?: string
}

export interface Tx {
  ret: { contractRet: string }[]
  signature: string[]
  txID: string
  raw_data: { contract: { type: string; parameter: { value: { amount?: number; data?: string } } }[] }
  raw_data_hex: string
}

export interface BlockJson {
  blockID: string
  block_header: {
    raw_data: {
      number?: number
      txTrieRoot: string
      witness_address: string
      parentHash: string
      version: number
      timestamp: number
    }
    witness_signature: string
  }
  transactions?: Tx[]
}

export interface BroadcastAnswer {
  result?: boolean
  code?: string
  message?: string
  txid: string
}

export const trx = 1_000_000
/** Enough for any call in these suites. */
export const feeLimit = 100 * trx

/** One request to `/wallet/…` or `/walletsolidity/…`. */
export async function ask<T>(url: string, method: string, params: object = {}): Promise<T> {
  const response = await fetch(`${url}/${method.includes('/') ? method : `wallet/${method}`}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(params),
  })
  return (await response.json()) as T
}

export const client = (url: string, key: string): TronWeb => new TronWeb({ fullHost: url, privateKey: key })

export function newAccount(): { key: string; address: string; hex: string } {
  const { privateKey, address } = utils.accounts.generateAccount()
  return { key: privateKey, address: address.base58, hex: address.hex.toLowerCase() }
}

export const infoOf = (url: string, id: string): Promise<Info> =>
  ask<Info>(url, 'gettransactioninfobyid', { value: id })
export const blockAt = (url: string, num: number): Promise<BlockJson> =>
  ask<BlockJson>(url, 'getblockbynum', { num })
export const headHeight = async (url: string): Promise<number> =>
  (await ask<BlockJson>(url, 'getnowblock')).block_header.raw_data.number ?? 0

export async function balanceOf(url: string, address: string): Promise<number> {
  return (await ask<{ balance?: number }>(url, 'getaccount', { address, visible: true })).balance ?? 0
}

export async function usdtOf(url: string, usdt: string, address: string): Promise<bigint> {
  const parameter = utils.address.toHex(address).slice(2).padStart(64, '0')
  const { constant_result } = await ask<{ constant_result: string[] }>(url, 'triggerconstantcontract', {
    owner_address: address,
    contract_address: usdt,
    function_selector: 'balanceOf(address)',
    parameter,
    visible: true,
  })
  return BigInt(`0x${constant_result[0]}`)
}

/** Sends TRX and waits for its block. @throws with the node's message if refused */
export async function pay(network: Network, from: string, to: string, sun: number): Promise<Info> {
  const tronWeb = client(network.url, from)
  return settle(network, await tronWeb.trx.sendTransaction(to, sun))
}

/** Calls a contract by signature, such as `transfer(address,uint256)`, and waits for its block. */
export async function call(
  network: Network,
  from: string,
  target: {
    contract: string
    method: string
    args: { type: string; value: unknown }[]
    value?: number
    feeLimit?: number
  },
): Promise<Info> {
  const tronWeb = client(network.url, from)
  const built = await tronWeb.transactionBuilder.triggerSmartContract(
    target.contract,
    target.method,
    { callValue: target.value ?? 0, feeLimit: target.feeLimit ?? feeLimit },
    target.args,
  )
  return settle(network, await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built.transaction)))
}

export const payUsdt = (
  network: Network,
  from: string,
  to: string,
  amount: bigint,
  contract = network.usdt,
): Promise<Info> =>
  call(network, from, {
    contract,
    method: 'transfer(address,uint256)',
    args: [
      { type: 'address', value: to },
      { type: 'uint256', value: String(amount) },
    ],
  })

/** A new account with TRX. */
export async function funded(network: Network, sun: number): Promise<ReturnType<typeof newAccount>> {
  const account = newAccount()
  await pay(network, network.key, account.address, sun)
  return account
}

async function settle(network: Network, sent: unknown): Promise<Info> {
  const { result, code, message = '', txid } = sent as BroadcastAnswer
  if (!result) throw new Error(`${code}: ${Buffer.from(message, 'hex').toString()}`)
  await network.include(txid)
  return waitFor(`info of ${txid}`, async () => {
    const info = await infoOf(network.url, txid)
    return info.id ? info : null
  })
}
