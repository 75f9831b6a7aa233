/** No part of the page takes longer than this. */
const boundMs = 2000

/** @returns null where `work` fails, or does not end in time */
export async function within<T>(work: () => Promise<T>, ms = boundMs): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms)
  })
  try {
    return await Promise.race([work().catch(() => null), late])
  } finally {
    clearTimeout(timer)
  }
}
