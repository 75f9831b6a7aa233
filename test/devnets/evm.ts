import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Address,
  defineChain,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  parseUnits,
  toFunctionSelector,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { freePort } from '../../scripts/local/freePort.ts'
import { endLeftover, rememberService, type Service, startService } from '../../scripts/local/service.ts'
import { type ChainName, chainNames } from '../../src/chains/registry.ts'
import { startAnvilFront } from './anvilFront.ts'
import { compileContracts } from './compile.ts'

export type EvmChainName = Exclude<ChainName, 'solana' | 'tron' | 'stellar'>

/**
 * Each mainnet's coin and tokens. Repeated here instead of read from the registry, so that mistakes there
 * show.
 */
const worlds: Record<
  EvmChainName,
  { coin: string; decimals: number; usdt: boolean; bridged: readonly ('USDC' | 'USDT')[] }
> = {
  ethereum: { coin: 'ETH', decimals: 6, usdt: true, bridged: [] },
  polygon: { coin: 'POL', decimals: 6, usdt: true, bridged: ['USDC'] },
  bsc: { coin: 'BNB', decimals: 18, usdt: true, bridged: [] },
  base: { coin: 'ETH', decimals: 6, usdt: false, bridged: [] },
  arbitrum: { coin: 'ETH', decimals: 6, usdt: true, bridged: ['USDC'] },
  optimism: { coin: 'ETH', decimals: 6, usdt: true, bridged: ['USDC', 'USDT'] },
}

/** Chains with a devnet, in the registry's order. */
export const evmChainNames: readonly EvmChainName[] = chainNames.filter(
  (name): name is EvmChainName => name in worlds,
)

/** A real node (anvil) with one chain's tokens. */
export interface EvmDevnet extends Service, EvmContracts {
  chain: EvmChainName
  chainId: number
  rpcUrl: string
  wsUrl: string
  faucetPrivateKey: Hex
  /** The same for every token on this devnet. */
  decimals: number
}

export interface EvmContracts {
  usdc: Address
  usdt: Address | null
  /** A token with the name USDC that is not USDC. */
  fakeUsdc: Address
  /** Older tokens issued by a bridge, which people mistake for the native ones. */
  bridgedUsdc: Address | null
  bridgedUsdt: Address | null
  /** Sends several transfers in one transaction; holds both tokens. */
  batch: Address
  /** Moves the native coin by internal calls. */
  forwarder: Address
  /** 0x's Settler, the one before, and the pool that it trades with. */
  settler: Address
  previousSettler: Address
  pool: Address
}

/** Where 0x has its contracts on every chain. */
export const allowanceHolder: Address = '0x0000000000001ff3684f28c67538d4d072c22734'
export const settlerDeployer: Address = '0x00000000000004533fe15556b1e086bb1a72ceae'

/** 0x's own bytecode, by its compiler; its source, settings and licence are in the file. */
function allowanceHolderCode(): Hex {
  const file = new URL('./contracts/allowanceHolder.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { runtimeBytecode: Hex }).runtimeBytecode
}

/**
 * anvil's first account: publicly known, worthless outside a devnet. Mints the tokens and holds plenty of
 * each.
 */
const faucetPrivateKey: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

/** Polygon's system contract: its log reports every transfer of the native coin. */
const polygonNativeLog: Address = '0x0000000000000000000000000000000000001010'

/** Different for each devnet, so that a transaction of one is invalid on another. */
export const devnetChainId = (chain: EvmChainName): number => 31337 + evmChainNames.indexOf(chain)

/** The chain's definition for viem. */
export const devnetChain = (chain: EvmChainName, rpcUrl: string) =>
  defineChain({
    id: devnetChainId(chain),
    name: `${chain} devnet`,
    nativeCurrency: { name: worlds[chain].coin, symbol: worlds[chain].coin, decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })

/**
 * Variables that make Cowry read a devnet in place of the chain. The caller chooses the confirmation rule.
 */
export function devnetEnv(devnet: EvmDevnet): Record<string, string> {
  const values = {
    RPC_URLS: devnet.rpcUrl,
    WS_URLS: devnet.wsUrl,
    CHAIN_ID: String(devnet.chainId),
    BLOCK_MS: '1000',
    USDC: devnet.usdc,
    USDT: devnet.usdt,
    USDC_BRIDGED: devnet.bridgedUsdc,
    USDT_BRIDGED: devnet.bridgedUsdt,
  }
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === null ? [] : [[`${devnet.chain.toUpperCase()}_${name}`, value]],
    ),
  )
}

