import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../scripts/local/freePort.ts'
import { endLeftover, rememberService, type Service, startService } from '../../scripts/local/service.ts'
import { nodeProgram } from './nodeProgram.ts'
import type { MainOptions } from './tron/main.ts'

export interface TronContracts {
  /** TRC-20 with six decimals, `T…`; the faucet and `batch` hold plenty. */
  usdt: string
  /** Another contract with the name USDT. */
  fakeUsdt: string
  /** Sends several TRC-20 transfers in one transaction, from its own balance. */
  batch: string
  /** Forwards TRX by internal transactions. */
  forwarder: string
}

export interface TronDevnet extends Service, TronContracts {
  chain: 'tron'
  /** Full node and solidity node on one URL, as at TronGrid. */
  rpcUrl: string
  /** Hex, without 0x. Holds plenty of TRX, USDT and the TRC-10 token 1000001. */
  faucetPrivateKey: string
  /** The id of block 0: identifies the network. */
  genesisBlockId: string
  blockMs: number
  apiKey: string | null
  /** The same chain from a provider that misbehaves as set by `control('misbehave', { face, … })`. */
  faceUrl(face: string): string
  /** @throws with the devnet's message if it refuses */
  control<T = unknown>(action: string, params?: object): Promise<T>
}

/** 2/3 of the 27 Super Representatives, plus one. */
const defaultSolidifiedDepth = 19

/** Variables that make Cowry read a devnet in place of the chain. */
export const tronDevnetEnv = (
  devnet: Pick<TronDevnet, 'rpcUrl' | 'genesisBlockId' | 'blockMs' | 'usdt' | 'apiKey'>,
): Record<string, string> => ({
  TRON_RPC_URLS: devnet.rpcUrl,
  TRON_NETWORK: devnet.genesisBlockId,
  TRON_BLOCK_MS: String(devnet.blockMs || 1000),
  TRON_USDT: devnet.usdt,
  ...(devnet.apiKey === null ? {} : { TRON_API_KEY: devnet.apiKey }),
})

/**
 * @param options.blockMs 0: blocks only on `control('mine')`
 * @param options.home keeps the chain over restarts: written on a clean stop and every 30 s
 * @param options.solidifiedDepth blocks on top of a block before `/walletsolidity` serves it
 * @param options.apiKey refuses requests without it in `TRON-PRO-API-KEY`, as TronGrid does
 */
export async function startTronDevnet(options: {
  blockMs: number
  port?: number
  home?: string
  solidifiedDepth?: number
  apiKey?: string
}): Promise<TronDevnet> {
  const folder = options.home ? join(options.home, 'tron') : undefined
  const pidFile = folder && join(folder, 'tron.pid')
  if (folder) mkdirSync(folder, { recursive: true })
  if (pidFile) await endLeftover(pidFile, 'SIGTERM')
  const port = await freePort(options.port)
  const rpcUrl = `http://127.0.0.1:${port}`
  const apiKey = options.apiKey ?? null
  const mainOptions: MainOptions = {
    port,
    blockMs: options.blockMs,
    home: folder ?? null,
    solidifiedDepth: options.solidifiedDepth ?? defaultSolidifiedDepth,
    apiKey,
  }
  const control = async <T>(action: string, params: object = {}): Promise<T> => {
    const response = await fetch(`${rpcUrl}/control`, {
      method: 'POST',
      body: JSON.stringify({ action, ...params }),
    })
    const answer = (await response.json()) as T & { error?: string }
    if (!response.ok) throw new Error(answer.error ?? `control ${action}: ${response.status}`)
    return answer
  }
  const service = await startService(
    'tron devnet',
    process.execPath,
    nodeProgram('tron/main.ts', JSON.stringify(mainOptions)),
    {
      stopSignal: 'SIGTERM',
      ready: async () => (await control('info')) !== undefined,
    },
  )
  if (folder && pidFile) rememberService(pidFile, service, folder)
  const known = await control<TronContracts & { genesisBlockId: string; faucetPrivateKey: string }>('info')
  return {
    ...service,
    chain: 'tron',
    rpcUrl,
    ...known,
    blockMs: options.blockMs,
    apiKey,
    faceUrl: (face) => `${rpcUrl}/faces/${face}`,
    control,
  }
}
