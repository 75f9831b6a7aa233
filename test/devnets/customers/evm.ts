import { type Address, createWalletClient, type Hex, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devnetChain, type EvmChainName } from '../evm.ts'
import { baseUnits, type Order, type Purse } from './order.ts'

/** Pays with viem. @returns the transaction's hash */
export function payOnEvm(
  chain: EvmChainName,
  { rpcUrl, faucetPrivateKey }: Purse,
  { address, token, amount, decimals }: Order,
): Promise<string> {
  const wallet = createWalletClient({
    account: privateKeyToAccount(faucetPrivateKey as Hex),
    chain: devnetChain(chain, rpcUrl),
    transport: http(rpcUrl),
  })
  return wallet.writeContract({
    address: token as Address,
    abi: parseAbi(['function transfer(address to, uint256 value) returns (bool)']),
    functionName: 'transfer',
    args: [address as Address, baseUnits(amount, decimals)],
    gas: 120_000n,
  })
}
