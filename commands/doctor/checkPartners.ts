import { bridgeSettings } from '../../src/bridge/settings.ts'
import { configuredChains } from '../../src/chains/configuration.ts'
import { type ConfiguredChain, tokenOf } from '../../src/chains/registry.ts'
import { screeningSettings } from '../../src/outflows/screening/screeningSettings.ts'
import { partnerPaymentSettings } from '../../src/partnerPayments/settings.ts'
import { circleFrom } from '../../src/partners/circle/client.ts'
import { createJupiter } from '../../src/partners/jupiter/client.ts'
import { openExchangeRatesFrom } from '../../src/partners/openexchangerates/client.ts'
import { RateFeedError } from '../../src/partners/openexchangerates/rateFeedError.ts'
import { createYellowCard } from '../../src/partners/yellowcard/client.ts'
import { yellowCardFrom } from '../../src/partners/yellowcard/fromSettings.ts'
import { createZeroX } from '../../src/partners/zerox/client.ts'
import { ConfigError, type Part } from '../../src/platform/config.ts'
import { messageOf } from '../../src/platform/errors.ts'
import { isOverAged } from '../../src/pricing/fixedRates.ts'
import { feedSettings, partnerSettings, pricingSettings } from '../../src/pricing/settings.ts'
import { type SwapProvider, SwapProviderError } from '../../src/swaps/provider.ts'
import { swapSettings } from '../../src/swaps/settings.ts'
import { codeOf, type DoctorContext, settingsIn, stepMs, unreachable, valuesOf } from './context.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, advice, fault } = findingsOf('partners')

/** Sends each configured partner a request that changes nothing. */
export async function checkPartners(ctx: DoctorContext, part: Part & ('api' | 'worker')): Promise<Finding[]> {
  const { chains } = configuredChains(ctx.env)
  const checks = [
    yellowCard(ctx, part),
    circle(ctx, part, chains),
    ...(part === 'api' ? [fixedRates(ctx), ...swaps(ctx, chains)] : [secondSource(ctx), screening(ctx)]),
  ]
  return (await Promise.all(checks)).flat()
}

async function yellowCard(ctx: DoctorContext, part: Part): Promise<Finding[]> {
  const [first, second] = [
    settingsIn(ctx, part, partnerSettings),
    settingsIn(ctx, part, partnerPaymentSettings),
  ]
  const account = first && second && yellowCardFrom({ ...first, ...second })
  if (!first || !second) return []
  if (!account)
    return [
      advice(
        'Yellow Card',
        'partner_off',
        'there is no payout partner: banks cannot be paid, and rates are those of other sources',
        'Set YELLOWCARD_API_KEY and YELLOWCARD_SECRET_KEY, if you have an account. See docs/deployment.md, Without Yellow Card.',
      ),
    ]
  try {
    const rates = await createYellowCard(account).rates()
    return [ok('Yellow Card', `answers, with ${rates.length} rates`)]
  } catch (error) {
    const text = messageOf(error)
    if (/answered 40[13]/.test(text))
      return [
        fault(
          'Yellow Card',
          'partner_key',
          text,
          'Correct YELLOWCARD_API_KEY and YELLOWCARD_SECRET_KEY, check YELLOWCARD_SIGNED_PATH, and that your address is on their list.',
        ),
      ]
    return [
      fault(
        'Yellow Card',
        'partner_unreachable',
        text,
        'Check YELLOWCARD_URL, and that this machine may connect to it.',
      ),
    ]
  }
}

/** Open Exchange Rates, where it is configured. */
async function secondSource(ctx: DoctorContext): Promise<Finding[]> {
  const settings = settingsIn(ctx, 'worker', feedSettings)
  const feed = settings && openExchangeRatesFrom(settings)
  if (!feed) return []
  try {
    return [ok('Open Exchange Rates', `answers, with ${(await feed.rates()).length} rates`)]
  } catch (error) {
    if (!(error instanceof RateFeedError)) throw error
    const isRefused = error.problem === 'refused'
    return [
      fault(
        'Open Exchange Rates',
        isRefused ? 'rate_source_key' : 'rate_source_unreachable',
        error.message,
        isRefused
          ? 'Correct OPENEXCHANGERATES_APP_ID.'
          : 'Check OPENEXCHANGERATES_URL, and that this machine may connect to it.',
      ),
    ]
  }
}

