import { createPublicClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

// Lower bound for sending: viem signs with known nonces and fixed fees, and sends. It stores nothing.

process.on('disconnect', () => process.exit())

export interface BareSenders {
  keys: Hex[]
  /** Transactions of each. */
  each: number
  recipient: Hex
}

/** Senders at once. */
const maxAtOnce = 16
const client = createPublicClient({ transport: http(process.env.RPC_URL ?? '') })
const chainId = await client.getChainId()
const fees = { gas: 21_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }

process.on('message', ({ keys, each, recipient }: BareSenders) => void measure(keys, each, recipient))

async function measure(keys: readonly Hex[], each: number, to: Hex): Promise<void> {
  const accounts = keys.map((key) => privateKeyToAccount(key))
  const nonces = await Promise.all(
    accounts.map(({ address }) => client.getTransactionCount({ address, blockTag: 'pending' })),
  )
  const cpu = process.cpuUsage()
  const started = performance.now()
  let next = 0
  const sendLoop = async () => {
    for (let i = next++; i < accounts.length; i = next++) {
      for (let n = 0; n < each; n++) {
        const nonce = (nonces[i] ?? 0) + n
        const serializedTransaction = await accounts[i]?.signTransaction({
          type: 'eip1559',
          chainId,
          to,
          value: 1n,
          nonce,
          ...fees,
        })
        if (serializedTransaction) await client.sendRawTransaction({ serializedTransaction })
      }
    }
  }
  await Promise.all(Array.from({ length: maxAtOnce }, sendLoop))
  process.send?.({ ms: performance.now() - started, cpu: process.cpuUsage(cpu) })
}
process.send?.({ ready: true })
