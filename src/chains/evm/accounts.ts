import type { ChainAccounts } from '../chainAccounts.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'
import type { ConfiguredChain } from '../registry.ts'
import { evmBalanceReader } from './balanceReader.ts'
import { evmBridgeReader } from './send/bridgeReader.ts'
import { evmSwapping } from './send/swapping.ts'
import { evmSweepReader } from './send/sweepReader.ts'
import { evmTransferSender } from './send/transferSender.ts'

/** Reads balances on the chain and sends from its addresses. */
export function openAccounts(ctx: { providers: Providers<JsonRpc>; chain: ConfiguredChain }): ChainAccounts {
  const { cctp } = ctx.chain
  const balances = evmBalanceReader(ctx)
  const swapping = evmSwapping({ ...ctx, balances })
  return {
    balances,
    sender: evmTransferSender(ctx),
    sweeps: evmSweepReader(ctx),
    swapping,
    ...(cctp && { bridge: evmBridgeReader(ctx, cctp) }),
  }
}
