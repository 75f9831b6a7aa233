import { randomBytes } from 'node:crypto'

/**
 * The last part of a link's address: 128 random bits. It is stored and not derived from the application's key,
 * because printed links must live when that is rolled.
 */
export const newLinkToken = (): string => randomBytes(16).toString('base64url')

export const isLinkToken = (text: string): boolean => /^[A-Za-z0-9_-]{22}$/.test(text)
