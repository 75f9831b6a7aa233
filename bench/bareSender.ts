import { Agent } from 'undici'
import { newId } from '../src/platform/ids.ts'
import { Secret } from '../src/platform/secrets.ts'
import { signatureHeaders } from '../src/webhooks/sign.ts'
import { sampleEvent } from './sampleEvent.ts'

// Lower bound for deliveries: signed POSTs over kept connections, without any records.

process.on('disconnect', () => process.exit())

export interface Send {
  urls: string[]
  events: number
  /** Concurrent requests, over all receivers. */
  concurrency: number
  /** Maximum connections to one receiver. */
  connections: number
  secret: string
}

process.on('message', ({ urls, events, concurrency, connections, secret }: Send) => {
  const agent = new Agent({ connections, pipelining: 1 })
  const key = new Secret(secret)
  const targets = urls.map((url) => new URL(url))
  let next = 0
  const sendLoop = async () => {
    while (next < events) {
      const sequence = next++
      const target = targets[sequence % targets.length] as URL
      const at = new Date()
      const body = JSON.stringify({
        type: 'transaction.detected',
        timestamp: at.toISOString(),
        version: 1,
        sequence,
        data: sampleEvent,
      })
      const response = await agent.request({
        origin: target.origin,
        path: target.pathname,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Cowry-Webhooks/1',
          ...signatureHeaders(key, newId(), at, body),
        },
        body,
        signal: AbortSignal.timeout(15_000),
      })
      await response.body.text()
    }
  }
  void Promise.all(Array.from({ length: concurrency }, sendLoop)).then(async () => {
    await agent.close()
    process.send?.({ cpu: process.cpuUsage() })
  })
})
process.send?.({ ready: true })
