import type { Tone } from '../../ui/Badge.tsx'
import type { Sweep } from './types.ts'

export const sweepStates: Record<Sweep['state'], { label: string; tone: Tone }> = {
  open: { label: 'Under way', tone: 'wait' },
  done: { label: 'Done', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
}

export const statusLabels: Record<Sweep['status'], string> = {
  planned: 'Planned',
  waiting: 'It costs too much for now',
  funding: 'Coin for its fee is on the way',
  authorizing: 'The treasury authorizes it',
  ready: 'Ready to be sent',
  sending: 'Sent',
  swept: 'In a block that is not final yet',
  done: 'Done',
  failed: 'Failed',
}
