import { useCallback, useEffect, useState } from 'react'
import type { LinkChoice, PayableLink } from './types.ts'

export type LinkState =
  | { state: 'loading' | 'unknown' | 'failed' }
  | {
      state: 'ready'
      link: PayableLink
    }

const url = (token: string) => `/api/v1/pay/${encodeURIComponent(token)}`

/** Reads a payment link; `unknown`: there is none with this token. */
export function usePayableLink(token: string): { shown: LinkState; reload: () => void } {
  const [shown, setShown] = useState<LinkState>({ state: 'loading' })
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round reads again
  useEffect(() => {
    const stop = new AbortController()
    void readLink(token, stop.signal).then((read) => {
      if (!stop.signal.aborted) setShown(read)
    })
    return () => stop.abort()
  }, [token, round])
  return { shown, reload: useCallback(() => setRound((was) => was + 1), []) }
}

async function readLink(token: string, signal: AbortSignal): Promise<LinkState> {
  try {
    const response = await fetch(url(token), { credentials: 'omit', signal })
    if (response.status === 404 || response.status === 400) return { state: 'unknown' }
    if (!response.ok) return { state: 'failed' }
    return { state: 'ready', link: (await response.json()) as PayableLink }
  } catch {
    return { state: 'failed' }
  }
}

/** Where to pay, or why not. `over`: the link takes no payment any more. */
export type Chosen =
  | { checkoutUrl: string }
  | 'over'
  | 'linkBusy'
  | 'tooManyTries'
  | 'amountForm'
  | 'amountTooSmall'
  | 'amountTooLarge'
  | 'linkFailed'

export async function choose(token: string, choice: LinkChoice & { amount?: string }): Promise<Chosen> {
  try {
    const response = await fetch(url(token), {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...choice, visit: visitOf(token) }),
    })
    const body = (await response.json()) as {
      checkoutUrl?: string
      error?: string
      fields?: { field: string; code: string }[]
    }
    if (body.checkoutUrl !== undefined) return { checkoutUrl: body.checkoutUrl }
    if (response.status === 429) return 'tooManyTries'
    if (response.status === 409) return body.error === 'link_busy' ? 'linkBusy' : 'over'
    const wrong = body.fields?.find(({ field }) => field === 'amount')
    if (wrong?.code === 'amount_below_minimum') return 'amountTooSmall'
    if (wrong?.code === 'amount_above_maximum') return 'amountTooLarge'
    if (wrong) return 'amountForm'
    return 'linkFailed'
  } catch {
    return 'linkFailed'
  }
}

const visits = new Map<string, string>()

/**
 * What this visit is recognized by, so that who loads the page again gets the same payment: kept as long as
 * the tab, and only in this page where the browser keeps nothing.
 */
function visitOf(token: string): string {
  const name = `visit ${token}`
  try {
    const kept = sessionStorage.getItem(name)
    if (kept !== null) return kept
  } catch {
    // Storage is switched off.
  }
  const visit = visits.get(token) ?? randomText()
  visits.set(token, visit)
  try {
    sessionStorage.setItem(name, visit)
  } catch {
    // The same.
  }
  return visit
}

/** 128 random bits in hexadecimal digits. */
const randomText = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
