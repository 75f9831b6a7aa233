import type { Address } from 'viem'
import { encodeFunctionData, numberToHex, parseAbi } from 'viem/utils'
import type { Call } from '../../action.ts'
import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { Providers } from '../../providers/providers.ts'
import type { BalanceReader } from '../../sending.ts'
import type { EvmRead, EvmSwapping, TrialResult, TrialRun } from '../../swapping.ts'
import { tryCall } from '../refusals.ts'
import { wordOf } from '../tokenCalls.ts'
import { planCall } from './planCall.ts'
import { tokenFeeAt } from './planTransfer.ts'
import type { EvmSenderContext } from './senderContext.ts'
import { simulateAt } from './simulate.ts'

const allowanceAbi = parseAbi([
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 value) returns (bool)',
])

/** Holds nothing: only the token's own answers are of interest. */
const holder = '0x0000000000000000000000000000000000000001'

/** Reads and trial runs on an EVM chain, for providers of swaps. */
export function evmSwapping(ctx: EvmSenderContext & { balances: BalanceReader }): EvmSwapping {
  const ask = async <T>(what: string, accept: (rpc: JsonRpc) => Promise<T>): Promise<T> => {
    const found = await ctx.providers.ask(async (rpc) => ({ answered: await accept(rpc) }))
    if (!found) throw new ProviderError(`no provider answered ${what}`)
    return found.answered
  }
  const read = (calls: readonly EvmRead[]) =>
    ask('about contracts', (rpc) => Promise.all(calls.map((call) => answerAt(rpc, call))))
  return {
    family: 'evm',
    read,
    async token(contract) {
      const [found, fee] = await Promise.all([
        ctx.balances.balances(holder, [contract]),
        ask("about a token's fee", (rpc) => tokenFeeAt(rpc, contract)),
      ])
      const [token] = found.tokens
      if (token === undefined || token.decimals === null || token.balance === null) return null
      const takesFee = fee !== null && fee.rate > 0n && fee.max > 0n
      return { contract, symbol: token.symbol ?? 'token', decimals: token.decimals, takesFee }
    },
    async allowance(token, owner, spender) {
      const args = [owner as Address, spender as Address] as const
      const [answer] = await read([
        { to: token, data: encodeFunctionData({ abi: allowanceAbi, functionName: 'allowance', args }) },
      ])
      const allowed = wordOf(answer)
      if (allowed === null) throw new ProviderError(`token ${token} answered no allowance`)
      return allowed
    },
    approval(token, spender, amount) {
      const args = [spender as Address, amount] as const
      return {
        to: token,
        data: encodeFunctionData({ abi: allowanceAbi, functionName: 'approve', args }),
        value: 0n,
        accounts: [],
      }
    },
    failureOf: (from, call) => ask('to a trial', (rpc) => failureAt(rpc, from, call)),
    simulate: (run) => simulateBy(ctx.providers, run),
    plan: (action, { before, simulated }) => planCall(ctx, action, { before, gas: simulated }),
  }
}

/**
 * A node that failed, or is skipped for now, may be the one that can: without its trial run, movements
 * would go unseen.
 */
async function simulateBy(providers: Providers<JsonRpc>, run: TrialRun): Promise<TrialResult | null> {
  let unable = 0
  const found = await providers.ask(async (rpc) => {
    const tried = await simulateAt(rpc, run)
    if (tried === null) unable++
    return tried
  })
  if (found === null && unable < providers.names.length)
    throw new ProviderError('no provider that may try several calls answered')
  return found
}

async function failureAt(rpc: JsonRpc, from: string, { to, data, value }: Call): Promise<string | null> {
  const tried = await tryCall(() =>
    rpc.call('eth_call', [{ from, to, data, value: numberToHex(value) }, 'latest']),
  )
  return 'failed' in tried ? tried.failed : null
}

/** Null for a call that reverts; any other refusal is the node's. */
async function answerAt(rpc: JsonRpc, call: EvmRead): Promise<string | null> {
  const tried = await tryCall(() => rpc.call('eth_call', [call, 'latest']))
  return 'answered' in tried && typeof tried.answered === 'string' ? tried.answered : null
}
