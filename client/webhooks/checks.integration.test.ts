import { timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { Request, Response } from 'express'
import { Webhook } from 'standardwebhooks'
import {
  byHand,
  closeReceivers,
  listening,
  type ReceiverParts,
  receiverSecret,
  rightParts,
} from '../../test/support/receiversByHand.ts'
import type { CowryEvent } from '../contract/events.ts'
import { type CheckName, checkNames, checkReceiver } from './checks.ts'
import { createTarget } from './target.ts'
import { verifyWebhook } from './verify.ts'

const secret = receiverSecret
async function findingsOf(
  url: string,
  {
    key = secret,
    only = null,
    deadlineMs = 15_000,
  }: { key?: string; only?: CheckName[] | null; deadlineMs?: number } = {},
) {
  const findings = await checkReceiver(await createTarget(url, key, 'transaction.detected', deadlineMs), only)
  const named = (wanted: string) =>
    findings.flatMap(({ name, verdict }) => (verdict === wanted ? [name] : []))
  return {
    findings,
    wrong: named('wrong'),
    warnings: named('warning'),
    right: named('right'),
    advice: findings.find(({ verdict }) => verdict === 'wrong')?.advice,
  }
}

afterEach(closeReceivers)

describe('a correct receiver', () => {
  /** Verifies with the public package, remembers event ids, answers at once. */
  const publicPackage = () => {
    const seen = new Set<string>()
    return async (request: Request, response: Response) => {
      try {
        new Webhook(secret).verify(request.body, request.headers as Record<string, string>)
      } catch {
        response.status(401).end()
        return
      }
      seen.add(String(request.headers['webhook-id']))
      response.status(204).end()
    }
  }

  test('passes every check', async () => {
    const { right, findings } = await findingsOf(await listening(publicPackage()))
    expect(right).toEqual(checkNames.filter((name) => name !== 'keep-alive'))
    expect(findings.find(({ name }) => name === 'keep-alive')).toMatchObject({
      verdict: 'information',
      advice: null,
    })
  })

  test("passes as the documentation's code by hand", async () => {
    const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
    const start = page.indexOf('import { createHmac')
    const { verify } = await import(
      `data:text/javascript,${encodeURIComponent(page.slice(start, page.indexOf('```', start)))}`
    )
    const url = await listening(async (request, response) => {
      try {
        verify(secret, request.headers, request.body)
        response.status(204).end()
      } catch {
        response.status(400).end()
      }
    })
    expect((await findingsOf(url)).right).toEqual(checkNames.filter((name) => name !== 'keep-alive'))
  })

  test('with an ed25519 key too', async () => {
    const key = `whsk_${secret.slice(6)}`
    const { signer } = await createTarget('http://127.0.0.1', key, 'endpoint.test', 1000)
    const url = await listening(async (request, response) => {
      const genuine = await verifyWebhook(signer.publicKey ?? '', request.headers, request.body).catch(
        () => null,
      )
      response.status(genuine ? 200 : 400).end()
    })
    expect((await findingsOf(url, { key })).right).toEqual(checkNames.filter((name) => name !== 'keep-alive'))
  })
})

/** Checks an id and stores it later, like a database without a unique key. */
function careless(): ReceiverParts['handle'] {
  const stored = new Set<string>()
  return async (_event, id, response) => {
    const known = stored.has(id)
    await wait(300)
    if (!known && stored.has(id)) throw new Error('duplicate key value violates unique constraint')
    stored.add(id)
    response.status(204).end()
  }
}

function inOrderOnly(): ReceiverParts['handle'] {
  let last = 0
  return async ({ sequence }, _id, response) => {
    const isOld = sequence < last
    last = Math.max(last, sequence)
    response.status(isOld ? 409 : 204).end()
  }
}

function refusesDuplicates(): ReceiverParts['handle'] {
  const seen = new Set<string>()
  return async (_event, id, response) => {
    response.status(seen.has(id) ? 409 : 204).end()
    seen.add(id)
  }
}

const answering =
  (status: number, headers: Record<string, string> = {}): ReceiverParts['handle'] =>
  async (_event, _id, response) =>
    void response.status(status).set(headers).end()
const refusing =
  (isRefused: (event: CowryEvent) => boolean): ReceiverParts['handle'] =>
  async (event, _id, response) =>
    void response.status(isRefused(event) ? 400 : 204).end()

describe('a receiver with one fault fails exactly that check', () => {
  test.each<[fault: string, CheckName[], Partial<ReceiverParts>, advice: string]>([
    ['accepts every signature', ['wrong-signature'], { same: () => true }, 'Anyone can send it events'],
    [
      'fails on a signature that is too short',
      ['wrong-signature'],
      { same: (a, b) => timingSafeEqual(a, b) },
      'compare lengths before timingSafeEqual',
    ],
    [
      'fails on everything that it must refuse',
      ['wrong-signature'],
      { whenRefused: 500 },
      'It failed instead of refusing',
    ],
    [
      'answers 410 to what it refuses',
      ['wrong-signature', 'changed-body', 'other-scheme', 'old-timestamp', 'future-timestamp'],
      { whenRefused: 410 },
      'It answered 410',
    ],
    [
      'accepts a changed body',
      ['changed-body'],
      { takesUnsigned: ({ sequence }) => sequence > 1000 },
      'The body must be part',
    ],
    [
      'accepts an event without a signature',
      ['missing-headers'],
      { whenMissing: 'go on' },
      'An unsigned event is not from Cowry',
    ],
    [
      'fails if a header is missing',
      ['missing-headers'],
      { whenMissing: 500 },
      'It failed instead of refusing (without webhook-id',
    ],
    [
      'accepts any scheme',
      ['other-scheme'],
      { candidates: (header) => header.split(' ').flatMap((part) => part.split(',')[1] ?? []) },
      'start with `v1,`',
    ],
    ['takes recordings', ['old-timestamp'], { isFresh: (age) => age >= -300 }, 'may be a recording'],
    [
      'accepts events from the future',
      ['future-timestamp'],
      { isFresh: (age) => age <= 300 },
      '5 minutes ahead',
    ],
    [
      'ignores the time',
      ['old-timestamp', 'future-timestamp'],
      { isFresh: () => true },
      'may be a recording',
    ],
    [
      'verifies serialized JSON',
      ['raw-body'],
      { body: (raw) => JSON.stringify(JSON.parse(raw)) },
      'not express.json()',
    ],
    [
      'checks the first signature only',
      ['rotation'],
      { candidates: (header) => rightParts.candidates(header.split(' ')[0] ?? '') },
      'a list, separated by spaces',
    ],
    ['refuses duplicates', ['duplicate'], { handle: refusesDuplicates() }, 'the same event comes again'],
    ['fails on simultaneous duplicates', ['duplicate-at-once'], { handle: careless() }, 'under a unique key'],
    ['requires events in order', ['out-of-order'], { handle: inOrderOnly() }, 'another order'],
    [
      'refuses unknown types',
      ['unknown-type'],
      { handle: refusing(({ type }) => !type.startsWith('transaction.')) },
      'There will be more types',
    ],
    [
      'refuses unknown fields',
      ['unknown-fields'],
      { handle: refusing((event) => 'invented' in event) },
      'Bodies grow by fields',
    ],
    [
      'redirects',
      ['redirect'],
      { handle: answering(307, { location: '/elsewhere' }) },
      'Cowry follows no redirect',
    ],
    ['answers 410', ['valid'], { handle: answering(410) }, 'sends nothing more'],
    ['has another path', ['valid'], { handle: answering(404) }, 'check the URL'],
    ['fails', ['valid'], { handle: answering(503) }, 'Answer any 2xx'],
    ['has another secret', ['valid'], { key: Buffer.alloc(32) }, 'the secret is the one of this endpoint'],
    [
      'uses the text of the secret as the key',
      ['valid'],
      { key: secret },
      'Its key is the text of the secret',
    ],
    [
      'uses the text after the prefix as the key',
      ['valid'],
      { key: secret.slice(6) },
      'Its key is the text after `whsec_`',
    ],
    [
      'signs the body alone',
      ['valid'],
      { signed: (_id, _timestamp, body) => body },
      'It signs the body alone',
    ],
    [
      'leaves the id out',
      ['valid'],
      { signed: (_id, timestamp, body) => `${timestamp}.${body}` },
      'omits webhook-id',
    ],
    ['expects hex', ['valid'], { encoding: 'hex' }, 'in hex'],
    [
      'compares with the whole header',
      ['valid'],
      { candidates: (header) => (header.includes(',') ? [] : [header]) },
      'Split it at spaces',
    ],
  ])('%s', async (_fault, expected, parts, expectedAdvice) => {
    const { wrong, advice, warnings } = await findingsOf(await byHand(parts))
    expect(wrong).toEqual(expected)
    expect(warnings).toEqual([])
    expect(advice).toContain(expectedAdvice)
  })
})

describe('time and size', () => {
  test('a late answer', async () => {
    const { wrong, advice, findings } = await findingsOf(await byHand({ handle: async () => wait(600) }), {
      deadlineMs: 300,
    })
    expect(wrong).toEqual(['valid'])
    expect(findings[0]?.came).toContain('no complete answer within 0.3 s')
    expect(advice).toContain('Cowry waits 0.3 s for the whole answer')
  })

  test('an answer that starts in time and does not end', async () => {
    const handle: ReceiverParts['handle'] = async (_event, _id, response) =>
      void response.status(200).write('.')
    expect((await findingsOf(await byHand({ handle }), { deadlineMs: 300 })).wrong).toEqual(['valid'])
  })

  test('an answer close to the deadline is a warning', async () => {
    const handle: ReceiverParts['handle'] = async (_event, _id, response) => {
      await wait(1200)
      response.status(204).end()
    }
    const { wrong, warnings } = await findingsOf(await byHand({ handle }), {
      deadlineMs: 3000,
      only: ['valid', 'redirect'],
    })
    expect({ wrong, warnings }).toEqual({ wrong: [], warnings: ['valid'] })
  })

  test('a receiver that handles one event at a time', async () => {
    let last: Promise<void> = Promise.resolve()
    const handle: ReceiverParts['handle'] = async (_event, _id, response) => {
      last = last.then(() => wait(250))
      await last
      response.status(204).end()
    }
    const { wrong, advice } = await findingsOf(await byHand({ handle }), {
      deadlineMs: 1500,
      only: ['time', 'duplicate-at-once', 'unknown-fields'],
    })
    expect(wrong).toEqual(['time'])
    expect(advice).toContain('up to 8 at a time')
  })

  test('a long answer is a warning, also an endless one', async () => {
    const long: ReceiverParts['handle'] = async (_event, _id, response) =>
      void response.status(200).send('x'.repeat(5000))
    const endless: ReceiverParts['handle'] = async (_event, _id, response) => {
      response.status(200)
      while (!response.destroyed) {
        response.write('x'.repeat(1000))
        await wait(1)
      }
    }
    for (const handle of [long, endless]) {
      const { wrong, warnings } = await findingsOf(await byHand({ handle }), {
        only: ['answer-size', 'unknown-type'],
      })
      expect({ wrong, warnings }).toEqual({ wrong: [], warnings: ['answer-size'] })
    }
  })

  test('a rate limit is a warning, because the refusal proves nothing', async () => {
    const { wrong, warnings } = await findingsOf(await byHand({ whenRefused: 429 }), {
      only: ['old-timestamp'],
    })
    expect({ wrong, warnings }).toEqual({ wrong: [], warnings: ['old-timestamp'] })
  })

  test('a receiver that is not running', async () => {
    const url = await byHand({})
    await closeReceivers()
    const { wrong, findings } = await findingsOf(url)
    expect(wrong).toEqual(['valid'])
    expect(findings).toEqual([
      expect.objectContaining({ name: 'valid', came: expect.stringContaining('no answer: ECONNREFUSED') }),
    ])
  })
})

describe('the findings', () => {
  test('runs only the named checks, and the genuine event', async () => {
    const { findings } = await findingsOf(await byHand({}), { only: ['rotation', 'duplicate'] })
    expect(findings.map(({ name }) => name)).toEqual(['valid', 'rotation', 'duplicate'])
  })

  test('reports findings one by one', async () => {
    const heard: string[] = []
    await checkReceiver(
      await createTarget(await byHand({}), secret, 'session.paid', 3000),
      null,
      ({ name }) => heard.push(name),
    )
    expect(heard).toEqual(checkNames)
  })
})
