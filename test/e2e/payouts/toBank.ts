import { expect, test } from '@jest/globals'
import { newId } from '../../../src/platform/ids.ts'
import { foundIn, sinksOf } from '../../promises/sinks.ts'
import {
  ask,
  at,
  create,
  equityBank,
  errors,
  eventsOf,
  gtBank,
  inDashboard,
  type Refusal,
  redis,
  refusal,
  stack,
  stored,
  usdc,
} from './calls.ts'

export function toBank(): void {
  test('needs the legal profile; is priced now; shows and stores nothing of the account but a mask', async () => {
    const number = '4417203958'
    const destination = { networkId: gtBank, accountNumber: number, accountName: 'Canary Holder Nine' }
    const before = await stored()
    expect(refusal(await create<Refusal>({ destination }))).toEqual([422, 'legal_profile_missing'])
    expect(await stored()).toBe(before)
    const profile = {
      businessName: 'Canary Stores',
      registrationNumber: 'RC7654321',
      country: 'NG',
      address: '9 Canary Road',
      phone: '+2348035551234',
    }
    expect(
      (await inDashboard(at.first, 'PUT', '/legal-profile', { ...profile, email: 'desk@canary.example' }))
        .status,
    ).toBe(200)
    const headers = { ...at.token, 'idempotency-key': newId() }
    const { status, body } = await create({ destination }, headers)
    // 100 × 1610 less 2 % is 157,780; its fee 1,577.80; the bank takes whole units of what is left.
    expect([status, body]).toMatchObject([
      201,
      {
        ...{
          amount: '100',
          fee: '1577.8',
          feeCurrency: 'NGN',
          rate: '1610',
          receiveAmount: '156202',
          receiveCurrency: 'NGN',
          networkCost: null,
        },
        destination: {
          kind: 'bank',
          bankName: 'Guaranty Trust Bank',
          accountNumber: '****3958',
          accountName: 'Canary Holder Nine',
          currency: 'NGN',
        },
      },
    ])
    expect((await create({ destination }, headers)).body).toEqual(body)
    expect((await eventsOf(at.businessId, body.id))[0]?.data.destination).toEqual({
      ...body.destination,
      accountName: null,
    })
    for (const wrong of [
      { accountNumber: `${number}_` },
      { networkId: number },
      { currency: 'KES' },
      { memo: number },
    ])
      expect((await create({ destination: { ...destination, ...wrong } })).status).toBe(400)
    await ask('GET', `/payouts/${number}`)
    await ask('POST', `/payouts/${body.id}/cancel`)
    const canaries = {
      'the account number': [
        number,
        Buffer.from(number).toString('hex'),
        Buffer.from(number).toString('base64').slice(0, 10),
      ],
      'the account holder': [destination.accountName],
      'the profile': [profile.registrationNumber, profile.address, profile.phone, 'desk@canary.example'],
    }
    for (const [sink, read] of Object.entries(sinksOf(stack, redis, errors)))
      expect([sink, foundIn(await read(), canaries)]).toEqual([sink, []])
    expect(foundIn(JSON.stringify(destination), canaries)).toEqual([
      'the account number',
      'the account holder',
    ])
  })

  test('with a rate that is too old it is 503, and nothing is stored', async () => {
    const before = await stored()
    // No rate was requested for this currency yet, but one answer has all of them.
    stack.partner.mode = 'stale'
    try {
      const process = await stack.start('api', { RATE_MAX_AGE_SECONDS: '60' }, { as: 'stale' })
      const response = await fetch(`http://127.0.0.1:${process.port()}/api/v1/payouts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...at.token },
        body: JSON.stringify({
          amount: '100',
          source: usdc,
          destination: { networkId: equityBank, accountNumber: '0723456789', accountName: 'Ada' },
        }),
      })
      expect([
        response.status,
        ((await response.json()) as Refusal).error,
        response.headers.get('retry-after'),
      ]).toEqual([503, 'rates_unavailable', '10'])
    } finally {
      stack.partner.mode = 'ok'
      await stack.stop('stale')
    }
    expect(await stored()).toBe(before)
  })
}
