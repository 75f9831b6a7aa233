import type { Request } from 'express'
import { canonicalAddress } from '../../src/platform/addresses.ts'

/**
 * Where a request comes from, in its one form. Express takes it from `X-Forwarded-For` as far as trusted proxies wrote it (`trust proxy`);
 * what they pass on that is no address counts for the connection's own.
 */
export const clientAddress = (request: Request): string =>
  canonicalAddress(request.ip ?? '') ?? canonicalAddress(request.socket.remoteAddress ?? '') ?? 'unknown'
