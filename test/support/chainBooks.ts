import { getAccount, getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Connection, PublicKey } from '@solana/web3.js'
import { Horizon } from '@stellar/stellar-sdk'
import { TronWeb } from 'tronweb'
import { type Address, erc20Abi, type Hex } from 'viem'
import type { ChainName } from '../../src/chains/registry.ts'
import { baseUnits } from '../devnets/customers/order.ts'
import { contractOf } from './payers.ts'
import type { Stack } from './stack.ts'

/** Balances and transactions by the chains' own public libraries, independent of the tested code. */

export type Asset = 'native' | 'usdc' | 'usdt'

/** The assets of a chain. */
export const assetsOf = (chain: ChainName): readonly Asset[] => [
  'native',
  ...(chain === 'tron' ? [] : ['usdc' as const]),
  ...(chain === 'base' ? [] : ['usdt' as const]),
]

/** The token's contract, its mint, or `CODE:ISSUER`. @throws for a token that the chain does not have */
export const contractOfAsset = (stack: Stack, chain: ChainName, asset: 'usdc' | 'usdt'): string =>
  contractOf(stack, chain, asset === 'usdc' ? 'USDC' : 'USDT')

export const solanaOf = (stack: Stack) => new Connection(stack.other('solana').rpcUrl, 'confirmed')
export const horizonOf = (stack: Stack) =>
  new Horizon.Server(stack.other('stellar').horizonUrl, { allowHttp: true })
const tronOf = (stack: Stack) =>
  new TronWeb({ fullHost: stack.other('tron').rpcUrl, privateKey: stack.other('tron').faucetPrivateKey })

/** Base units in the last block. */
export async function heldOn(stack: Stack, chain: ChainName, asset: Asset, address: string): Promise<bigint> {
  if (chain === 'solana') return heldOnSolana(stack, asset, address)
  if (chain === 'tron') return heldOnTron(stack, asset, address)
  if (chain === 'stellar') return heldOnStellar(stack, asset, address)
  if (asset === 'native') return stack.client(chain).getBalance({ address: address as Address })
  const contract = contractOfAsset(stack, chain, asset) as Address
  return stack
    .client(chain)
    .readContract({ address: contract, abi: erc20Abi, functionName: 'balanceOf', args: [address as Address] })
}

export const tokenAccountOf = (stack: Stack, asset: 'usdc' | 'usdt', owner: string): PublicKey =>
  getAssociatedTokenAddressSync(
    new PublicKey(contractOfAsset(stack, 'solana', asset)),
    new PublicKey(owner),
    true,
  )

async function heldOnSolana(stack: Stack, asset: Asset, address: string): Promise<bigint> {
  const connection = solanaOf(stack)
  if (asset === 'native') return BigInt(await connection.getBalance(new PublicKey(address)))
  const account = tokenAccountOf(stack, asset, address)
  return (await connection.getAccountInfo(account)) === null
    ? 0n
    : (await getAccount(connection, account)).amount
}

async function heldOnTron(stack: Stack, asset: Asset, address: string): Promise<bigint> {
  const tronWeb = tronOf(stack)
  if (asset === 'native') return BigInt(await tronWeb.trx.getUnconfirmedBalance(address))
  const contract = await tronWeb.contract(erc20Abi as never, stack.other('tron').usdt)
  return BigInt(String(await contract.methods.balanceOf?.(address)?.call()))
}

async function heldOnStellar(stack: Stack, asset: Asset, address: string): Promise<bigint> {
  const account = await horizonOf(stack)
    .loadAccount(address)
    .catch(() => null)
  const [code, issuer] = asset === 'native' ? [] : contractOfAsset(stack, 'stellar', asset).split(':')
  const line = account?.balances.find((each) =>
    asset === 'native'
      ? each.asset_type === 'native'
      : 'asset_code' in each && each.asset_code === code && each.asset_issuer === issuer,
  )
  return baseUnits(line?.balance ?? '0', 7)
}

