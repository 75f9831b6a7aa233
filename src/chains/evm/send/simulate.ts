import { numberToHex } from 'viem/utils'
import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { sound } from '../../providers/sound.ts'
import type { TrialCall, TrialResult, TrialRun } from '../../swapping.ts'
import { ifSupported, quantity, reasonIn } from '../refusals.ts'
import { balanceOfCall, wordOf } from '../tokenCalls.ts'
import { approvalIn, movementIn, type TrialLog } from './trialLogs.ts'

/** A call in the answer to `eth_simulateV1`. */
interface Simulated {
  status?: string
  returnData?: string
  gasUsed?: string
  logs?: readonly TrialLog[] | null
  error?: { message?: string; data?: string } | null
}

/** It gets a coin in the trial and sends it on: a node that does not log that does not trace the coin. */
const witness = `0x${'c0'.repeat(20)}`
const witnessTo = `0x${'c1'.repeat(20)}`

/**
 * Explicit, because a node may take the rest of the block for a call without one, which is above what
 * EIP-7825 allows a transaction.
 */
const gas = { read: '0x7a120', call: '0xf00000' }

/**
 * Runs calls after each other in one block on the newest state (`eth_simulateV1` of execution-apis), with
 * balances of tokens before and after. Fees are not paid, and nonces do not matter.
 * @returns null where the node lacks the method, or does not trace the coin
 * @throws ProviderError
 */
export async function simulateAt(
  rpc: JsonRpc,
  { from, calls, watched }: TrialRun,
): Promise<TrialResult | null> {
  const balances = watched.map(({ token, owner }) => ({
    to: token,
    data: balanceOfCall(owner),
    gas: gas.read,
  }))
  const run = calls.map(({ to, data, value }) => ({
    from,
    to,
    data,
    value: numberToHex(value),
    gas: gas.call,
  }))
  const block = {
    stateOverrides: { [witness]: { balance: '0x1' } },
    calls: [...balances, ...run, ...balances, { from: witness, to: witnessTo, value: '0x1', gas: gas.read }],
  }
  const options = { blockStateCalls: [block], traceTransfers: true, validation: false }
  const answered = await ifSupported(() => rpc.call('eth_simulateV1', [options, 'latest']))
  if (answered === null) return null
  const found = (answered as { calls?: Simulated[] }[] | undefined)?.[0]?.calls
  if (!Array.isArray(found) || found.length !== block.calls.length) {
    throw new ProviderError(`${rpc.name}: eth_simulateV1 answered another number of calls`)
  }
  return sound(() => {
    const [before, end] = [balances.length, balances.length + run.length]
    const [tried, last] = [found.slice(before, end).map(trialCallOf), trialCallOf(found.at(-1) ?? {})]
    if (!last.movements.some(({ token, from: sender }) => token === null && sender === witness)) return null
    const held = (index: number) => quantityOf(rpc, found[index])
    return { calls: tried, changes: watched.map((_, index) => held(end + index) - held(index)) }
  })
}

function trialCallOf({ status, returnData, gasUsed, logs, error }: Simulated): TrialCall {
  const isDone = status === '0x1'
  const moved = isDone ? (logs ?? []) : []
  const reason = reasonIn(error?.message ?? 'execution reverted')
  return {
    failure: isDone ? null : { reason, data: error?.data ?? returnData ?? '0x' },
    gasUsed: quantity(gasUsed, 'the gas of a call'),
    movements: moved.flatMap(movementIn),
    approvals: moved.flatMap(approvalIn),
  }
}

/** @throws ProviderError for a contract without balances */
function quantityOf(rpc: JsonRpc, call: Simulated | undefined): bigint {
  const balance = call?.status === '0x1' ? wordOf(call.returnData) : null
  if (balance === null) throw new ProviderError(`${rpc.name}: a token answered no balance in a trial`)
  return balance
}
