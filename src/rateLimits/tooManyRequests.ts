import { ApiError } from '../platform/errors.ts'
import type { LimitState } from './rateLimiter.ts'

/** The specification's text for a used-up limit. */
export const tooManyRequests = ({ resetSeconds }: Pick<LimitState, 'resetSeconds'>): ApiError =>
  new ApiError(429, 'Too many requests, please try again later.', undefined, {
    retryAfterSeconds: resetSeconds,
  })
