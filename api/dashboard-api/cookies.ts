import type { IncomingHttpHeaders } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import { deviceSeconds } from '../../src/accounts/deviceCookie.ts'

// With the prefix `__Host-`, browsers refuse the cookie from another host, for another path, and without TLS
// (except on localhost).
export const sessionCookie = '__Host-cowry_session'
const deviceCookie = '__Host-cowry_device'
const attributes = { path: '/', secure: true, httpOnly: true, sameSite: 'strict' } as const

export const setSession = (secret: string): string =>
  stringifySetCookie({ name: sessionCookie, value: secret, ...attributes })
export const endSession = (): string =>
  stringifySetCookie({ name: sessionCookie, value: '', ...attributes, maxAge: 0 })
export const setDevice = (value: string): string =>
  stringifySetCookie({ name: deviceCookie, value, ...attributes, maxAge: deviceSeconds })

export const deviceOf = (request: { headers: IncomingHttpHeaders }): string | null =>
  cookiesOf(request)[deviceCookie] ?? null

export const cookiesOf = (request: { headers: IncomingHttpHeaders }) =>
  parseCookie(request.headers.cookie ?? '')
