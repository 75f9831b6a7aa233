import type { ApiStart, Capability } from '../src/capability.ts'
import { type BroughtContext, broughtParts } from '../src/routeContext.ts'

/**
 * Starts each capability's part of the api.
 * @returns what they bring, joined
 * @throws Error naming a part that none brings, or two
 */
export async function startCapabilities(
  ctx: ApiStart,
  capabilities: readonly Pick<Capability, 'name' | 'startApi'>[],
): Promise<BroughtContext> {
  const brought = new Map<string, unknown>()
  for (const { name, startApi } of capabilities)
    for (const [part, value] of Object.entries((await startApi?.(ctx)) ?? {})) {
      if (brought.has(part))
        throw new Error(`two capabilities bring ${part} to the api; the second is ${name}`)
      brought.set(part, value)
    }
  const missing = Object.keys(broughtParts).filter((part) => !brought.has(part))
  if (missing.length > 0) throw new Error(`no capability brings ${missing.join(', ')} to the api`)
  return Object.fromEntries(brought) as unknown as BroughtContext
}
