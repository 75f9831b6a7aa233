import type { Tone } from '../ui/Badge.tsx'
import type { ImportStatus } from './monitoring/types.ts'
import { type Chain, chainNames, type Token } from './payments/accepted.ts'
import type { Approval, KeyState, Role } from './types.ts'
import type { DeliveryStatus, Endpoint } from './webhooks/types.ts'

export const roleLabels: Record<Role, { label: string; hint: string }> = {
  owner: { label: 'Owner', hint: 'Does everything, including members and payments.' },
  developer: { label: 'Developer', hint: 'Manages API keys and webhooks, and sees everything.' },
  viewer: { label: 'Viewer', hint: 'Sees everything and changes nothing.' },
  cashier: { label: 'Cashier', hint: 'Takes payments at the till, and sees nothing else.' },
}

export const roleChoices = (['owner', 'developer', 'viewer', 'cashier'] as const).map((value) => ({
  value,
  ...roleLabels[value],
}))

export function readRole(text: string): Role {
  return text === 'owner' || text === 'developer' || text === 'cashier' ? text : 'viewer'
}

export const approvalLabels: Record<Approval, { label: string; tone: Tone }> = {
  approved: { label: 'Approved', tone: 'good' },
  pending: { label: 'Waiting for approval', tone: 'wait' },
  suspended: { label: 'Suspended', tone: 'bad' },
}

export const keyStateLabels: Record<KeyState, { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'good' },
  expired: { label: 'Expired', tone: 'plain' },
  revoked: { label: 'Revoked', tone: 'bad' },
}

export function endpointState({ pausedReason, health }: Pick<Endpoint, 'pausedReason' | 'health'>): {
  label: string
  tone: Tone
} {
  if (pausedReason === 'owner') return { label: 'Paused', tone: 'plain' }
  if (pausedReason === 'failing') return { label: 'Paused: it failed', tone: 'bad' }
  if (pausedReason === 'gone') return { label: 'Paused: it is gone', tone: 'bad' }
  return health.failingSince ? { label: 'Failing', tone: 'wait' } : { label: 'Active', tone: 'good' }
}

export const deliveryLabels: Record<DeliveryStatus, { label: string; tone: Tone }> = {
  pending: { label: 'Waiting', tone: 'wait' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
}

export const importLabels: Record<ImportStatus, { label: string; tone: Tone }> = {
  pending: { label: 'Waiting', tone: 'plain' },
  running: { label: 'Under way', tone: 'wait' },
  completed: { label: 'Done', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'plain' },
}

const namesOfChains: Record<string, string | undefined> = chainNames

/** The chain's name, or its id if it is newer than this page. */
export const chainLabel = (chain: string): string => namesOfChains[chain] ?? chain

export const isChain = (text: string): text is Chain => Object.hasOwn(chainNames, text)

export const chainChoices: { value: string; label: string }[] = Object.entries(chainNames).map(
  ([value, label]) => ({ value, label }),
)

const tokens: Record<Token, Token> = { USDC: 'USDC', USDT: 'USDT' }

export const isToken = (text: string): text is Token => Object.hasOwn(tokens, text)

export const tokenChoices: { value: string; label: string }[] = Object.values(tokens).map((value) => ({
  value,
  label: value,
}))
