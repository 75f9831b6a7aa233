import type { ChainName } from '../../src/chains/registry.ts'
import { devnetEnv, evmChainNames, startEvmDevnet } from '../../test/devnets/evm.ts'
import { solanaDevnetEnv, startSolanaDevnet } from '../../test/devnets/solana.ts'
import { startStellarDevnet, stellarDevnetEnv } from '../../test/devnets/stellar.ts'
import { startTronDevnet, tronDevnetEnv } from '../../test/devnets/tron.ts'
import type { Service } from '../local/service.ts'

/** A devnet of `npm start`, in place of a chain that has no nodes configured. */
export interface DevDevnet {
  chain: ChainName
  service: Service
  /** The variables that make Cowry read it. */
  env: Record<string, string>
  /** What `dev.json` tells of it: where it is, its tokens, and an account that holds plenty of everything. */
  told: { rpcUrl: string; faucetPrivateKey: string; usdc?: string; usdt?: string; decimals: number; [more: string]: unknown }
}

/** A block each second on all of them, whatever their mainnets do. */
const blockMs = 1000
/** Blocks until one is final: on mainnet 32 on Solana and 19 on Tron, which nobody wants to wait for here. */
const finalAfter = 6
const evmConfirmations = '3'

interface Options {
  home: string
  port: number
}

/** One for each chain that there are devnets for, in the registry's order. */
export const devDevnets: Partial<Record<ChainName, (options: Options) => Promise<DevDevnet>>> = {
  ...Object.fromEntries(
    evmChainNames.map((chain) => [
      chain,
      async ({ home, port }: Options): Promise<DevDevnet> => {
        const devnet = await startEvmDevnet({ chain, blockSeconds: blockMs / 1000, port, home })
        const { chainId, rpcUrl, wsUrl, faucetPrivateKey, usdc, usdt, decimals } = devnet
        // Polygon keeps its own rule, that the block is finalized: that of a devnet comes after eight blocks.
        const confirmations: Record<string, string> = chain === 'polygon' ? {} : { [`${chain.toUpperCase()}_CONFIRMATIONS`]: evmConfirmations }
        return {
          chain,
          service: devnet,
          env: { ...devnetEnv(devnet), ...confirmations },
          told: { chainId, rpcUrl, wsUrl, faucetPrivateKey, usdc, ...(usdt ? { usdt } : {}), decimals },
        }
      },
    ]),
  ),
  async solana({ home, port }) {
    const devnet = await startSolanaDevnet({ blockMs, port, home, finalizedDepth: finalAfter })
    const { rpcUrl, wsUrl, faucetPrivateKey, usdc, usdt } = devnet
    return { chain: 'solana', service: devnet, env: solanaDevnetEnv(devnet), told: { rpcUrl, wsUrl, faucetPrivateKey, usdc, usdt, decimals: 6 } }
  },
  async tron({ home, port }) {
    const devnet = await startTronDevnet({ blockMs, port, home, solidifiedDepth: finalAfter })
    const { rpcUrl, faucetPrivateKey, usdt } = devnet
    return { chain: 'tron', service: devnet, env: tronDevnetEnv(devnet), told: { rpcUrl, faucetPrivateKey, usdt, decimals: 6 } }
  },
  async stellar({ home, port }) {
    const devnet = await startStellarDevnet({ blockMs, port, home })
    const { rpcUrl, horizonUrl, friendbotUrl, networkPassphrase, faucetPrivateKey, usdc, usdt } = devnet
    return {
      chain: 'stellar',
      service: devnet,
      env: stellarDevnetEnv(devnet),
      told: { rpcUrl, horizonUrl, friendbotUrl, networkPassphrase, faucetPrivateKey, usdc, usdt, decimals: 7 },
    }
  },
}
