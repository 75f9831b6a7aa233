import { agreedAnswer } from '../../providers/agreeAnswer.ts'
import { StakeRefusedError, type StakeRequirements } from '../../staking.ts'
import { wholeNumber } from '../chainState.ts'
import { commitment } from '../read/header.ts'
import { rentFor } from '../send/latestBlockhash.ts'
import type { SolanaSenderContext } from '../send/senderContext.ts'
import { stakeBytes } from './stakeData.ts'

type Context = Pick<SolanaSenderContext, 'providers'>

/**
 * Rent and minimum, by agreeing providers: a wrong rent takes more from the wallet, or has the transaction
 * fail. @throws ProviderError
 */
export const stakeRequirements = ({ providers }: Context): Promise<StakeRequirements> =>
  agreedAnswer(
    providers,
    'the minimum of a stake',
    async (rpc) => {
      const [rent, answered] = await Promise.all([
        rentFor(rpc, stakeBytes),
        rpc.call('getStakeMinimumDelegation', [{ commitment }]),
      ])
      const minimum = wholeNumber(rpc, 'minimum of a stake', (answered as { value?: unknown } | null)?.value)
      return { rent, minimum }
    },
    ({ rent, minimum }) => `${rent} ${minimum}`,
  )

/**
 * Refuses a validator that does not vote, and an address that is not a vote account.
 * @throws StakeRefusedError `validator_unknown`, `validator_delinquent`; ProviderError
 */
export async function requireVoting({ providers }: Context, validator: string): Promise<void> {
  const { isCurrent, isDelinquent } = await agreedAnswer(
    providers,
    'a validator',
    async (rpc) => {
      const config = { commitment, votePubkey: validator, keepUnstakedDelinquents: true }
      const answered = (await rpc.call('getVoteAccounts', [config])) as Partial<
        Record<'current' | 'delinquent', unknown>
      > | null
      return {
        isCurrent: lists(answered?.current, validator),
        isDelinquent: lists(answered?.delinquent, validator),
      }
    },
    (answer) => JSON.stringify(answer),
  )
  if (isCurrent) return
  if (isDelinquent)
    throw new StakeRefusedError(
      'validator_delinquent',
      'the validator does not vote at present: a stake would earn nothing',
    )
  throw new StakeRefusedError('validator_unknown', 'the validator is not a vote account of this chain')
}

/** Some providers ignore the filter. */
const lists = (accounts: unknown, validator: string): boolean =>
  Array.isArray(accounts) &&
  accounts.some((each: { votePubkey?: unknown } | null) => each?.votePubkey === validator)
