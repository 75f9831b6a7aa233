import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { base58 } from '@scure/base'
import { freePort } from '../../scripts/local/freePort.ts'
import { endLeftover, rememberService, type Service, startService } from '../../scripts/local/service.ts'
import { nodeProgram } from './nodeProgram.ts'
import { devnetKeys } from './solana/keys.ts'

/**
 * A stand-in for a Solana node: the real virtual machine and token programs (litesvm) under the node's own
 * JSON-RPC and WebSocket API. One leader, no consensus: depth decides what is confirmed and final.
 */
export interface SolanaDevnet extends Service {
  chain: 'solana'
  rpcUrl: string
  /** On the same port as the RPC. web3.js assumes the next one by default: pass this as `wsEndpoint`. */
  wsUrl: string
  /** Identifies the chain. */
  genesisHash: string
  blockMs: number
  /**
   * base58 of 64 bytes. Holds plenty of SOL and of all tokens, and is the mints' authority. Publicly known.
   */
  faucetPrivateKey: string
  usdc: string
  usdt: string
  /** A Token-2022 mint with a transfer fee of 1 %. All mints here have 6 decimals. */
  feeToken: string
  /**
   * A program that forwards an instruction to the program in its last account: see `throughForwarder` and
   * `sendByInnerInstruction`.
   */
  senderProgram: string
  /** Another view of the same chain, honest until it is set to misbehave. */
  face(name: string): { rpcUrl: string; wsUrl: string }
  /**
   * Controls the chain: `mine`, `skip`, `hold`, `reorg`, `price`, `misbehave`, `status`. @throws with the
   * devnet's message
   */
  control<T = unknown>(action: string, params?: object): Promise<T>
}

export interface SolanaDevnetOptions {
  /** 0: blocks only on request. */
  blockMs: number
  port?: number
  /**
   * Keeps chain, accounts and history over restarts: everything after an orderly stop, otherwise the state of
   * up to 30 s before.
   */
  home?: string
  /** Blocks between a confirmed and a final one: 32 on mainnet. */
  finalizedDepth?: number
}

/** Mainnet's slot time (Solana docs, Terminology: slot). */
const mainnetBlockMs = 400
const mainnetFinalizedDepth = 32

/** One plain call. @throws if the answer is an error */
async function rpc<T>(url: string, method: string): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
  })
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
        const response = await fetch(`${rpcUrl}/control`, {
          method: 'POST',
          body: JSON.stringify({ action, ...params }),
        })
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

/** Variables that make Cowry read this devnet in place of the chain. */
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
