import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Address, createPublicClient, createWalletClient, defineChain, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { endLeftover, freePort, rememberService, type Service, startService } from '../../scripts/local/service.ts'
import { compileContracts } from './compile.ts'

/** A real node (anvil) with the tokens of Ethereum. */
export interface EthereumDevnet extends Service, EthereumContracts {
  rpcUrl: string
  wsUrl: string
  faucetPrivateKey: Hex
}

export interface EthereumContracts {
  usdc: Address
  usdt: Address
  /** A token that calls itself USDC and is not. */
  fakeUsdc: Address
  /** Sends several transfers in one transaction; holds some of both tokens. */
  batch: Address
}

/** anvil's first account: public knowledge, worth nothing outside a devnet. It mints both tokens and holds plenty. */
const faucetPrivateKey: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const chainId = 31337

export const devnetChain = (rpcUrl: string) =>
  defineChain({
    id: chainId,
    name: 'devnet',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })

/**
 * @param blockSeconds one block each so many seconds; 0: only when a test asks for one (`evm_mine`)
 * @param home keeps blocks and the last state over restarts. Not every block's state: after an hour that is a file of
 *   gigabytes, which takes half a minute to write at the end. So a reorg cannot reach back beyond a restart
 */
export async function startEthereumDevnet(options: { blockSeconds: number; port?: number; home?: string }): Promise<EthereumDevnet> {
  const binary = join(
    import.meta.dirname,
    `../../node_modules/@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}/bin/anvil`,
  )
  const folder = options.home && join(options.home, 'ethereum')
  const pidFile = folder && join(folder, 'anvil.pid')
  if (folder) mkdirSync(folder, { recursive: true })
  if (pidFile) await endLeftover(pidFile, 'SIGTERM')
  const port = await freePort(options.port)
  const rpcUrl = `http://127.0.0.1:${port}`
  const service = await startService(
    'anvil',
    binary,
    [
      '--port',
      String(port),
      '--chain-id',
      String(chainId),
      '--slots-in-an-epoch',
      '4',
      '--quiet',
      ...(options.blockSeconds > 0 ? ['--block-time', String(options.blockSeconds)] : ['--no-mining']),
      ...(folder ? ['--state', join(folder, 'state.json'), '--state-interval', '10'] : []),
    ],
    {
      stopSignal: 'SIGTERM',
      ready: async () => (await rpc(rpcUrl, 'eth_chainId', [])) !== undefined,
    },
  )
  if (folder && pidFile) rememberService(pidFile, service, folder)
  const contracts = await deployOnce(rpcUrl, folder ? join(folder, 'contracts.json') : undefined)
  return { ...service, ...contracts, rpcUrl, wsUrl: `ws://127.0.0.1:${port}`, faucetPrivateKey }
}

/** One plain JSON-RPC call, for what viem has no method for. */
export async function rpc(url: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

async function deployOnce(rpcUrl: string, file: string | undefined): Promise<EthereumContracts> {
  const client = createPublicClient({ transport: http(rpcUrl) })
  if (file && existsSync(file)) {
    const known = JSON.parse(readFileSync(file, 'utf8')) as EthereumContracts
    if (await client.getCode({ address: known.usdc })) return known
  }
  const compiled = compileContracts()
  const wallet = createWalletClient({ account: privateKeyToAccount(faucetPrivateKey), chain: devnetChain(rpcUrl), transport: http(rpcUrl) })
  let nonce = await client.getTransactionCount({ address: wallet.account.address })
  const hashes: Hex[] = []
  const deploy = async (name: keyof typeof compiled) =>
    hashes.push(await wallet.deployContract({ ...compiled[name], gas: 3_000_000n, nonce: nonce++ }))
  for (const name of ['TestUSDC', 'TestUSDT', 'TestUSDC', 'Batch'] as const) await deploy(name)
  await rpc(rpcUrl, 'evm_mine', [])
  const receipts = await Promise.all(hashes.map((hash) => client.waitForTransactionReceipt({ hash, pollingInterval: 50 })))
  const [usdc, usdt, fakeUsdc, batch] = receipts.map((receipt) => receipt.contractAddress?.toLowerCase() as Address)
  if (!usdc || !usdt || !fakeUsdc || !batch) throw new Error('the devnet contracts were not deployed')
  const plenty = 10n ** 18n
  const me = wallet.account.address
  const write = async (address: Address, name: 'TestUSDC' | 'TestUSDT', functionName: string, args: unknown[]) =>
    hashes.push(await wallet.writeContract({ address, abi: compiled[name].abi, functionName, args, gas: 200_000n, nonce: nonce++ }))
  await write(usdc, 'TestUSDC', 'mint', [me, plenty])
  await write(fakeUsdc, 'TestUSDC', 'mint', [me, plenty])
  await write(usdt, 'TestUSDT', 'issue', [plenty])
  await write(usdc, 'TestUSDC', 'mint', [batch, plenty])
  await write(usdt, 'TestUSDT', 'transfer', [batch, plenty / 2n])
  await rpc(rpcUrl, 'evm_mine', [])
  await Promise.all(hashes.slice(4).map((hash) => client.waitForTransactionReceipt({ hash, pollingInterval: 50 })))
  const contracts = { usdc, usdt, fakeUsdc, batch }
  if (file) writeFileSync(file, JSON.stringify(contracts))
  return contracts
}
