import type { Tone } from '../../../ui/Badge.tsx'
import type { ChainHealth, Health, QueueHealth } from './types.ts'

export const chainStates: Record<ChainHealth['state'], { label: string; tone: Tone }> = {
  ok: { label: 'Works', tone: 'good' },
  reading: { label: 'Starting', tone: 'plain' },
  behind: { label: 'Behind', tone: 'wait' },
  halted: { label: 'Halted', tone: 'bad' },
  unreadable: { label: 'Cannot be read', tone: 'bad' },
  silent: { label: 'No indexer', tone: 'bad' },
}

export const nodeStates: Record<ChainHealth['nodes'][number]['state'], { label: string; tone: Tone }> = {
  ok: { label: 'Works', tone: 'good' },
  resting: { label: 'Fails', tone: 'wait' },
  wrong_chain: { label: 'Another chain', tone: 'bad' },
}

export const redisStates: Record<NonNullable<Health['queues']>['redis'], { label: string; tone: Tone }> = {
  ok: { label: 'Redis answers', tone: 'good' },
  no_answer: { label: 'Redis: no answer', tone: 'bad' },
  unknown: { label: 'No worker reports', tone: 'bad' },
}

/** Queues of which something is to be seen; the others are named in one line. */
export function splitQueues(queues: readonly QueueHealth[]): { busy: QueueHealth[]; idle: QueueHealth[] } {
  const isIdle = ({ jobs, unfinished, dead }: QueueHealth) =>
    dead === 0 &&
    (unfinished ?? 0) === 0 &&
    jobs !== null &&
    jobs.waiting + jobs.active + jobs.delayed + jobs.failed === 0
  return { busy: queues.filter((each) => !isIdle(each)), idle: queues.filter(isIdle) }
}

/** `session-payment` as `Session payment`. */
export function queueLabel(queue: string): string {
  const words = queue.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** How long ago a time was, at the moment of the answer. */
export function agoText(at: string, now: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(now) - Date.parse(at)) / 1000))
  if (seconds < 100) return `${seconds} s ago`
  const minutes = Math.round(seconds / 60)
  if (minutes < 100) return `${minutes} min ago`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`
}
