import type { Need } from '../runBenches.ts'
import { peers } from './run.ts'

/** The programs that the indexer is compared with, in the versions that their folders pin. */
export const installedPeers: Need = {
  async check(scope) {
    const missing: string[] = []
    for (const { name, version, install } of peers)
      await install(scope).catch((error: Error) => missing.push(`${name} ${version} (${error.message.split('\n')[0]})`))
    if (missing.length > 0) throw new Error(`npm cannot install ${missing.join(', ')}; allow it to reach its registry, or name the other benches`)
  },
}
