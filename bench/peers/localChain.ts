import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Address, encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { freePort } from '../../scripts/local/freePort.ts'
import { compileContracts } from '../../test/devnets/compile.ts'
import type { Scope } from '../scope.ts'
import { startPeer } from './process.ts'
import { createRequestLog, type RequestLog } from './requestLog.ts'
import { rpc, rpcBatch } from './rpc.ts'

/** A node with a chain that no longer grows. */
export interface LocalChain {
  rpcUrl: string
  wsUrl: string
  token: Address
  /** First and last block with transfers of the token; each block between them has the same number. */
  fromBlock: number
  toBlock: number
  transfers: number
  /** All recipients in lower case, paid in turn. */
  recipients: readonly Address[]
  /** Sum of all transfers, in base units. */
  volume: bigint
  /** Requests that the node got. */
  requests: RequestLog
  stop(): Promise<void>
}

/** anvil's first account: its key is public. */
const payer: Address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const recipientCount = 200
/** Empty blocks after the last transfer: more than any contender waits for before a block is final. */
const blocksOnTop = 256

/**
 * Starts anvil and fills it: `blocks` blocks with `transfersPerBlock` transactions, each of them one ERC-20
 * transfer.
 */
export async function makeLocalChain(
  scope: Scope,
  options: { blocks: number; transfersPerBlock: number },
): Promise<LocalChain> {
  const { requests, rpcUrl, wsUrl, stop } = await startAnvil(scope)
  const { abi, bytecode } = compileContracts().TestUSDC
  let nonce = 0
  const transaction = (to: Address | null, data: Hex, gas = 200_000) => ({
    method: 'eth_sendTransaction',
    params: [
      { from: payer, ...(to && { to }), data, gas: hex(gas), gasPrice: hex(2e9), nonce: hex(nonce++) },
    ],
  })
  const mine = () => rpc(rpcUrl, 'evm_mine')

  const [deployment] = await rpcBatch(rpcUrl, [
    transaction(null, encodeDeployData({ abi, bytecode, args: ['USD Coin', 'USDC', 6] }), 3_000_000),
  ])
  await mine()
  const receipt = (await rpc(rpcUrl, 'eth_getTransactionReceipt', [deployment])) as {
    status: Hex
    contractAddress: Address
  }
  if (receipt.status !== '0x1') throw new Error('the token was not deployed')
  const token = receipt.contractAddress.toLowerCase() as Address
  await rpcBatch(rpcUrl, [
    transaction(token, encodeFunctionData({ abi, functionName: 'mint', args: [payer, 10n ** 18n] })),
  ])
  await mine()

  const fromBlock = 3
  const toBlock = fromBlock + options.blocks - 1
  const transfers = options.blocks * options.transfersPerBlock
  const recipients = Array.from({ length: recipientCount }, (_, i) => recipient(i))
  let volume = 0n
  for (let sent = 0; sent < transfers; sent += options.transfersPerBlock) {
    const batch = Array.from({ length: options.transfersPerBlock }, (_, i) => {
      const amount = BigInt(1_000_000 + sent + i)
      volume += amount
      return transaction(
        token,
        encodeFunctionData({
          abi,
          functionName: 'transfer',
          args: [recipients[(sent + i) % recipientCount], amount],
        }),
      )
    })
    await rpcBatch(rpcUrl, batch)
    await mine()
  }
  await rpc(rpcUrl, 'anvil_mine', [hex(blocksOnTop)])
  const chain: LocalChain = {
    rpcUrl,
    wsUrl,
    token,
    fromBlock,
    toBlock,
    transfers,
    recipients,
    volume,
    requests,
    stop,
  }
  await check(chain, options.transfersPerBlock)
  await rpc(rpcUrl, 'anvil_setLoggingEnabled', [true])
  return chain
}

const hex = (value: number): Hex => `0x${value.toString(16)}`
const recipient = (index: number): Address =>
  `0x${createHash('sha256').update(`recipient ${index}`).digest('hex').slice(0, 40)}`

async function startAnvil(scope: Scope) {
  const port = await freePort()
  const rpcUrl = `http://127.0.0.1:${port}`
  const binary = `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}/bin/anvil`
  const { requests, read } = createRequestLog()
  // Block times are a second apart, however fast blocks are mined, so the clock starts in the past.
  const args = [
    '--port',
    String(port),
    '--no-mining',
    '--prune-history',
    '--timestamp',
    '1700000000',
    '--no-request-size-limit',
  ]
  const anvil = startPeer(scope, 'anvil', join(import.meta.dirname, '../../node_modules', binary), args, {
    cwd: import.meta.dirname,
    onOutput: read,
  })
  const answers = () =>
    rpc(rpcUrl, 'anvil_setLoggingEnabled', [false]).then(
      () => true,
      () => false,
    )
  for (const deadline = Date.now() + 30_000; !(await answers()); ) {
    if (anvil.ended() || Date.now() > deadline) throw new Error(`anvil did not start:\n${anvil.output()}`)
    await delay(20)
  }
  return { requests, rpcUrl, wsUrl: `ws://127.0.0.1:${port}`, stop: anvil.stop }
}

/** Checks the transfers of every block: otherwise no figure would mean anything. */
async function check(chain: LocalChain, transfersPerBlock: number): Promise<void> {
  const logs = (await rpc(chain.rpcUrl, 'eth_getLogs', [
    { address: chain.token, fromBlock: hex(chain.fromBlock), toBlock: hex(chain.toBlock) },
  ])) as {
    blockNumber: Hex
  }[]
  const perBlock = new Map<Hex, number>()
  for (const { blockNumber } of logs) perBlock.set(blockNumber, (perBlock.get(blockNumber) ?? 0) + 1)
  const complete = [...perBlock.values()].every((count) => count === transfersPerBlock)
  if (!complete || logs.length !== chain.transfers)
    throw new Error(`the chain has ${logs.length} transfers in ${perBlock.size} blocks`)
}
