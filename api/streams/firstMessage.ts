import type { IncomingHttpHeaders } from 'node:http'
import type { RawData, WebSocket } from 'ws'
import { ApiError, BaseError, type FieldMistake, invalidBody, shownField } from '../../src/platform/errors.ts'
import { noCredential } from '../middleware/outcomes.ts'

/** A client that sends nothing keeps its connection for this long. */
const credentialMs = 5000

/** The fields of the first message, and the headers that they stand for. */
const headerOf = { apiKey: 'x-api-key', accessToken: 'authorization', businessId: 'x-business-id' } as const
type Field = keyof typeof headerOf

/** A message that a stream does not take. */
export class UnsupportedMessageError extends BaseError {
  readonly code = 'unsupported_message'
  readonly retry = 'no'
}

/**
 * Waits for the credential of a stream.
 * @param onAnother called for each later message
 * @returns it as the headers of a request
 * @throws ApiError 400, 401; UnsupportedMessageError for a binary message
 */
export function firstMessage(
  socket: WebSocket,
  onAnother: () => void,
  withinMs = credentialMs,
): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer)
      socket.off('message', read).off('close', gone)
    }
    const fail = (error: Error) => {
      done()
      reject(error)
    }
    const read = (data: RawData, isBinary: boolean) => {
      try {
        if (isBinary) throw new UnsupportedMessageError('a stream takes text only')
        const headers = headersIn(String(data))
        done()
        // At once: the next message may have come in the same packet.
        socket.on('message', onAnother)
        resolve(headers)
      } catch (error) {
        fail(error as Error)
      }
    }
    const gone = () => fail(new Error('the client has gone'))
    const timer = setTimeout(
      () => fail(noCredential(`No credential came within ${withinMs / 1000} seconds`)),
      withinMs,
    )
    socket.on('message', read).on('close', gone)
  })
}

/** @throws ApiError 400 naming the fields; 401 without a credential */
export function headersIn(text: string): IncomingHttpHeaders {
  const fields = objectIn(text)
  const wrong = Object.entries(fields).flatMap(([field, value]) => problemOf(field, value))
  if (wrong.length > 0) throw invalidBody(...wrong)
  const { apiKey, accessToken, businessId } = fields as Partial<Record<Field, string>>
  if (apiKey === undefined && accessToken === undefined)
    throw noCredential('The first message has neither apiKey nor accessToken')
  return {
    ...(apiKey !== undefined && { [headerOf.apiKey]: apiKey }),
    ...(accessToken !== undefined && { [headerOf.accessToken]: `Bearer ${accessToken}` }),
    ...(businessId !== undefined && { [headerOf.businessId]: businessId }),
  }
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // The same answer as for JSON of another kind. The text may hold a secret: it is not repeated.
  }
  throw new ApiError(
    400,
    'Invalid request body',
    'The first message must be a JSON object with apiKey or accessToken',
  )
}

function problemOf(field: string, value: unknown): FieldMistake[] {
  if (!Object.hasOwn(headerOf, field))
    return [{ field: shownField(field), message: 'is not a known field', code: 'unknown_field' }]
  return typeof value === 'string' && value !== ''
    ? []
    : [{ field, message: 'must be a text', code: 'wrong_type' }]
}
