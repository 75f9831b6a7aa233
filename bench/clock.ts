/** Milliseconds since 1970 with fractions, comparable between processes of one machine. */
export const clock = (): number => performance.timeOrigin + performance.now()
