import { agreedOutcome } from '../providers/agreeOutcome.ts'
import { broadcastByProviders } from '../providers/broadcastByProviders.ts'
import { highestCount } from '../providers/highestCount.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'
import type { Chain } from '../registry.ts'
import { ActionRefusedError, type ActionSender } from '../sending.ts'
import { unmuxed } from './address.ts'
import { broadcast } from './broadcast.ts'
import { requireCloseTime } from './latestLedger.ts'
import { accountKey, accountState, ledgerEntries } from './ledgerEntries.ts'
import { planCalls } from './planCalls.ts'
import { planTransfer, refuseContract } from './planTransfer.ts'
import { transferFacts } from './transferFacts.ts'
import { outcomeAt } from './transferOutcome.ts'

export interface SenderContext {
  /** Stellar RPC only. */
  providers: Providers<JsonRpc>
  chain: Pick<Chain, 'network' | 'native'>
}

export function stellarTransferSender({ providers, chain }: SenderContext): ActionSender {
  return {
    async plan(action) {
      if (action.kind === 'calls') return planCalls(providers, chain, action)
      refuseContract(action.to)
      const facts = await providers.ask(async (rpc) => {
        const read = await transferFacts(rpc, action)
        await requireCloseTime(providers, rpc, read)
        return read
      })
      return planTransfer(chain, action, answer(facts))
    },
    async nextNonce(address) {
      const { account } = unmuxed(address)
      const known = await providers.askAll(async (rpc) => {
        const state = accountState(await ledgerEntries(rpc, [accountKey(account)]), account)
        return state ? [{ source: rpc.name, count: state.sequence }] : []
      })
      // A lagging provider may not have seen the last transaction, or the account.
      const used = highestCount(providers, known.flat())
      if (used === undefined)
        throw new ActionRefusedError('sender_not_found', 'The sender’s account does not exist')
      return used + 1n
    },
    broadcast: (transaction) =>
      broadcastByProviders(providers, (rpc) => broadcast(rpc, chain.network, transaction)),
    outcome: (from, transactions) =>
      agreedOutcome(providers, transactions, (rpc) => outcomeAt(rpc, from, transactions)),
  }
}

function answer<T>(value: T | null): T {
  if (value === null) throw new Error('a call that must return a value returned null')
  return value
}
