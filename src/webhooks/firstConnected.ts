import { isIPv6, type Socket } from 'node:net'

/** RFC 8305 §5: how long one address is tried before the next is tried in parallel. */
const headStartMs = 250

/**
 * The first connection that succeeds to one of the addresses, alternating between families (Happy Eyeballs,
 * RFC 8305). Other attempts are aborted, and late connections are closed.
 * @throws the last error once every address has failed; the signal's reason if it aborts first
 */
export function firstConnected(
  addresses: readonly string[],
  signal: AbortSignal,
  dial: (address: string, signal: AbortSignal) => Promise<Socket>,
): Promise<Socket> {
  const waiting = alternateFamilies(addresses)
  return new Promise((done, fail) => {
    const controllers = new Set<AbortController>()
    let timer: NodeJS.Timeout | undefined
    let settled = false
    const settle = (act: () => void) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      signal.removeEventListener('abort', give)
      act()
      for (const controller of controllers) controller.abort(signal.reason)
    }
    const give = () => settle(() => fail(signal.reason))
    const next = () => {
      clearTimeout(timer)
      const address = waiting.shift()
      if (address === undefined || settled) return
      const controller = new AbortController()
      controllers.add(controller)
      timer = setTimeout(next, headStartMs)
      dial(address, controller.signal).then(
        (socket) => {
          controllers.delete(controller)
          if (settled) socket.destroy()
          else settle(() => done(socket))
        },
        (error) => {
          controllers.delete(controller)
          if (waiting.length > 0) next()
          else if (controllers.size === 0) settle(() => fail(error))
        },
      )
    }
    if (signal.aborted) give()
    else {
      signal.addEventListener('abort', give, { once: true })
      next()
    }
  })
}

/** Keeps the resolver's order within each family, starting with the family of the first address. */
function alternateFamilies(addresses: readonly string[]): string[] {
  const sixFirst = isIPv6(addresses[0] ?? '')
  const first = addresses.filter((address) => isIPv6(address) === sixFirst)
  const second = addresses.filter((address) => isIPv6(address) !== sixFirst)
  return Array.from({ length: Math.max(first.length, second.length) }, (_, at) => [first[at], second[at]])
    .flat()
    .filter((address) => address !== undefined)
}
