import type { Token } from '../chains/action.ts'
import { bridgeActions } from '../chains/bridgeActions.ts'
import type { BridgeActions, BridgeSpeed } from '../chains/bridging.ts'
import { readAddress } from '../chains/readAddress.ts'
import { readRecipientAddress } from '../chains/recipientAddress.ts'
import type { Cctp, ConfiguredChain } from '../chains/registry.ts'
import { requireAmount, requireUnits } from '../chains/requireAmount.ts'
import { requireChain } from '../chains/requireChain.ts'
import { ApiError } from '../platform/errors.ts'
import { usdcOf } from './burnOf.ts'

/** The body of a request. */
export interface BridgeBody {
  sourceChain: string
  destinationChain: string
  amount: string
  sourceAddress: string
  destinationAddress: string
  automatic?: boolean
  speed?: BridgeSpeed
  maxFee?: string
}

/** One end of a route. */
export interface BridgeEnd {
  chain: ConfiguredChain
  cctp: Cctp
  actions: BridgeActions
  token: Token
}

export interface WantedBridge {
  source: BridgeEnd
  destination: BridgeEnd
  /** Base units of USDC. */
  amount: bigint
  /** Normal forms. */
  sourceAddress: string
  destinationAddress: string
  automatic: boolean
  speed: BridgeSpeed
  /** The caller's. */
  maxFee: bigint | null
}

const notSupported = (field: string, message: string) =>
  new ApiError(400, 'route_not_supported', `${field}: ${message}`, { fields: [{ field, message }] })

/**
 * Reads a request, without any query.
 * @throws ApiError 400 naming the field: `route_not_supported`, `invalid_address`, `wrong_chain_address`,
 * `Invalid
 *   request body`; 422 `amount_too_small`, `recipient_is_token`, `recipient_without_key`
 */
export async function readBridgeRequest(
  ctx: { chains: readonly ConfiguredChain[]; bridgeLimits: { min: bigint } },
  body: BridgeBody,
): Promise<WantedBridge> {
  const source = await readEnd(ctx, body.sourceChain, 'sourceChain')
  const destination = await readEnd(ctx, body.destinationChain, 'destinationChain')
  if (destination.chain.family === 'solana' && destination.cctp.lookupTable === undefined)
    throw notSupported(
      'destinationChain',
      `this deployment cannot mint on ${destination.chain.name}: its operator has set no lookup table`,
    )
  if (source.chain.name === destination.chain.name)
    throw notSupported('destinationChain', 'must be another chain than sourceChain')
  const { decimals } = source.token
  const amount = requireAmount(body.amount, decimals, 'amount')
  const sourceAddress = readAddress(source.chain, body.sourceAddress, 'sourceAddress')
  const destinationAddress = readRecipientAddress(
    destination.chain,
    body.destinationAddress,
    'destinationAddress',
  )
  const maxFee = body.maxFee === undefined ? null : requireUnits(body.maxFee, decimals, 'maxFee')
  if (amount < ctx.bridgeLimits.min) throw tooSmall()
  return {
    source,
    destination,
    amount,
    sourceAddress,
    destinationAddress,
    automatic: body.automatic ?? false,
    speed: body.speed ?? 'standard',
    maxFee,
  }
}

async function readEnd(
  ctx: { chains: readonly ConfiguredChain[] },
  name: string,
  field: string,
): Promise<BridgeEnd> {
  const chain = requireChain(ctx, name, { field, invalid: ({ message }) => notSupported(field, message) })
  const [actions, token] = [await bridgeActions(chain), usdcOf(chain)]
  if (!chain.cctp || !actions || !token) throw notSupported(field, `${name} has no bridge of USDC`)
  return { chain, cctp: chain.cctp, actions, token }
}

function tooSmall(): ApiError {
  const message = 'is less than this platform bridges'
  return new ApiError(422, 'amount_too_small', `amount: ${message}`, {
    fields: [{ field: 'amount', message }],
  })
}
