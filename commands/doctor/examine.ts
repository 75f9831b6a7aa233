import { configuredChains } from '../../src/chains/configuration.ts'
import { messageOf } from '../../src/platform/errors.ts'
import { redisUsers } from '../../src/platform/redis/redisUsers.ts'
import { checkClock, type Skew } from './checkClock.ts'
import { checkDatabase } from './checkDatabase.ts'
import { checkTreasuryEgress, checkWebhookEgress } from './checkEgress.ts'
import { checkAppKey, checkSeedKey } from './checkKeys.ts'
import { checkMail } from './checkMail.ts'
import { checkNodes } from './checkNodes.ts'
import { checkPartners } from './checkPartners.ts'
import { checkPublicUrl, publicUrls } from './checkPublicUrl.ts'
import { checkRedis } from './checkRedis.ts'
import { checkSettings } from './checkSettings.ts'
import type { DoctorContext } from './context.ts'
import { type Area, type DoctorPart, type Finding, merged } from './finding.ts'
import { hideSecrets } from './hideSecrets.ts'

/** Runs the checks of the parts. No finding holds a secret of the environment. */
export async function examine(ctx: DoctorContext): Promise<Finding[]> {
  const has = (part: DoctorPart) => ctx.parts.includes(part)
  const skews: Skew[] = []
  const databases = ctx.parts.map((part) =>
    guarded('database', part, async () => {
      const { findings, skew } = await checkDatabase(ctx, part)
      if (skew) skews.push(skew)
      return findings
    }),
  )
  const asksNodes = has('api') || has('worker') || has('indexer')
  // First these alone: loading a chain's library takes long enough to resemble a server that does not
  // answer.
  const servers = await Promise.all([
    guarded('settings', 'all', async () => checkSettings(ctx)),
    ...databases,
    ...redisUsers.filter(has).map((user) => guarded('redis', user, () => checkRedis(ctx, user))),
  ])
  const others = await Promise.all([
    ...(asksNodes ? [guarded('nodes', 'all', () => checkNodes(ctx))] : []),
    ...(has('treasury')
      ? [
          guarded('keys', 'treasury', () => checkSeedKey(ctx)),
          guarded('egress', 'treasury', () => checkTreasuryEgress(ctx)),
        ]
      : []),
    ...(has('api') ? [guarded('keys', 'api', () => checkAppKey(ctx))] : []),
    ...(has('worker')
      ? [
          guarded('mail', 'worker', () => checkMail(ctx)),
          guarded('egress', 'worker', () => checkWebhookEgress(ctx)),
        ]
      : []),
    ...(['api', 'worker'] as const)
      .filter(has)
      .map((part) => guarded('partners', part, () => checkPartners(ctx, part))),
    ...publicUrls
      .filter(({ part }) => has(part))
      .map((each) => guarded('public URL', each.part, () => checkPublicUrl(ctx, each))),
    guarded('clock', 'this machine', () => checkClock(asksNodes ? hostsOf(ctx) : [], skews)),
  ])
  const hide = hideSecrets(ctx.env)
  return merged([...servers, ...others].flat()).map((finding) => ({
    ...finding,
    text: hide(finding.text),
    ...(finding.cure === undefined ? {} : { cure: hide(finding.cure) }),
  }))
}

/** Hosts outside, whose clocks are not this machine's. */
const hostsOf = ({ env }: DoctorContext): string[] =>
  configuredChains(env).chains.flatMap(({ rpcUrls, horizonUrls }) => [...rpcUrls, ...horizonUrls])

/** A check that fails proves nothing of what it checks. */
async function guarded(area: Area, of: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check()
  } catch (error) {
    return [
      {
        area,
        of,
        state: 'unchecked',
        code: 'unchecked',
        text: `could not be checked: ${messageOf(error)}`,
        cure: 'Report this as a defect of Cowry.',
      },
    ]
  }
}
