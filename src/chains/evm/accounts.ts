import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'
import type { ConfiguredChain } from '../registry.ts'
import type { ChainAccounts } from '../sending.ts'
import { evmBalanceReader } from './balanceReader.ts'
import { evmBridgeReader } from './bridgeReader.ts'
import { evmSweepReader } from './sweepReader.ts'
import { evmTransferSender } from './transferSender.ts'

/** Reads balances on the chain and sends from its addresses. */
export function openAccounts(ctx: { providers: Providers<JsonRpc>; chain: ConfiguredChain }): ChainAccounts {
  const { cctp } = ctx.chain
  return {
    balances: evmBalanceReader(ctx),
    sender: evmTransferSender(ctx),
    sweeps: evmSweepReader(ctx),
    ...(cctp && { bridge: evmBridgeReader(ctx, cctp) }),
  }
}
