import type { CollectionChannel } from './types.ts'

const each = <T>(values: readonly T[]): T[] => [...new Set(values)]

/** The countries where money can be collected, each once. */
export const countriesOf = (channels: readonly CollectionChannel[]): string[] =>
  each(channels.map(({ country }) => country)).sort()

export const currenciesIn = (channels: readonly CollectionChannel[], country: string | undefined): string[] =>
  each(channels.filter((channel) => channel.country === country).map(({ currency }) => currency)).sort()

/** The channels of a country and currency. */
export const channelsOf = (
  channels: readonly CollectionChannel[],
  country: string | undefined,
  currency: string | undefined,
): CollectionChannel[] =>
  channels.filter((channel) => channel.country === country && channel.currency === currency)

/** The amounts that the channels take, in a line. */
export const limitsOf = (channels: readonly CollectionChannel[]): string =>
  channels
    .map(({ min, max, currency }) =>
      max === null ? `from ${min} ${currency}` : `from ${min} to ${max} ${currency}`,
    )
    .join(', or ')

/** The mobile networks of the channels, each once. */
export function networksOf(channels: readonly CollectionChannel[]): { value: string; label: string }[] {
  const names = new Map(
    channels.flatMap(({ networks }) => networks.map(({ id, name }) => [id, name] as const)),
  )
  return [...names].map(([value, label]) => ({ value, label }))
}
