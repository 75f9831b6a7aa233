import type { Need } from '../runBenches.ts'
import { peers } from './run.ts'

/** The compared programs, in the versions that their folders pin. */
export const installedPeers: Need = {
  async check(scope) {
    const missing: string[] = []
    for (const { name, version, install } of peers)
      await install(scope).catch((error: Error) =>
        missing.push(`${name} ${version} (${error.message.split('\n')[0]})`),
      )
    if (missing.length > 0)
      throw new Error(
        `npm cannot install ${missing.join(', ')}; allow npm to reach its registry, or name only other benches`,
      )
  },
}
