import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../scripts/local/freePort.ts'
import { endLeftover, rememberService, type Service, startService } from '../../scripts/local/service.ts'
import { nodeProgram } from './nodeProgram.ts'
import { keypairs, tokens } from './stellar/genesis.ts'

/**
 * A ledger and both its APIs. The public clients (`rpc.Server` and `Horizon.Server`, with `allowHttp`) work
 * with it unchanged.
 */
export interface StellarDevnet extends Service {
  chain: 'stellar'
  /** Stellar RPC. `faceUrls` are other providers of the same chain, which may misbehave. */
  rpcUrl: string
  horizonUrl: string
  /** `?addr=G…` creates an account with 10,000 lumens. */
  friendbotUrl: string
  networkPassphrase: string
  blockMs: number
  /** `S…`; holds plenty of lumens and of the tokens. */
  faucetPrivateKey: string
  /** `CODE:ISSUER`. All tokens here have 7 decimals. */
  usdc: string
  usdt: string
  /** A token with the name USDC that is not USDC. The faucet has some. */
  fakeUsdc: string
  /** `S…` of each token's issuer. */
  issuerPrivateKeys: { usdc: string; usdt: string; fakeUsdc: string }
  /** Another provider of the same chain, honest until it is set to misbehave. */
  faceUrls(face: string): { rpcUrl: string; horizonUrl: string }
  /** @throws with the devnet's message if the action fails */
  control<T = unknown>(action: string, params?: object): Promise<T>
}

/** Unique to this devnet, so that signatures are invalid on other networks. */
const networkPassphrase = 'Cowry Devnet ; November 2026'

/** Cowry's setting for a devnet that closes ledgers on request only. */
const onRequestBlockMs = 1_000

const readyAnswerMs = 1_000

/**
 * @param blockMs milliseconds per ledger; 0: only when a test requests one (`mine`), and when friendbot
 * creates an account
 * @param home keeps the chain over restarts
 */
export async function startStellarDevnet(options: {
  blockMs: number
  port?: number
  home?: string
}): Promise<StellarDevnet> {
  const { blockMs, home } = options
  const folder = home && join(home, 'stellar')
  const pidFile = folder && join(folder, 'devnet.pid')
  if (folder) mkdirSync(folder, { recursive: true })
  if (pidFile) await endLeftover(pidFile, 'SIGTERM')
  const port = await freePort(options.port)
  const url = `http://127.0.0.1:${port}`
  const settings = ['--port', String(port), '--block-ms', String(blockMs), '--passphrase', networkPassphrase]
  const service = await startService(
    'stellar devnet',
    process.execPath,
    nodeProgram('stellar/main.ts', ...settings, ...(folder ? ['--home', folder] : [])),
    {
      stopSignal: 'SIGTERM',
      ready: async () => (await fetch(`${url}/horizon`, { signal: AbortSignal.timeout(readyAnswerMs) })).ok,
    },
  )
  if (folder && pidFile) rememberService(pidFile, service, folder)
  return {
    ...service,
    chain: 'stellar',
    rpcUrl: `${url}/rpc`,
    horizonUrl: `${url}/horizon`,
    friendbotUrl: `${url}/friendbot`,
    networkPassphrase,
    blockMs,
    faucetPrivateKey: keypairs.faucet.secret(),
    usdc: tokens.usdc.toString(),
    usdt: tokens.usdt.toString(),
    fakeUsdc: tokens.fakeUsdc.toString(),
    issuerPrivateKeys: {
      usdc: keypairs.usdcIssuer.secret(),
      usdt: keypairs.usdtIssuer.secret(),
      fakeUsdc: keypairs.fakeIssuer.secret(),
    },
    faceUrls: (face) => ({ rpcUrl: `${url}/faces/${face}/rpc`, horizonUrl: `${url}/faces/${face}/horizon` }),
    async control<T>(action: string, params: object = {}): Promise<T> {
      const response = await fetch(`${url}/control`, {
        method: 'POST',
        body: JSON.stringify({ action, ...params }),
      })
      const answer = (await response.json()) as T & { error?: string }
      if (!response.ok) throw new Error(`${action}: ${answer.error ?? response.status}`)
      return answer
    },
  }
}

/** Variables that make Cowry read a devnet in place of the chain. */
export function stellarDevnetEnv(devnet: StellarDevnet): Record<string, string> {
  return {
    STELLAR_RPC_URLS: devnet.rpcUrl,
    STELLAR_HORIZON_URLS: devnet.horizonUrl,
    STELLAR_NETWORK: devnet.networkPassphrase,
    STELLAR_BLOCK_MS: String(devnet.blockMs || onRequestBlockMs),
    STELLAR_USDC: devnet.usdc,
    STELLAR_USDT: devnet.usdt,
  }
}
