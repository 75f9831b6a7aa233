import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { base58 } from '@scure/base'
import { freePort } from '../../scripts/local/freePort.ts'
import { endLeftover, rememberService, type Service, startService } from '../../scripts/local/service.ts'
import { nodeProgram } from './nodeProgram.ts'
import { devnetKeys } from './solana/keys.ts'

/**
 * A stand-in for a Solana node: the real virtual machine and token programs (litesvm) under the node's own JSON-RPC and
 * WebSocket API. There is one leader and no consensus; what is confirmed and final is a matter of depth.
 */
export interface SolanaDevnet extends Service {
  chain: 'solana'
  rpcUrl: string
  /** On the same port, where web3.js by itself would look at the next one: give it as `wsEndpoint`. */
  wsUrl: string
  /** Tells this chain from others. */
  genesisHash: string
  blockMs: number
  /** base58 of 64 bytes. Holds plenty of SOL and of all tokens, and is the mints' authority. Public knowledge. */
  faucetPrivateKey: string
  usdc: string
  usdt: string
  /** A Token-2022 mint that keeps 1 % of each transfer. All mints here have 6 decimals. */
  feeToken: string
  /** A program that hands an instruction on to the program in its last account: see `throughForwarder` and `sendByInnerInstruction`. */
  senderProgram: string
  /** Another view of the same chain, honest until it is told to misbehave. */
  face(name: string): { rpcUrl: string; wsUrl: string }
  /** Steers the chain: `mine`, `skip`, `hold`, `reorg`, `misbehave`, `status`. @throws with the devnet's sentence */
  control<T = unknown>(action: string, params?: object): Promise<T>
}

export interface SolanaDevnetOptions {
  /** 0: blocks come only when asked for. */
  blockMs: number
  port?: number
  /** Keeps chain, accounts and history over restarts. Everything is there again after an orderly end; else what was there 30 s before. */
  home?: string
  /** Blocks between a confirmed and a final one: 32 on mainnet. */
  finalizedDepth?: number
}

/** Slots of mainnet are so long (Solana docs, Terminology: slot). */
const mainnetBlockMs = 400
const mainnetFinalizedDepth = 32

/** One plain call. @throws when it is answered with an error */
async function rpc<T>(url: string, method: string): Promise<T> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }) })
  const { result, error } = (await response.json()) as { result?: T; error?: { message: string } }
  if (result === undefined) throw new Error(`${method}: ${error?.message ?? 'no answer'}`)
  return result
}

export async function startSolanaDevnet(options: SolanaDevnetOptions): Promise<SolanaDevnet> {
  const { blockMs, finalizedDepth = mainnetFinalizedDepth } = options
  const home = options.home && join(options.home, 'solana')
  const pidFile = home && join(home, 'solana.pid')
  if (home) mkdirSync(home, { recursive: true })
  if (pidFile) await endLeftover(pidFile, 'SIGTERM')
  const port = await freePort(options.port)
  const rpcUrl = `http://127.0.0.1:${port}`
  const wsUrl = `ws://127.0.0.1:${port}`
  const service = await startService(
    'solana devnet',
    process.execPath,
    nodeProgram(
      'solana/main.ts',
      ...['--port', String(port), '--block-ms', String(blockMs), '--finalized-depth', String(finalizedDepth)],
      ...(home ? ['--home', home] : []),
    ),
    { stopSignal: 'SIGTERM', ready: async () => (await rpc(rpcUrl, 'getHealth')) === 'ok' },
  )
  if (home && pidFile) rememberService(pidFile, service, home)
  const address = (key: keyof typeof devnetKeys) => devnetKeys[key].publicKey.toBase58()
  try {
    return {
      ...service,
      chain: 'solana',
      rpcUrl,
      wsUrl,
      blockMs,
      genesisHash: await rpc(rpcUrl, 'getGenesisHash'),
      faucetPrivateKey: base58.encode(devnetKeys.faucet.secretKey),
      usdc: address('usdc'),
      usdt: address('usdt'),
      feeToken: address('feeToken'),
      senderProgram: address('forwarder'),
      face: (name) => ({ rpcUrl: `${rpcUrl}/faces/${name}`, wsUrl: `${wsUrl}/faces/${name}` }),
      control: async <T>(action: string, params: object = {}) => {
        const response = await fetch(`${rpcUrl}/control`, { method: 'POST', body: JSON.stringify({ action, ...params }) })
        const answer = (await response.json()) as T & { error?: string }
        if (!response.ok) throw new Error(answer.error)
        return answer
      },
    }
  } catch (error) {
    await service.stop()
    throw error
  }
}

/** The variables that make Cowry read this devnet in place of the chain. */
export function solanaDevnetEnv(devnet: SolanaDevnet): Record<string, string> {
  return {
    SOLANA_RPC_URLS: devnet.rpcUrl,
    SOLANA_WS_URLS: devnet.wsUrl,
    SOLANA_NETWORK: devnet.genesisHash,
    SOLANA_BLOCK_MS: String(devnet.blockMs || mainnetBlockMs),
    SOLANA_USDC: devnet.usdc,
    SOLANA_USDT: devnet.usdt,
  }
}
