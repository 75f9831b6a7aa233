import type { ChainName } from '../../src/chains/registry.ts'
import { devnetEnv, evmChainNames, startEvmDevnet } from '../../test/devnets/evm.ts'
import { solanaDevnetEnv, startSolanaDevnet } from '../../test/devnets/solana.ts'
import { startStellarDevnet, stellarDevnetEnv } from '../../test/devnets/stellar.ts'
import { startTronDevnet, tronDevnetEnv } from '../../test/devnets/tron.ts'
import type { ZeroXMarket } from '../../test/partners/zeroXRoute.ts'
import type { Service } from '../local/service.ts'

/** A devnet of `npm start`, for a chain without configured nodes. */
export interface DevDevnet {
  chain: ChainName
  service: Service
  /** Environment variables that connect Cowry to it. */
  env: Record<string, string>
  /** Its entry in `dev.json`: URLs, tokens, and an account that holds plenty of all of them. */
  published: {
    rpcUrl: string
    faucetPrivateKey: string
    usdc?: string
    usdt?: string
    decimals: number
    market?: ZeroXMarket
    [more: string]: unknown
  }
}

/** One block per second on all devnets. */
const blockMs = 1000
/** Blocks until finality. Mainnets take longer: 32 on Solana, 19 on Tron. */
const finalAfter = 6
const evmConfirmations = '3'

interface Options {
  home: string
  port: number
}

/** A devnet per supported chain, in the registry's order. */
export const devDevnets: Partial<Record<ChainName, (options: Options) => Promise<DevDevnet>>> = {
  ...Object.fromEntries(
    evmChainNames.map((chain) => [
      chain,
      async ({ home, port }: Options): Promise<DevDevnet> => {
        const devnet = await startEvmDevnet({ chain, blockSeconds: blockMs / 1000, port, home })
        const { chainId, rpcUrl, wsUrl, faucetPrivateKey, usdc, usdt, decimals, settler, pool } = devnet
        // Polygon keeps its own rule, finality: on a devnet it takes eight blocks.
        const confirmations: Record<string, string> =
          chain === 'polygon' ? {} : { [`${chain.toUpperCase()}_CONFIRMATIONS`]: evmConfirmations }
        return {
          chain,
          service: devnet,
          env: { ...devnetEnv(devnet), ...confirmations },
          published: {
            chainId,
            rpcUrl,
            wsUrl,
            faucetPrivateKey,
            usdc,
            ...(usdt ? { usdt } : {}),
            decimals,
            market: { settler, pool },
          },
        }
      },
    ]),
  ),
  async solana({ home, port }) {
    const devnet = await startSolanaDevnet({ blockMs, port, home, finalizedDepth: finalAfter })
    const { rpcUrl, wsUrl, faucetPrivateKey, usdc, usdt } = devnet
    return {
      chain: 'solana',
      service: devnet,
      env: solanaDevnetEnv(devnet),
      published: { rpcUrl, wsUrl, faucetPrivateKey, usdc, usdt, decimals: 6 },
    }
  },
  async tron({ home, port }) {
    const devnet = await startTronDevnet({ blockMs, port, home, solidifiedDepth: finalAfter })
    const { rpcUrl, faucetPrivateKey, usdt } = devnet
    return {
      chain: 'tron',
      service: devnet,
      env: tronDevnetEnv(devnet),
      published: { rpcUrl, faucetPrivateKey, usdt, decimals: 6 },
    }
  },
  async stellar({ home, port }) {
    const devnet = await startStellarDevnet({ blockMs, port, home })
    const { rpcUrl, horizonUrl, friendbotUrl, networkPassphrase, faucetPrivateKey, usdc, usdt } = devnet
    return {
      chain: 'stellar',
      service: devnet,
      env: stellarDevnetEnv(devnet),
      published: {
        rpcUrl,
        horizonUrl,
        friendbotUrl,
        networkPassphrase,
        faucetPrivateKey,
        usdc,
        usdt,
        decimals: 7,
      },
    }
  },
}
