import { Connection, PublicKey } from '@solana/web3.js'
import { Horizon } from '@stellar/stellar-sdk'
import { TronWeb } from 'tronweb'
import { type Address, parseAbi } from 'viem'
import { baseUnits } from '../devnets/customers/order.ts'
import { contractOf, decimalsOf } from '../support/payers.ts'
import type { Stack } from '../support/stack.ts'
import type { Pair } from './sending.ts'

/** Base units of the pair's asset that an address holds in the last block, by the chain's own library. */
export async function heldBy(stack: Stack, { chain, token }: Pair, address: string): Promise<bigint> {
  if (chain === 'solana')
    return BigInt(
      await new Connection(stack.other(chain).rpcUrl, 'confirmed').getBalance(new PublicKey(address)),
    )
  if (chain === 'tron')
    return BigInt(
      await new TronWeb({ fullHost: stack.other(chain).rpcUrl }).trx.getUnconfirmedBalance(address),
    )
  if (chain === 'stellar') return heldOnStellar(stack, address)
  if (token === 'native') return stack.client(chain).getBalance({ address: address as Address })
  return stack.client(chain).readContract({
    address: contractOf(stack, chain, 'USDC') as Address,
    abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
    functionName: 'balanceOf',
    args: [address as Address],
  })
}

const horizonOf = (stack: Stack) => new Horizon.Server(stack.other('stellar').horizonUrl, { allowHttp: true })

async function heldOnStellar(stack: Stack, address: string): Promise<bigint> {
  const account = await horizonOf(stack)
    .loadAccount(address)
    .catch(() => null)
  const balance = account?.balances.find((line) => line.asset_type === 'native')?.balance ?? '0'
  return baseUnits(balance, 7)
}

/** Number of transactions of an address in blocks, by the chain's own library. */
export async function sentBy(stack: Stack, { chain, from: { address } }: Pair): Promise<number> {
  if (chain === 'solana') {
    const connection = new Connection(stack.other(chain).rpcUrl, 'confirmed')
    const signatures = await connection.getSignaturesForAddress(new PublicKey(address), {}, 'confirmed')
    const found = await Promise.all(
      signatures.map(({ signature }) =>
        connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 }),
      ),
    )
    return found.filter((each) => each?.transaction.message.staticAccountKeys[0]?.toBase58() === address)
      .length
  }
  if (chain === 'tron') return sentOnTron(stack, address)
  if (chain === 'stellar') {
    const { records } = await horizonOf(stack).transactions().forAccount(address).limit(200).call()
    return records.filter((each) => each.source_account === address).length
  }
  return stack.client(chain).getTransactionCount({ address: address as Address })
}

async function sentOnTron(stack: Stack, address: string): Promise<number> {
  const tronWeb = new TronWeb({ fullHost: stack.other('tron').rpcUrl })
  const hex = TronWeb.address.toHex(address).toLowerCase()
  const height = await stack.height('tron')
  let count = 0
  for (let at = 1; at <= height; at += 100) {
    for (const { transactions = [] } of await tronWeb.trx.getBlockRange(at, Math.min(height, at + 99)))
      count += transactions.filter(
        ({ raw_data }) =>
          (raw_data.contract[0]?.parameter.value as { owner_address: string } | undefined)?.owner_address ===
          hex,
      ).length
  }
  return count
}

/** Base units of one transfer of a pair. */
export const unitsOf = (stack: Stack, { chain, token, amount }: Pair): bigint => {
  const { native, token: ofToken } = decimalsOf(stack, chain)
  return baseUnits(amount, token === 'native' ? native : ofToken)
}
