import type { DashboardQueryOf } from '../../../../client/index.ts'
import { isChain } from '../labels.ts'
import { stakeStatusLabels } from './stakeLabels.ts'
import type { StakeStatus } from './types.ts'

/** A search of stakes, as the API takes it. */
export type StakeQuery = Pick<DashboardQueryOf<'listStakesOfBusiness'>, 'status' | 'chain'>

const isStatus = (text: string): text is StakeStatus => Object.hasOwn(stakeStatusLabels, text)

/** The search in the page's URL; what it cannot be is left out. */
export function readStakeQuery(search: URLSearchParams): StakeQuery {
  const [status, chain] = [search.get('status') ?? '', search.get('chain') ?? '']
  return { status: isStatus(status) ? status : undefined, chain: isChain(chain) ? chain : undefined }
}
