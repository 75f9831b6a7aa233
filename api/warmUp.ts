import { randomUUID } from 'node:crypto'
import { type Contract, operationsOf } from './contract.ts'

/** A credential that lives only in this process and only while it warms up. */
export interface WarmUpKey {
  value: string | null
}

export const createWarmUpKey = (): WarmUpKey => ({ value: `warm-up-${randomUUID()}` })

/**
 * Sends one request to each operation, so that every validator is compiled before the first customer waits for it.
 * Each request is one that its validator refuses, so no route runs and nothing is changed; then the key dies. The dashboard's own API is
 * not warmed up: people wait for each of its validators once, some ten milliseconds.
 */
export async function warmUp(contract: Contract, baseUrl: string, key: WarmUpKey): Promise<void> {
  for (const { method, path, servers } of operationsOf(contract)) {
    const base = servers[0] === '/' ? '' : servers[0]
    const response = await fetch(`${baseUrl}${base}${path.replace(/\{\w+\}/g, 'warm-up')}?warm-up=1`, {
      method: method.toUpperCase(),
      headers: { 'x-api-key': key.value ?? '', ...(method === 'get' ? {} : { 'content-type': 'application/json' }) },
      ...(method === 'get' ? {} : { body: '{}' }),
    })
    const answer = await response.text()
    if (base && response.status !== 400) throw new Error(`${method} ${path} answered ${response.status} while warming up: ${answer}`)
  }
  key.value = null
}
