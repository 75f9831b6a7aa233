import { describe, expect, test } from '@jest/globals'
import { loadCatalogue } from '../../scripts/events/catalogue.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { signatureHeaders } from '../../src/webhooks/sign.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

const examples = loadCatalogue().events.flatMap(({ examples }) => examples)

describe("the suites' webhook receiver", () => {
  const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
  const deliver = async (receiver: Receiver, body: object) => {
    const text = JSON.stringify(body)
    const headers = signatureHeaders(new Secret(secret), 'e-1', new Date(), text)
    return (await fetch(receiver.url, { method: 'POST', headers, body: text })).status
  }

  test('closes without error after bodies of the catalogue', async () => {
    const receiver = await startReceiver(secret)
    for (const { body } of examples) expect(await deliver(receiver, body)).toBe(204)
    await receiver.close()
    expect(receiver.received).toHaveLength(examples.length)
  })

  test('fails on close after invalid bodies, with each type and its error', async () => {
    const receiver = await startReceiver(secret)
    const [{ body }] = examples as [(typeof examples)[number]]
    expect(await deliver(receiver, { ...body, data: { ...body.data, amount: 5 } })).toBe(204)
    expect(await deliver(receiver, { ...body, type: 'session.forgotten' })).toBe(204)
    const failure = String(await receiver.close().catch((error) => error))
    expect(failure).toContain(`transaction.detected ${body.sequence}:`)
    expect(failure).toContain('/data/amount must be string')
    expect(failure).toContain('the catalogue has no type "session.forgotten"')
  })
})
