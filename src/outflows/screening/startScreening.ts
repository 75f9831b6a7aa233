import type { WorkerContext } from '../../capability.ts'
import { createEgress } from '../../webhooks/egress.ts'
import type { Screening } from './requestScreening.ts'
import { screeningSettings } from './screeningSettings.ts'

const timeoutMs = 10_000

/**
 * The way to the operator's screening, which may be inside the operator's network: only its own host is
 * dialled.
 */
export function startScreening({
  settings,
  onStop,
}: Pick<WorkerContext, 'settings' | 'onStop'>): Screening | null {
  const { SCREENING_URL: url, SCREENING_SECRET: secret } = settings(screeningSettings)
  if (url === undefined || secret === undefined) return null
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const egress = createEgress({ allow: [host], proxyUrl: null, timeoutMs })
  onStop(() => egress.close())
  return { url, secret, dispatcher: egress.dispatcher, timeoutMs }
}