/** Rates of the operator that are used no more. */
async function fixedRates(ctx: DoctorContext): Promise<Finding[]> {
  const settings = settingsIn(ctx, 'api', pricingSettings)
  const old =
    settings?.RATES.filter((rate) => isOverAged(rate, settings.RATES_MAX_AGE_DAYS, Date.now())) ?? []
  if (old.length === 0) return []
  return [
    fault(
      'RATES',
      'rate_too_old',
      `too old: ${old.map(({ currency, day }) => `${currency} of ${day}`).join(', ')}`,
      'Set the rates of today and their day, and restart the API.',
    ),
  ]
}

async function circle(
  ctx: DoctorContext,
  part: Part,
  chains: readonly ConfiguredChain[],
): Promise<Finding[]> {
  const settings = settingsIn(ctx, part, bridgeSettings)
  const environment = valuesOf(ctx, 'api', ['ENVIRONMENT'])?.ENVIRONMENT
  const [from, to] = chains.flatMap(({ cctp }) => cctp ?? [])
  if (!settings || !environment || !from || !to) return []
  try {
    await circleFrom(settings, environment).fees(from.domain, to.domain, false)
    return [ok('Circle', 'answers')]
  } catch (error) {
    // Reported with the settings.
    if (error instanceof ConfigError) return []
    return [
      fault(
        'Circle',
        'circle_unreachable',
        `its attestation service: ${messageOf(error)}`,
        'Check CIRCLE_URL, and that this machine may connect to it: without it no bridge transfer ends.',
      ),
    ]
  }
}

function swaps(ctx: DoctorContext, chains: readonly ConfiguredChain[]): Promise<Finding[]>[] {
  const settings = settingsIn(ctx, 'api', swapSettings)
  if (!settings) return []
  const { ZEROX_API_KEY: zeroXKey, JUPITER_API_KEY: jupiterKey } = settings
  const both = (family: string) =>
    chains.find((chain) => chain.family === family && tokenOf(chain, 'USDC') && tokenOf(chain, 'USDT'))
  const zeroX =
    zeroXKey &&
    createZeroX({ url: settings.ZEROX_URL, apiKey: zeroXKey, perSecond: settings.ZEROX_REQUESTS_PER_SECOND })
  const jupiter =
    jupiterKey &&
    createJupiter({
      url: settings.JUPITER_URL,
      apiKey: jupiterKey,
      perSecond: settings.JUPITER_REQUESTS_PER_SECOND,
    })
  return [
    ...(zeroX ? [swapProvider('0x', 'ZEROX', zeroX, both('evm'))] : []),
    ...(jupiter ? [swapProvider('Jupiter', 'JUPITER', jupiter, both('solana'))] : []),
  ]
}

/** A price of ten USDC in USDT. */
async function swapProvider(
  name: string,
  prefix: string,
  provider: SwapProvider,
  chain: ConfiguredChain | undefined,
): Promise<Finding[]> {
  const [sell, buy] = chain ? [tokenOf(chain, 'USDC'), tokenOf(chain, 'USDT')] : []
  if (!chain || !sell || !buy)
    return [
      advice(
        name,
        'swap_without_chain',
        'has a key, and no chain with USDC and USDT is switched on',
        `Switch one on, or remove ${prefix}_API_KEY.`,
      ),
    ]
  try {
    const question = {
      network: chain.network,
      sellToken: sell.contract,
      buyToken: buy.contract,
      sellAmount: 10n * 10n ** BigInt(sell.decimals),
      slippageBps: 100,
    }
    await provider.price(question)
    return [ok(name, 'answers')]
  } catch (error) {
    if (!(error instanceof SwapProviderError)) throw error
    // It took the key, and has no market for this pair.
    if (['no_liquidity', 'token_not_supported', 'provider_refused'].includes(error.problem))
      return [ok(name, 'answers')]
    if (/answered 40[13]/.test(error.message))
      return [fault(name, 'swap_key', error.message, `Correct ${prefix}_API_KEY.`)]
    return [
      fault(
        name,
        'swap_unreachable',
        error.message,
        `Check ${prefix}_URL, and that this machine may connect to it.`,
      ),
    ]
  }
}

/** Any answer shows that it is there: a request would be one about a payout. */
async function screening(ctx: DoctorContext): Promise<Finding[]> {
  const url = settingsIn(ctx, 'worker', screeningSettings)?.SCREENING_URL
  if (!url) return []
  try {
    await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(stepMs) })
    return [ok('screening', 'answers')]
  } catch (error) {
    const away = unreachable(codeOf(error), new URL(url).host)
    return [
      fault(
        'screening',
        'screening_unreachable',
        away?.text ?? messageOf(error),
        `${away?.cure ?? 'Check SCREENING_URL.'} Payouts wait without it.`,
      ),
    ]
  }
}
