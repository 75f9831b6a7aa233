import { ApiError } from '../platform/errors.ts'
import type { Standing } from './rateLimiter.ts'

/** The specification's text for a used-up limit. */
export const tooManyRequests = ({ resetSeconds }: Pick<Standing, 'resetSeconds'>): ApiError =>
  new ApiError(429, 'Too many requests, please try again later.', undefined, {
    retryAfterSeconds: resetSeconds,
  })
