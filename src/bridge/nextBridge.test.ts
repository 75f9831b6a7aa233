import { expect, test } from '@jest/globals'
import { nextBridge } from './nextBridge.ts'

type Row = Parameters<typeof nextBridge>[0]
type Of = Parameters<typeof nextBridge>[1]

const row = (more: Partial<Row> = {}): Row => ({
  ...{
    status: 'pending',
    attestation: null,
    sourceTxId: null,
    destinationTxId: null,
    reclaimAt: null,
    reclaimedAt: null,
  },
  ...more,
})
const intent = (status: Of['status'], more: Partial<Of> = {}): Of => ({
  status,
  settled: false,
  txId: null,
  message: null,
  reason: null,
  ...more,
})
const burnt = intent('confirmed', { txId: '0xb' })
const minted = intent('confirmed', { txId: '0xm' })
const inProgress = row({ status: 'in_progress', sourceTxId: '0xb' })
const wait = { act: 'wait', isOver: false, delay: null } as const
const over = { act: 'wait', isOver: true, delay: null } as const

test.each<[string, Row, Of, Of | null, ReturnType<typeof nextBridge>]>([
  ['a burn under way', row(), intent('broadcast'), null, wait],
  ['a burn whose outcome is unknown', row(), intent('unknown'), null, wait],
  ['a burn', row(), burnt, null, { act: 'burnt', txId: '0xb' }],
  [
    'a burn that failed for good',
    row(),
    intent('failed', { message: 'too little', settled: true }),
    null,
    { act: 'fail', message: 'too little' },
  ],
  [
    'a burn that failed, and may still be mined',
    row(),
    intent('failed', { message: 'too little' }),
    null,
    { ...wait, delay: 'burn_unsettled' },
  ],
  [
    'a burn that expired for good',
    row(),
    intent('expired', { reason: 'expired', settled: true }),
    null,
    { act: 'fail', message: 'expired' },
  ],
  [
    'a burn that expired, and may still be mined',
    row(),
    intent('expired', { reason: 'expired' }),
    null,
    { ...wait, delay: 'burn_unsettled' },
  ],
  [
    'a burn whose nonce another transaction has used, which may be the same burn',
    row(),
    intent('expired', { reason: 'sequence_used', settled: true }),
    null,
    { ...wait, delay: 'burn_unknown' },
  ],
  [
    'a burn that is lost, and a mint that was sent before',
    row(),
    intent('failed', { settled: true }),
    intent('broadcast'),
    { ...wait, delay: 'burn_unsettled' },
  ],
  [
    'a burn that is lost, and a mint that has failed',
    row(),
    intent('failed', { message: 'lost', settled: true }),
    intent('failed', { settled: true }),
    { act: 'fail', message: 'lost' },
  ],
  ['one that has failed', row({ status: 'failed' }), intent('failed', { settled: true }), null, over],
  [
    'a failed one whose burn may still be mined',
    row({ status: 'failed' }),
    intent('failed'),
    null,
    { act: 'burn taken back' },
  ],
  [
    'a failed one whose burn is in a block after all',
    row({ status: 'failed' }),
    burnt,
    null,
    { act: 'burnt', txId: '0xb' },
  ],
  ['a burnt one', inProgress, burnt, null, { act: 'attest' }],
  ['a signed one', { ...inProgress, attestation: '0x1' }, burnt, null, { act: 'mint' }],
  [
    'one whose burn is mined by another transaction',
    inProgress,
    intent('confirmed', { txId: '0xc' }),
    null,
    { act: 'burnt', txId: '0xc' },
  ],
  [
    'a signed one whose mint is under way',
    { ...inProgress, attestation: '0x1' },
    burnt,
    intent('broadcast'),
    { act: 'mint' },
  ],
  ['a minted one', { ...inProgress, attestation: '0x1' }, burnt, minted, { act: 'minted', txId: '0xm' }],
  ['one whose burn a fork took back', inProgress, intent('broadcast'), null, { act: 'burn taken back' }],
  [
    'a mint whose burn a fork took back',
    { ...inProgress, attestation: '0x1' },
    intent('broadcast'),
    minted,
    { act: 'minted', txId: '0xm' },
  ],
  [
    'a completed one, minted by any sender',
    row({ status: 'completed', destinationTxId: '0xm' }),
    burnt,
    intent('failed', { txId: '0xother' }),
    { act: 'check mint', txId: '0xm' },
  ],
])('%s', (_what, transfer, burn, mint, next) => {
  expect(nextBridge(transfer, burn, mint)).toEqual(next)
})