/**
 * @param blockSeconds seconds between blocks; 0: only when a test mines one (`evm_mine`)
 * @param home keeps blocks and the last state over restarts, but not each block's state: after an hour that
 * is gigabytes and takes
 *   half a minute to write. So a reorg cannot reach back beyond a restart. (anvil writes it when stopped, and
 * at an interval in
 *   case it is killed: a day's blocks are 150 MB, so six devnets do not write them every few seconds.)
 */
export async function startEvmDevnet(options: {
  chain: EvmChainName
  blockSeconds: number
  port?: number
  home?: string
}): Promise<EvmDevnet> {
  const { chain, home, blockSeconds } = options
  const binary = join(
    import.meta.dirname,
    `../../node_modules/@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}/bin/anvil`,
  )
  const folder = home && join(home, chain)
  const pidFile = folder && join(folder, 'anvil.pid')
  if (folder) mkdirSync(folder, { recursive: true })
  if (pidFile) await endLeftover(pidFile, 'SIGTERM')
  const nodePort = await freePort()
  const nodeUrl = `http://127.0.0.1:${nodePort}`
  const node = await startService(
    `anvil (${chain})`,
    binary,
    [
      '--port',
      String(nodePort),
      '--chain-id',
      String(devnetChainId(chain)),
      // `safe` is one epoch behind the head, `finalized` two: 4 and 8 blocks.
      '--slots-in-an-epoch',
      '4',
      // Otherwise older states go to anvil's own folder, gigabytes an hour, and stay there.
      '--prune-history',
      '300',
      '--quiet',
      '--no-mining',
      ...(folder ? ['--state', join(folder, 'state.json'), '--state-interval', '30'] : []),
    ],
    {
      stopSignal: 'SIGTERM',
      ready: async () => (await rpc(nodeUrl, 'eth_chainId', [])) !== undefined,
    },
  )
  if (folder && pidFile) rememberService(pidFile, node, folder)
  const port = await freePort(options.port)
  const front = await startAnvilFront(nodeUrl, port)
  const rpcUrl = front.url
  let mining: NodeJS.Timeout | undefined
  const service: Service = {
    ...node,
    async stop() {
      clearInterval(mining)
      await Promise.all([node.stop(), front.close()])
    },
  }
  try {
    const contracts = await deployOnce(chain, rpcUrl, folder ? join(folder, 'contracts.json') : undefined)
    const { decimals } = worlds[chain]
    // Not by anvil's own clock: it would bypass the proxy's queue.
    if (blockSeconds > 0)
      mining = setInterval(() => void rpc(rpcUrl, 'evm_mine', []).catch(() => {}), blockSeconds * 1000)
    return {
      ...service,
      ...contracts,
      chain,
      chainId: devnetChainId(chain),
      rpcUrl,
      wsUrl: `ws://127.0.0.1:${port}`,
      faucetPrivateKey,
      decimals,
    }
  } catch (error) {
    await service.stop()
    throw error
  }
}

export interface Call {
  method: string
  params: unknown[]
}

/** One plain JSON-RPC call, for methods that viem lacks. */
export async function rpc(url: string, method: string, params: unknown[]): Promise<unknown> {
  const [result] = await batch(url, [{ method, params }])
  return result
}

export async function batch(url: string, calls: readonly Call[]): Promise<unknown[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
  })
  const answers = (await response.json()) as { id: number; result?: unknown; error?: { message: string } }[]
  return calls.map(({ method }, id) => {
    const answer = answers.find((each) => each.id === id)
    if (!answer || answer.error) throw new Error(`${method}: ${answer?.error?.message ?? 'no answer'}`)
    return answer.result
  })
}

async function deployOnce(
  chain: EvmChainName,
  rpcUrl: string,
  file: string | undefined,
): Promise<EvmContracts> {
  if (file && existsSync(file)) {
    const known = JSON.parse(readFileSync(file, 'utf8')) as Partial<EvmContracts>
    // Files of an older version lack some contracts, or have a token that cannot be burnt.
    const code =
      known.pool && known.usdc ? String(await rpc(rpcUrl, 'eth_getCode', [known.usdc, 'latest'])) : ''
    const pool = known.pool ? await rpc(rpcUrl, 'eth_getCode', [known.pool, 'latest']) : '0x'
    if (pool !== '0x' && code.includes(toFunctionSelector('burn(uint256)').slice(2)))
      return known as EvmContracts
  }
  const contracts = await deploy(chain, rpcUrl)
  if (file) writeFileSync(file, JSON.stringify(contracts))
  return contracts
}

