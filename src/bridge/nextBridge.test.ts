import { expect, test } from '@jest/globals'
import { nextBridge } from './nextBridge.ts'

type Row = Parameters<typeof nextBridge>[0]
type Of = Parameters<typeof nextBridge>[1]

const row = (more: Partial<Row> = {}): Row => ({ status: 'pending', attestation: null, mintIntentId: null, destinationTxId: null, ...more })
const intent = (status: Of['status'], more: Partial<Of> = {}): Of => ({ status, settled: false, txId: null, message: null, reason: null, ...more })
const burnt = intent('confirmed', { txId: '0xb' })
const minted = intent('confirmed', { txId: '0xm' })

test.each<[string, Row, Of, Of | null, ReturnType<typeof nextBridge>]>([
  ['a burn under way', row(), intent('broadcast'), null, { act: 'wait' }],
  ['a burn whose outcome is unknown', row(), intent('unknown'), null, { act: 'wait' }],
  ['a burn', row(), burnt, null, { act: 'burnt', txId: '0xb' }],
  ['a burn that failed', row(), intent('failed', { message: 'too little' }), null, { act: 'fail', message: 'too little' }],
  ['a burn that expired', row(), intent('expired', { reason: 'expired' }), null, { act: 'fail', message: 'expired' }],
  ['one that has failed', row({ status: 'failed' }), intent('failed'), null, { act: 'wait' }],
  ['a failed one whose burn is in a block after all', row({ status: 'failed' }), burnt, null, { act: 'burnt', txId: '0xb' }],
  ['a burnt one', row({ status: 'in_progress' }), burnt, null, { act: 'attest' }],
  ['a signed one', row({ status: 'in_progress', attestation: '0x1' }), burnt, null, { act: 'mint' }],
  ['a burn that a fork took back', row({ status: 'in_progress' }), intent('broadcast'), null, { act: 'burn taken back' }],
  ['a mint', row({ status: 'in_progress', attestation: '0x1', mintIntentId: 'm' }), burnt, minted, { act: 'minted', txId: '0xm' }],
  ['a mint that failed', row({ status: 'in_progress', attestation: '0x1', mintIntentId: 'm' }), burnt, intent('failed'), { act: 'mint' }],
  [
    'a mint whose burn a fork took back',
    row({ status: 'in_progress', attestation: '0x1', mintIntentId: 'm' }),
    intent('broadcast'),
    minted,
    { act: 'minted', txId: '0xm' },
  ],
  ['a completed one', row({ status: 'completed', mintIntentId: 'm', destinationTxId: '0xm' }), burnt, minted, { act: 'wait' }],
  [
    'a mint that a fork took back',
    row({ status: 'completed', mintIntentId: 'm', destinationTxId: '0xm' }),
    burnt,
    intent('broadcast', { txId: '0xm' }),
    { act: 'mint taken back' },
  ],
  [
    'one that somebody else minted',
    row({ status: 'completed', mintIntentId: 'm', destinationTxId: '0xother' }),
    burnt,
    intent('failed', { txId: '0xm' }),
    { act: 'wait' },
  ],
])('%s', (_what, transfer, burn, mint, next) => {
  expect(nextBridge(transfer, burn, mint)).toEqual(next)
})
