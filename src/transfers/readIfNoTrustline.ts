import type { IfNoTrustline, TransferSpec } from '../chains/action.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { invalidBody } from '../platform/errors.ts'

/** Seven days: the contract's maximum. */
const defaultWaitSeconds = 604_800

/** Reads what happens while the recipient cannot hold the token. @throws ApiError 400 naming the field */
export function readIfNoTrustline(
  chain: Pick<ConfiguredChain, 'name' | 'family'>,
  to: string,
  isToken: boolean,
  { ifNoTrustline, waitSeconds }: { ifNoTrustline?: IfNoTrustline['kind']; waitSeconds?: number },
): Pick<TransferSpec, 'ifNoTrustline'> {
  if (waitSeconds !== undefined && ifNoTrustline !== 'wait')
    throw invalidBody({ field: 'waitSeconds', message: 'is for ifNoTrustline "wait"', code: 'not_possible' })
  if (ifNoTrustline === undefined) return {}
  if (chain.family !== 'stellar' || !isToken)
    throw invalidBody({
      field: 'ifNoTrustline',
      message: `is for USDC and USDT on stellar, not for ${isToken ? '' : 'the native coin of '}${chain.name}`,
      code: 'not_possible',
    })
  if (ifNoTrustline === 'wait')
    return {
      ifNoTrustline: {
        kind: 'wait',
        until: new Date(Date.now() + (waitSeconds ?? defaultWaitSeconds) * 1000),
      },
    }
  if (to.startsWith('M'))
    throw invalidBody({
      field: 'ifNoTrustline',
      message: 'cannot be "claimable" with a muxed address: a claimable balance does not keep its id',
      code: 'not_possible',
    })
  return { ifNoTrustline: { kind: 'claimable' } }
}
