import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import express, { type Request, type Response } from 'express'
import type { CowryEvent } from '../../client/index.ts'

const bytes = Buffer.alloc(32, 7)
export const receiverSecret = `whsec_${bytes.toString('base64')}`

const closing: (() => Promise<void>)[] = []

/** Ends every receiver that was started. */
export async function closeReceivers(): Promise<void> {
  for (const close of closing.splice(0)) await close()
}

/** A receiver on a port of its own; `handle` gets each request with its body as bytes. @returns its URL */
export async function listening(
  handle: (request: Request, response: Response) => Promise<void>,
): Promise<string> {
  const app = express()
  app.use(express.raw({ type: '*/*' }))
  app.use(async (request, response) => {
    // As frameworks do with uncaught errors.
    await handle(request, response).catch(() => response.headersSent || response.status(500).end())
  })
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
}

/** A hand-written receiver with replaceable parts. */
export interface ReceiverParts {
  body: (raw: string) => string
  key: string | Buffer
  signed: (id: string, timestamp: string, body: string) => string
  encoding: 'base64' | 'hex'
  candidates: (header: string) => string[]
  same: (given: Buffer, expected: Buffer) => boolean
  /** @param age seconds, negative for the future */
  isFresh: (age: number) => boolean
  whenMissing: number | 'go on'
  whenRefused: number
  takesUnsigned: (event: CowryEvent) => boolean
  handle: (event: CowryEvent, id: string, response: Response) => Promise<void>
}

export const rightParts: ReceiverParts = {
  body: (raw) => raw,
  key: bytes,
  signed: (id, timestamp, body) => `${id}.${timestamp}.${body}`,
  encoding: 'base64',
  candidates: (header) =>
    header.split(' ').flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : [])),
  same: (given, expected) => given.length === expected.length && timingSafeEqual(given, expected),
  isFresh: (age) => Math.abs(age) <= 300,
  whenMissing: 400,
  whenRefused: 401,
  takesUnsigned: () => false,
  handle: async (_event, _id, response) => void response.status(204).end(),
}

export const byHand = (replaced: Partial<ReceiverParts>): Promise<string> => {
  const parts = { ...rightParts, ...replaced }
  return listening(async (request, response) => {
    const raw = (request.body as Buffer).toString()
    const [id, timestamp, header] = ['id', 'timestamp', 'signature'].map(
      (name) => request.headers[`webhook-${name}`] as string | undefined,
    )
    const event = JSON.parse(raw) as CowryEvent
    if (id === undefined || timestamp === undefined || header === undefined) {
      if (parts.whenMissing === 'go on') await parts.handle(event, String(id), response)
      else response.status(parts.whenMissing).end()
      return
    }
    const expected = createHmac('sha256', parts.key)
      .update(parts.signed(id, timestamp, parts.body(raw)))
      .digest()
    const genuine = parts
      .candidates(header)
      .some((each) => parts.same(Buffer.from(each, parts.encoding), expected))
    if (!(genuine || parts.takesUnsigned(event)) || !parts.isFresh(Date.now() / 1000 - Number(timestamp)))
      response.status(parts.whenRefused).end()
    else await parts.handle(event, id, response)
  })
}
