import { useRef, useState } from 'react'
import { useNotify } from '../../ui/Notices.tsx'
import type { Loadable } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { isFinal } from './collectionLabels.ts'
import type { Collection } from './types.ts'

/**
 * Requests a collection from the partner. It is only loaded again where the partner's answer is final, or the
 * member may not request it.
 */
export function useRefresh({ now, put, reload }: Loadable<Collection>) {
  const api = useApi()
  const { business, develops } = useBusiness()
  const notify = useNotify()
  const busy = useRef(false)
  const [refreshing, setRefreshing] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const asks = develops && now.state === 'ready' && !isFinal(now.value) ? now.value : undefined
  async function refresh(): Promise<void> {
    setFailure(undefined)
    if (!asks) return reload()
    if (busy.current) return
    busy.current = true
    setRefreshing(true)
    try {
      put(await api.call('refreshCollectionOfBusiness', { path: { businessId: business.id, id: asks.id } }))
      notify('This is the partner’s state now.')
    } catch (error) {
      setFailure(error)
    } finally {
      busy.current = false
      setRefreshing(false)
    }
  }
  return { refresh, refreshing, failure }
}
