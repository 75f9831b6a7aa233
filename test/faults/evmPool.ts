import { type Address, createWalletClient, type Hex, http, numberToHex, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devnetChain, rpc } from '../devnets/evm.ts'
import type { Stack } from '../support/stack.ts'

/** Sets the base fee of the node's next block, in wei. */
export const baseFeeIs = (stack: Stack, wei: bigint) =>
  rpc(stack.devnet.rpcUrl, 'anvil_setNextBlockBaseFeePerGas', [numberToHex(wei)])

/** maxFeePerGas of the last sent transaction of a transfer, from the node. */
export async function priceNow(stack: Stack, transferId: string): Promise<bigint> {
  const [row] = await stack.db.query<{ txId: Hex }>(
    'select tx_id as "txId" from intent_attempts where intent_id = $1 and sends > 0 order by number desc limit 1',
    [transferId],
  )
  if (!row) throw new Error(`transfer ${transferId} was not sent`)
  return (await stack.client().getTransaction({ hash: row.txId })).maxFeePerGas ?? 0n
}

/**
 * A transaction sent from the same key outside of the platform, with a fee high enough to replace any pending
 * one at its nonce.
 */
export async function sendOutside(
  stack: Stack,
  privateKey: Hex,
  {
    to,
    nonce,
    data,
    value = 1n,
    gas = 21_000n,
    gwei = '100',
  }: { to: Address; nonce: number; data?: Hex; value?: bigint; gas?: bigint; gwei?: string },
): Promise<Hex> {
  const { chain, rpcUrl } = stack.devnet
  const account = privateKeyToAccount(privateKey)
  const wallet = createWalletClient({ account, chain: devnetChain(chain, rpcUrl), transport: http(rpcUrl) })
  const fee = parseGwei(gwei)
  return wallet.sendTransaction({ to, data, value, nonce, gas, maxFeePerGas: fee, maxPriorityFeePerGas: fee })
}