/** Sends all transactions in one block: addresses are derived from nonces. */
async function deploy(chain: EvmChainName, rpcUrl: string): Promise<EvmContracts> {
  const { decimals, usdt: hasUsdt, bridged } = worlds[chain]
  const compiled = compileContracts()
  const account = privateKeyToAccount(faucetPrivateKey)
  const first = await firstNonce(chain, rpcUrl, account.address)
  const transactions: { to?: Address; data: Hex }[] = []
  const create = (name: keyof typeof compiled, args: unknown[] = []): Address => {
    const nonce = BigInt(first + transactions.length)
    transactions.push({ data: encodeDeployData({ ...compiled[name], args }) })
    return getContractAddress({ from: account.address, nonce }).toLowerCase() as Address
  }
  const call = (to: Address, name: keyof typeof compiled, functionName: string, args: unknown[]) =>
    void transactions.push({ to, data: encodeFunctionData({ abi: compiled[name].abi, functionName, args }) })

  const contracts: EvmContracts = {
    usdc: create('TestUSDC', ['USD Coin', 'USDC', decimals]),
    usdt: hasUsdt ? create('TestUSDT', [decimals]) : null,
    fakeUsdc: create('TestUSDC', ['USD Coin', 'USDC', decimals]),
    bridgedUsdc: bridged.includes('USDC')
      ? create('TestUSDC', ['USD Coin (bridged)', 'USDC.e', decimals])
      : null,
    bridgedUsdt: bridged.includes('USDT')
      ? create('TestUSDC', ['Tether USD (bridged)', 'USDT', decimals])
      : null,
    batch: create('Batch'),
    forwarder: create('Forwarder'),
    settler: create('TestSettler'),
    previousSettler: create('TestSettler'),
    pool: create('TestPool'),
  }
  const deployer = create('TestDeployer', [contracts.settler, contracts.previousSettler])
  const nativeLog = chain === 'polygon' ? create('NativeLog') : null
  const plenty = parseUnits('1000000000000', decimals)
  for (const token of [contracts.usdc, contracts.fakeUsdc, contracts.bridgedUsdc, contracts.bridgedUsdt])
    if (token) call(token, 'TestUSDC', 'mint', [account.address, plenty])
  for (const holder of [contracts.batch, contracts.pool])
    call(contracts.usdc, 'TestUSDC', 'mint', [holder, plenty])
  if (contracts.usdt) {
    call(contracts.usdt, 'TestUSDT', 'issue', [plenty])
    for (const holder of [contracts.batch, contracts.pool])
      call(contracts.usdt, 'TestUSDT', 'transfer', [holder, plenty / 4n])
  }

  const chainId = devnetChainId(chain)
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n }
  const signed = await Promise.all(
    transactions.map((transaction, i) =>
      account.signTransaction({
        type: 'eip1559',
        chainId,
        nonce: first + i,
        gas: transaction.to ? 200_000n : 1_500_000n,
        ...fees,
        ...transaction,
      }),
    ),
  )
  const sent = await batch(
    rpcUrl,
    signed.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })),
  )
  await rpc(rpcUrl, 'evm_mine', [])
  const receipts = await batch(
    rpcUrl,
    sent.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  )
  if (receipts.some((receipt) => (receipt as { status: Hex } | null)?.status !== '0x1'))
    throw new Error(`the contracts of ${chain} were not deployed`)
  await rpc(rpcUrl, 'anvil_setCode', [allowanceHolder, allowanceHolderCode()])
  await rpc(rpcUrl, 'anvil_setBalance', [contracts.pool, toHex(parseUnits('1000000', 18))])
  const moved: [Address, Address | null][] = [
    [settlerDeployer, deployer],
    [polygonNativeLog, nativeLog],
  ]
  for (const [to, from] of moved) {
    if (from) await rpc(rpcUrl, 'anvil_setCode', [to, await rpc(rpcUrl, 'eth_getCode', [from, 'latest'])])
  }
  return contracts
}

/**
 * On a new chain the account starts at a different nonce than on others: a token must not have the same
 * address on two chains.
 */
async function firstNonce(chain: EvmChainName, rpcUrl: string, account: Address): Promise<number> {
  const nonce = Number(await rpc(rpcUrl, 'eth_getTransactionCount', [account, 'pending']))
  const own = 1000 * evmChainNames.indexOf(chain)
  if (nonce > 0 || own === 0) return nonce
  await rpc(rpcUrl, 'anvil_setNonce', [account, toHex(own)])
  return own
}
