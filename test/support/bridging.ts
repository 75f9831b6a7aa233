import { type Address, erc20Abi, type Hex, parseAbi, parseEther } from 'viem'
import type { BridgeView } from '../../src/bridge/presentBridge.ts'
import type { ChainName } from '../../src/chains/registry.ts'
import { messageTransmitter } from '../devnets/cctp.ts'
import { fund, newPayer, type Payer } from './payers.ts'
import { createStack, type Stack, type StackOptions } from './stack.ts'
import { waitFor } from './waitFor.ts'

/** A stack whose EVM chains have Circle's contracts, and whose treasury has coin there. No indexer: workers follow what is sent. */
export async function startBridgeStack(chains: ChainName[], options: StackOptions = {}): Promise<Stack> {
  const stack = await createStack({ chains, bridge: true, processes: ['treasury', 'api', 'worker'], ...options })
  const [row] = await stack.db.query<{ address: Address }>("select address from treasury_addresses where family = 'evm'")
  for (const chain of chains) {
    await stack.sendNative(row?.address ?? '0x', parseEther('1'), { chain })
    await stack.mine(1, chain)
  }
  return stack
}

/** A stored wallet with coin and USDC. */
export async function bridgeWallet(stack: Stack, chain: ChainName, usdc = '1000'): Promise<Payer & { walletId: string }> {
  const payer = newPayer(chain)
  await fund(stack, payer, { native: '10', USDC: usdc })
  const { status, body } = await stack.api<{ id: string }>('POST', '/crypto/wallets', { chain, privateKey: payer.privateKey })
  if (status !== 201) throw new Error(`no wallet: ${status}`)
  return { ...payer, walletId: body.id }
}

/** USDC of an address, in base units. */
export const usdcOn = (stack: Stack, chain: ChainName, address: string): Promise<bigint> =>
  stack.client(chain).readContract({
    address: stack.devnets.get(chain)?.usdc ?? '0x',
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address as Address],
  })

export const supplyOn = (stack: Stack, chain: ChainName): Promise<bigint> =>
  stack.client(chain).readContract({ address: stack.devnets.get(chain)?.usdc ?? '0x', abi: erc20Abi, functionName: 'totalSupply' })

export const bridgeStatus = async (stack: Stack, id: string): Promise<BridgeView> =>
  (await stack.api<BridgeView>('GET', `/bridge/transfer/${id}/status`)).body

/** Mines on all chains until a transfer has this status. */
export async function bridgeIs(stack: Stack, id: string, status: BridgeView['status'], withinMs = 60_000): Promise<BridgeView> {
  let seen: BridgeView | undefined
  const ask = async () => {
    for (const chain of stack.devnets.keys()) await stack.mine(1, chain)
    seen = await bridgeStatus(stack, id)
    return seen.status === status
  }
  await waitFor(`bridge transfer ${id} is ${status}`, ask, withinMs).catch((error) => {
    throw new Error(`${error.message}; it is ${JSON.stringify(seen)}\n${stack.troubles()}`)
  })
  if (!seen) throw new Error('never seen')
  return seen
}

const transmitterAbi = parseAbi(['function receiveMessage(bytes message, bytes attestation) returns (bool)'])

/** Somebody else mints on a chain, one message after another: each sends the next nonce. */
export function mintOn(stack: Stack, chain: ChainName): (message: Hex, attestation: Hex) => Promise<Hex> {
  let last: Promise<unknown> = Promise.resolve()
  return (message, attestation) => {
    const call = { address: messageTransmitter, abi: transmitterAbi, functionName: 'receiveMessage', args: [message, attestation] } as const
    const sent = last.then(() => stack.wallet(chain).writeContract({ ...call, gas: 500_000n }))
    last = sent.catch(() => {})
    return sent
  }
}
