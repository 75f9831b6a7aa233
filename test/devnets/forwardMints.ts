import { encodeFunctionData, type Hex, keccak256, parseAbi, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { cctpDomains, hasRoute, messageTransmitter } from './cctp.ts'
import { type EvmDevnet, rpc } from './evm.ts'

export const transmitterAbi = parseAbi([
  'function receiveMessage(bytes message, bytes attestation) returns (bool)',
])
/** Mints as Circle does; it has an account of its own, so that its nonces are its own. */
const forwarder = privateKeyToAccount(keccak256(toHex('forwarder of circle')))
/**
 * The destination's domain is the third number of four bytes of a message (developers.circle.com/cctp,
 * "Message format").
 */
const domainOf = (message: Hex): number => Number.parseInt(message.slice(2 + 16, 2 + 24), 16)

/**
 * Mints messages that requested it on their EVM devnet, one after another.
 * @returns the transaction; null for a message to another chain
 */
export function forwardMints(
  devnets: readonly EvmDevnet[],
): (message: Hex, attestation: Hex) => Promise<Hex | null> {
  const urls = new Map(
    devnets.flatMap(({ chain, rpcUrl }) => (hasRoute(chain) ? [[cctpDomains[chain], rpcUrl] as const] : [])),
  )
  let last: Promise<unknown> = Promise.resolve()
  const mint = async (message: Hex, attestation: Hex): Promise<Hex | null> => {
    const url = urls.get(domainOf(message) as never)
    if (url === undefined) return null
    await rpc(url, 'anvil_setBalance', [forwarder.address, toHex(10n ** 21n)])
    const [nonce, chainId, gasPrice] = await Promise.all([
      rpc(url, 'eth_getTransactionCount', [forwarder.address, 'pending']),
      rpc(url, 'eth_chainId', []),
      rpc(url, 'eth_gasPrice', []),
    ])
    const data = encodeFunctionData({
      abi: transmitterAbi,
      functionName: 'receiveMessage',
      args: [message, attestation],
    })
    const call = {
      to: messageTransmitter,
      data,
      gas: 500_000n,
      nonce: Number(nonce),
      chainId: Number(chainId),
      gasPrice: 2n * BigInt(String(gasPrice)),
    }
    return (await rpc(url, 'eth_sendRawTransaction', [await forwarder.signTransaction(call)])) as Hex
  }
  return (message, attestation) => {
    const sent = last.then(() => mint(message, attestation))
    last = sent.catch(() => {})
    return sent
  }
}
