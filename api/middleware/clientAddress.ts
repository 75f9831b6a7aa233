import type { Request } from 'express'
import { canonicalAddress } from '../../src/platform/addresses.ts'

/**
 * The client's IP address, normalized. Express reads it from `X-Forwarded-For` as far as trusted proxies
 * wrote it (`trust proxy`); if the result is not an IP address, the connection's own is used.
 */
export const clientAddress = (request: Request): string =>
  canonicalAddress(request.ip ?? '') ?? canonicalAddress(request.socket.remoteAddress ?? '') ?? 'unknown'
