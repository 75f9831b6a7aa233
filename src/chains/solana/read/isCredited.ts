import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { UnsafeTrialError } from '../../solanaSwapping.ts'
import { type Account, tokenAccountOf } from '../chainState.ts'
import { readState, type State } from '../send/planCalls.ts'
import { type Proof, proveSwap, restOf, wrappedAccount } from '../send/swapProof.ts'

/** A trial run: accounts before and after, and its fee. */
export interface Run {
  before: State
  after: State
  fee: bigint
}

/**
 * Whether a run proves the swap once the payments are counted that reached its accounts since they were read.
 * It only explains a run that was not proven: a program could have seen the payment, too.
 * @throws ProviderError
 */
export async function isCredited(rpc: JsonRpc, proof: Proof, { before, after, fee }: Run): Promise<boolean> {
  const { from, to, sold, bought, opens } = proof
  const own = [
    from,
    to,
    sold.account,
    bought.account,
    wrappedAccount(from),
    ...opens.map(({ address }) => address),
  ]
  const watched = own.filter((each): each is string => each !== null && before.has(each))
  const now = await readState(rpc, watched)
  const changes = [...now].map(([address, account]) => changeOf(before.get(address) ?? null, account))
  if (changes.includes('other') || !changes.includes('credit')) return false
  try {
    proveSwap(proof, new Map([...before, ...now]), after, fee)
    return true
  } catch (error) {
    if (error instanceof UnsafeTrialError) return false
    throw error
  }
}

function changeOf(had: Account | null, has: Account | null): 'none' | 'credit' | 'other' {
  if (had === null || has === null) return had === has ? 'none' : 'other'
  const isSame = had.owner === has.owner && restOf(had).equals(restOf(has))
  const gains = [
    has.lamports - had.lamports,
    (tokenAccountOf(has)?.amount ?? 0n) - (tokenAccountOf(had)?.amount ?? 0n),
  ]
  if (!isSame || gains.some((each) => each < 0n)) return 'other'
  return gains.some((each) => each > 0n) ? 'credit' : 'none'
}
