import type { ChainAccounts } from '../chainAccounts.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'
import type { ConfiguredChain } from '../registry.ts'
import { solanaBalanceReader } from './balanceReader.ts'
import { solanaBridgeReader } from './bridgeReader.ts'
import { requireOpened } from './requireOpened.ts'
import { solanaStaking } from './staking/staking.ts'
import { solanaSwapping } from './swapping.ts'
import { solanaSweepReader } from './sweepReader.ts'
import { solanaTransferSender } from './transferSender.ts'

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
