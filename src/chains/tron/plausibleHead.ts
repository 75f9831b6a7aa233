import type { BlockHeader } from '../chain.ts'
import { requirePlausibleTime } from '../plausibleTime.ts'
import type { Providers } from '../providers/providers.ts'
import type { Rest } from '../providers/rest.ts'
import { readHead } from './nodeApi.ts'

/**
 * A node's newest block, by whose time transactions expire. @throws ProviderError where other nodes
 * contradict its time
 */
export async function plausibleHead(
  { providers }: { providers: Providers<Rest> },
  rest: Rest,
): Promise<BlockHeader> {
  const newest = (each: Rest) => readHead(each, '/wallet/getnowblock')
  const head = await newest(rest)
  await requirePlausibleTime(providers, rest, head.time.getTime(), async (other) =>
    (await newest(other)).time.getTime(),
  )
  return head
}
