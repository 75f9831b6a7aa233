import { useEffect, useState } from 'react'
import { useApi } from '../session/session.ts'
import type { DeliveryDetails } from './types.ts'

const everyMs = 1000
const longestMs = 20_000

export interface Outcome {
  delivery: DeliveryDetails | undefined
  /** Polling has ended. */
  over: boolean
  error: unknown
}

/** Polls a delivery until it is not pending, for at most 20 seconds. */
export function useOutcome(businessId: string, deliveryId: string): Outcome {
  const api = useApi()
  const [outcome, setOutcome] = useState<Outcome>({ delivery: undefined, over: false, error: undefined })
  useEffect(() => {
    const ending = new AbortController()
    const until = Date.now() + longestMs
    let timer: ReturnType<typeof setTimeout> | undefined
    async function look(): Promise<void> {
      try {
        const delivery = await api.call('getWebhookOfBusiness', {
          path: { businessId, id: deliveryId },
          signal: ending.signal,
        })
        if (ending.signal.aborted) return
        const over = delivery.status !== 'pending' || Date.now() >= until
        setOutcome({ delivery, over, error: undefined })
        if (!over) timer = setTimeout(() => void look(), everyMs)
      } catch (error) {
        if (!ending.signal.aborted) setOutcome((was) => ({ ...was, over: true, error }))
      }
    }
    void look()
    return () => {
      ending.abort()
      clearTimeout(timer)
    }
  }, [api, businessId, deliveryId])
  return outcome
}
