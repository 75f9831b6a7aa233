/** Milliseconds since 1970, with their fractions: what two processes of one machine can compare. */
export const clock = (): number => performance.timeOrigin + performance.now()
