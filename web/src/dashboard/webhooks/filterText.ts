import { chainLabel } from '../labels.ts'
import type { Endpoint } from './types.ts'

/** What an endpoint's filter lets through; empty without one. */
export const filterText = ({
  chains,
  tokens,
  referencePrefix,
}: Pick<Endpoint, 'chains' | 'tokens' | 'referencePrefix'>): string =>
  [
    chains?.map(chainLabel).join(', '),
    tokens?.join(', '),
    referencePrefix && `references that begin with ${referencePrefix}`,
  ]
    .filter(Boolean)
    .join('; ')
