import type { ChainAccounts } from '../chainAccounts.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'
import type { ConfiguredChain } from '../registry.ts'
import { solanaBalanceReader } from './balanceReader.ts'
import { requireOpened } from './requireOpened.ts'
import { solanaBridgeReader } from './send/bridgeReader.ts'
import { solanaSwapping } from './send/swapping.ts'
import { solanaSweepReader } from './send/sweepReader.ts'
import { solanaTransferSender } from './send/transferSender.ts'
import { solanaStaking } from './staking/staking.ts'

/** Opens the chain's balance reader and transfer sender. */
export function openAccounts(ctx: { providers: Providers<JsonRpc>; chain: ConfiguredChain }): ChainAccounts {
  const { cctp } = ctx.chain
  return {
    balances: solanaBalanceReader(ctx),
    sender: solanaTransferSender(ctx),
    sweeps: solanaSweepReader(ctx),
    swapping: solanaSwapping(ctx),
    staking: solanaStaking(ctx),
    ...(cctp && { bridge: solanaBridgeReader(ctx, cctp) }),
    requireOpened: (address) => requireOpened(ctx, address),
  }
}
