/**
 * Block 0 with the faucet's balance, and blocks 1 and 2 with the contracts, deployed by ordinary signed
 * transactions.
 */
import { utils } from 'tronweb'
import { encodeAbiParameters, encodeFunctionData } from 'viem'
import { trc10 } from './actuators.ts'
import { append, type Chain, headOf, mine, push } from './chain.ts'
import { tronContracts } from './contracts.ts'
import type { Json, JsonObject } from './json.ts'
import { parameters, trx } from './parameters.ts'
import { readTransaction } from './transactions.ts'
import { createAccount, setAccount } from './world.ts'

/** Publicly known. Holds TRX, the tokens and the contracts. */
export const faucetPrivateKey = 'b5a4cea271ff424d7c31dc12a3e43e401df7a40d7412a15750f3f0b6b5449a28'
const faucet = utils.address.toHex(utils.address.fromPrivateKey(faucetPrivateKey) || '').toLowerCase()

/** Below 2^53 sun, so that JSON numbers are exact. */
const faucetTrx = 1_000_000_000
const usdtSupply = 1_000_000_000_000_000n

/** `41…` */
export interface Contracts {
  usdt: string
  fakeUsdt: string
  batch: string
  forwarder: string
}

/** @param time milliseconds of block 0: makes its id, and so the network, unique */
export async function makeGenesis(chain: Chain, time: number): Promise<Contracts> {
  const account = createAccount(chain.world, faucet, time)
  setAccount(chain.world, { ...account, balance: faucetTrx * trx, assets: { [trc10.id]: trc10.supply } })
  append(chain, time, [])

  const { TronUSDT, Batch, Forwarder } = tronContracts()
  const supply = encodeAbiParameters([{ type: 'uint256' }], [usdtSupply]).slice(2)
  const deploy = async (
    name: string,
    compiled: { bytecode: string; abi: readonly unknown[] },
    args = '',
  ): Promise<string> => {
    const outcome = await send(chain, 'CreateSmartContract', {
      owner_address: faucet,
      new_contract: {
        origin_address: faucet,
        name,
        abi: { entrys: compiled.abi as Json[] },
        bytecode: compiled.bytecode.slice(2) + args,
        consume_user_resource_percent: 100,
        origin_energy_limit: 10_000_000,
      },
    })
    return outcome.contract_address ?? ''
  }
  const contracts: Contracts = {
    usdt: await deploy('TetherToken', TronUSDT, supply),
    fakeUsdt: await deploy('FakeTether', TronUSDT, supply),
    batch: await deploy('Batch', Batch),
    forwarder: await deploy('Forwarder', Forwarder),
  }
  await mine(chain, time + 1)
  const data = encodeFunctionData({
    abi: TronUSDT.abi,
    functionName: 'transfer',
    args: [`0x${contracts.batch.slice(2)}`, usdtSupply / 2n],
  })
  await send(chain, 'TriggerSmartContract', {
    owner_address: faucet,
    contract_address: contracts.usdt,
    data: data.slice(2),
  })
  await mine(chain, time + 2)
  return contracts
}

async function send(chain: Chain, type: 'CreateSmartContract' | 'TriggerSmartContract', value: JsonObject) {
  const head = headOf(chain)
  const unsigned: JsonObject = {
    raw_data: {
      contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
      ref_block_bytes: head.id.slice(12, 16),
      ref_block_hash: head.id.slice(16, 32),
      expiration: head.header.timestamp + 60_000,
      timestamp: head.header.timestamp,
      fee_limit: parameters.getMaxFeeLimit,
    },
  }
  const { id } = readTransaction(unsigned)
  const signature = utils.crypto.ECKeySign(
    utils.code.hexStr2byteArray(id),
    utils.code.hexStr2byteArray(faucetPrivateKey),
  )
  const outcome = await push(chain, readTransaction({ ...unsigned, signature: [signature] }))
  if (outcome.contractRet !== 'SUCCESS')
    throw new Error(`genesis: ${outcome.contractRet} ${outcome.error ?? ''}`)
  return outcome
}
