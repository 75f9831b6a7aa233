import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares secrets in a time that does not depend on where they differ, nor on their lengths. */
export function isSame(one: string | Buffer, other: string | Buffer): boolean {
  const [a, b] = [one, other].map((each) => createHash('sha256').update(each).digest()) as [Buffer, Buffer]
  return timingSafeEqual(a, b)
}
