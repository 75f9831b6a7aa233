import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../scripts/local/freePort.ts'
import { endLeftover, rememberService, type Service, startService } from '../../scripts/local/service.ts'
import { nodeProgram } from './nodeProgram.ts'
import { people, tokens } from './stellar/genesis.ts'

/** A ledger and both its APIs, which the public clients (`rpc.Server` and `Horizon.Server`, with `allowHttp`) work with unchanged. */
export interface StellarDevnet extends Service {
  chain: 'stellar'
  /** Of Stellar RPC. Another provider of the same chain, which may misbehave, is at `faceUrls`. */
  rpcUrl: string
  horizonUrl: string
  /** `?addr=G…` makes an account with 10,000 lumens. */
  friendbotUrl: string
  networkPassphrase: string
  blockMs: number
  /** `S…`; holds plenty of lumens and of the tokens. */
  faucetPrivateKey: string
  /** `CODE:ISSUER`, as all tokens here: 7 decimals. */
  usdc: string
  usdt: string
  /** A token that calls itself USDC and is not. The faucet has some. */
  fakeUsdc: string
  /** `S…`, of the tokens in this order: of `usdc`, `usdt`, `fakeUsdc`. */
  issuerPrivateKeys: { usdc: string; usdt: string; fakeUsdc: string }
  /** The same chain by another provider. It is honest until it is told to misbehave. */
  faceUrls(face: string): { rpcUrl: string; horizonUrl: string }
  /** @throws with the devnet's answer when it cannot do that */
  control<T = unknown>(action: string, params?: object): Promise<T>
}

/** Of no other network, so that what is signed for one is not valid on another. */
const networkPassphrase = 'Cowry Devnet ; November 2026'

/** What Cowry is told of a devnet whose ledgers close on request. */
const unhurriedBlockMs = 1_000

const readyAnswerMs = 1_000

/**
 * @param blockMs one ledger each so many milliseconds; 0: only when a test asks for one (`mine`), and when friendbot makes an account
 * @param home keeps the chain over restarts
 */
export async function startStellarDevnet(options: { blockMs: number; port?: number; home?: string }): Promise<StellarDevnet> {
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
    { stopSignal: 'SIGTERM', ready: async () => (await fetch(`${url}/horizon`, { signal: AbortSignal.timeout(readyAnswerMs) })).ok },
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
    faucetPrivateKey: people.faucet.secret(),
    usdc: tokens.usdc.toString(),
    usdt: tokens.usdt.toString(),
    fakeUsdc: tokens.fakeUsdc.toString(),
    issuerPrivateKeys: { usdc: people.usdcIssuer.secret(), usdt: people.usdtIssuer.secret(), fakeUsdc: people.fakeIssuer.secret() },
    faceUrls: (face) => ({ rpcUrl: `${url}/faces/${face}/rpc`, horizonUrl: `${url}/faces/${face}/horizon` }),
    async control<T>(action: string, params: object = {}): Promise<T> {
      const response = await fetch(`${url}/control`, { method: 'POST', body: JSON.stringify({ action, ...params }) })
      const answer = (await response.json()) as T & { error?: string }
      if (!response.ok) throw new Error(`${action}: ${answer.error ?? response.status}`)
      return answer
    },
  }
}

/** The variables that make Cowry read a devnet in place of the chain. */
export function stellarDevnetEnv(devnet: StellarDevnet): Record<string, string> {
  return {
    STELLAR_RPC_URLS: devnet.rpcUrl,
    STELLAR_HORIZON_URLS: devnet.horizonUrl,
    STELLAR_NETWORK: devnet.networkPassphrase,
    STELLAR_BLOCK_MS: String(devnet.blockMs || unhurriedBlockMs),
    STELLAR_USDC: devnet.usdc,
    STELLAR_USDT: devnet.usdt,
  }
}
