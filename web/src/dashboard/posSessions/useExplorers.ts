import type { DashboardAnswerOf } from '../../../../client/index.ts'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'

export type Explorers = DashboardAnswerOf<'listExplorers'>['explorers']

/** The block explorers of the networks; none until they are loaded: a page is whole without its links. */
export function useExplorers(): Explorers {
  const api = useApi()
  const { business } = useBusiness()
  const { now } = useLoaded(business.id, async (signal) => {
    const { explorers } = await api.call('listExplorers', { path: { businessId: business.id }, signal })
    return explorers
  })
  return now.state === 'ready' ? now.value : []
}

/** The page of a transaction or of an address; undefined where the network has no explorer. */
export function explorerUrl(
  explorers: Explorers,
  chain: string,
  page: 'transaction' | 'address',
  id: string,
): string | undefined {
  return explorers.find((each) => each.chain === chain)?.[page].replace('{id}', () => encodeURIComponent(id))
}