interface Found {
  succeeded: boolean
  /** Base units of the native coin. */
  fee: bigint
  /** EVM alone. */
  gasUsed: bigint | null
  height: number
}

/** A transaction that is in a block. @throws if it is in no block */
export async function transactionOn(stack: Stack, chain: ChainName, txId: string): Promise<Found> {
  if (chain === 'solana') {
    const found = await solanaOf(stack).getTransaction(txId, { maxSupportedTransactionVersion: 0 })
    if (!found?.meta) throw new Error(`no transaction ${txId}`)
    return {
      succeeded: found.meta.err === null,
      fee: BigInt(found.meta.fee),
      gasUsed: null,
      height: found.slot,
    }
  }
  if (chain === 'tron') {
    const { receipt, fee = 0, blockNumber } = await tronOf(stack).trx.getUnconfirmedTransactionInfo(txId)
    return {
      succeeded: (receipt.result ?? 'SUCCESS') === 'SUCCESS',
      fee: BigInt(fee),
      gasUsed: null,
      height: blockNumber,
    }
  }
  if (chain === 'stellar') {
    const found = await horizonOf(stack).transactions().transaction(txId).call()
    return {
      succeeded: found.successful,
      fee: BigInt(found.fee_charged),
      gasUsed: null,
      height: found.ledger_attr,
    }
  }
  const { status, gasUsed, effectiveGasPrice, blockNumber } = await stack
    .client(chain)
    .getTransactionReceipt({ hash: txId as Hex })
  return {
    succeeded: status === 'success',
    fee: gasUsed * effectiveGasPrice,
    gasUsed,
    height: Number(blockNumber),
  }
}

/**
 * Ids of the mined transactions that an address has sent and paid for; on EVM as many as its nonce counts.
 */
export async function sentFrom(stack: Stack, chain: ChainName, address: string): Promise<readonly string[]> {
  if (chain === 'solana') {
    const connection = solanaOf(stack)
    const signatures = await connection.getSignaturesForAddress(new PublicKey(address), {}, 'confirmed')
    const found = await Promise.all(
      signatures.map(({ signature }) =>
        connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 }),
      ),
    )
    return found.flatMap((each) =>
      each && each.transaction.message.staticAccountKeys[0]?.toBase58() === address
        ? [each.transaction.signatures[0] ?? '']
        : [],
    )
  }
  if (chain === 'stellar') {
    const { records } = await horizonOf(stack).transactions().forAccount(address).limit(200).call()
    return records.filter((each) => each.source_account === address).map(({ hash }) => hash)
  }
  return chain === 'tron' ? sentOnTron(stack, address) : sentOnEvm(stack, chain, address)
}

async function sentOnTron(stack: Stack, address: string): Promise<string[]> {
  const owner = TronWeb.address.toHex(address).toLowerCase()
  const height = await stack.height('tron')
  const ids: string[] = []
  for (let at = 1; at <= height; at += 100) {
    for (const { transactions = [] } of await tronOf(stack).trx.getBlockRange(
      at,
      Math.min(height, at + 99),
    )) {
      for (const { txID, raw_data } of transactions) {
        const value = raw_data.contract[0]?.parameter.value as { owner_address?: string } | undefined
        if (value?.owner_address === owner) ids.push(txID)
      }
    }
  }
  return ids
}

async function sentOnEvm(stack: Stack, chain: ChainName, address: string): Promise<string[]> {
  const client = stack.client(chain)
  const [count, height] = await Promise.all([
    client.getTransactionCount({ address: address as Address }),
    client.getBlockNumber(),
  ])
  const byNonce: string[] = []
  for (let at = height; at > 0n && byNonce.filter(Boolean).length < count; at--) {
    const { transactions } = await client.getBlock({ blockNumber: at, includeTransactions: true })
    for (const { from, nonce, hash } of transactions)
      if (from === address.toLowerCase()) byNonce[nonce] = hash
  }
  if (byNonce.length !== count)
    throw new Error(`${count} transactions by the nonce of ${address}, ${byNonce.length} in blocks`)
  return byNonce
}
