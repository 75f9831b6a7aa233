import { webcrypto } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { howMany } from '../../test/support/full.ts'
import { ApiError } from '../platform/errors.ts'
import { Secret } from '../platform/secrets.ts'
import { openQuote, presentQuote, type Quote, signQuote } from './quote.ts'

const key = new Secret(Buffer.alloc(32, 1).toString('base64'))
const otherKey = new Secret(Buffer.alloc(32, 2).toString('base64'))
const business = '0190a000-0000-7000-8000-000000000001'
const otherBusiness = '0190a000-0000-7000-8000-000000000002'
const now = new Date('2026-01-01T00:00:00.000Z')
const quote: Quote = {
  businessId: business,
  chain: 'ethereum',
  price: {
    token: 'USDC',
    amount: 3_152_884n,
    localAmount: '5000',
    localCurrency: 'NGN',
    rate: '1610',
    rateAt: new Date('2025-12-31T23:59:48.123Z'),
    rateSource: 'yellowcard',
    fxMarginPercent: '1.5',
    fee: '50',
    feeCurrency: 'NGN',
  },
  expiresAt: new Date('2026-01-01T00:02:00.000Z'),
}
const id = signQuote(key, quote)

function refusal(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return 'nothing was thrown'
}
const refused = (quoteId: string, at = now) => refusal(() => openQuote(key, business, quoteId, at))
const unknownQuote = expect.objectContaining({
  status: 400,
  fields: [expect.objectContaining({ field: 'quoteId' })],
})
const expectUnknown = (error: unknown) => {
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toEqual(unknownQuote)
}

/** Signs by the rule, with another implementation of HMAC. */
async function sign(body: string): Promise<string> {
  const raw = Buffer.from(key.reveal(), 'base64')
  const hmac = await webcrypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  return Buffer.from(
    await webcrypto.subtle.sign('HMAC', hmac, Buffer.from(`cowry/quote/v1:${body}`)),
  ).toString('base64url')
}

describe('a signed quote', () => {
  test('opens as it was signed, for any price', () => {
    const text = fc.string({ maxLength: 20 })
    const orNull = fc.option(text, { nil: null })
    const prices = fc.record({
      token: text,
      amount: fc.bigInt({ min: 0n, max: 10n ** 78n - 1n }),
      localAmount: orNull,
      localCurrency: orNull,
      rate: orNull,
      rateAt: fc.option(
        fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
        { nil: null },
      ),
      rateSource: orNull,
      fxMarginPercent: text,
      fee: text,
      feeCurrency: text,
    })
    fc.assert(
      fc.property(
        prices,
        fc.uuid(),
        text,
        fc.integer({ min: 1, max: 1e9 }),
        (price, businessId, chain, lives) => {
          const made: Quote = { businessId, chain, price, expiresAt: new Date(now.getTime() + lives) }
          expect(openQuote(key, businessId, signQuote(key, made), now)).toEqual(made)
        },
      ),
    )
  })

  test('shows when and where its rate was observed, before and after it is signed', () => {
    const origin = { rate: '1610', rateAt: '2025-12-31T23:59:48.123Z', rateSource: 'yellowcard' }
    expect(presentQuote(quote, 6)).toMatchObject(origin)
    expect(presentQuote(openQuote(key, business, id, now), 6)).toMatchObject(origin)
    const inToken = {
      ...quote,
      price: {
        ...quote.price,
        localAmount: null,
        localCurrency: null,
        rate: null,
        rateAt: null,
        rateSource: null,
      },
    }
    expect(presentQuote(openQuote(key, business, signQuote(key, inToken), now), 6)).toMatchObject({
      rate: null,
      rateAt: null,
      rateSource: null,
    })
  })

  test('is unchanged by a URL and by JSON', () => {
    expect(id).toMatch(/^[\w-]+\.[\w-]+$/)
  })

  test('is valid until its expiry, and a 422 from then on', () => {
    expect(openQuote(key, business, id, new Date(quote.expiresAt.getTime() - 1))).toEqual(quote)
    for (const late of [0, 1, 86_400_000]) {
      const error = refused(id, new Date(quote.expiresAt.getTime() + late))
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject({ status: 422, error: 'quote_expired' })
    }
  })

  test('of another business is refused, expired or not', () => {
    expectUnknown(refusal(() => openQuote(key, otherBusiness, id, now)))
    expectUnknown(refusal(() => openQuote(key, otherBusiness, id, new Date(quote.expiresAt.getTime() + 1))))
  })

  test('of another deployment is refused', () => {
    expectUnknown(refused(signQuote(otherKey, quote)))
  })
})

describe('a changed quote', () => {
  const sameAlphabet = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
  const anyCharacter = fc.oneof(sameAlphabet, fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }))

  test('is refused for any replaced character', () => {
    fc.assert(
      fc.property(fc.nat(id.length - 1), anyCharacter, (at, other) => {
        fc.pre(id[at] !== other)
        expectUnknown(refused(id.slice(0, at) + other + id.slice(at + 1)))
      }),
      { numRuns: howMany(150, 500) },
    )
  })

  test('is refused if a character was removed or inserted', () => {
    for (let at = 0; at < id.length; at++) expectUnknown(refused(id.slice(0, at) + id.slice(at + 1)))
    fc.assert(
      fc.property(fc.nat(id.length), sameAlphabet, (at, other) =>
        expectUnknown(refused(id.slice(0, at) + other + id.slice(at))),
      ),
    )
  })

  test('is refused if two quotes swapped their signatures', () => {
    const cheaper = signQuote(key, { ...quote, price: { ...quote.price, amount: 1n } })
    expectUnknown(refused(`${cheaper.split('.')[0]}.${id.split('.')[1]}`))
    expectUnknown(refused(`${id.split('.')[0]}.${cheaper.split('.')[1]}`))
  })

  test('is refused if text follows its signature', () => {
    expectUnknown(refused(`${id}.`))
    expectUnknown(refused(`${id}.${'x'.repeat(100)}`))
  })
})

describe('an invented quote', () => {
  const [body = '', signature = ''] = id.split('.')
  const json = fc.json().map((text) => Buffer.from(text).toString('base64url'))
  const part = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.base64String(),
    json,
    fc.constantFrom('', body, signature, `${signature}=`, `${body}=`),
  )

  test('is a 400 that names quoteId and never another error', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        const text = parts.join('.')
        fc.pre(!text.startsWith(`${id}.`) && text !== id)
        expectUnknown(refused(text))
      }),
      { numRuns: 2000 },
    )
  })

  test('is refused if its signature is right and its form is wrong', async () => {
    const good = {
      v: 1,
      business,
      chain: 'ethereum',
      exp: now.getTime() + 1,
      price: { ...quote.price, amount: '1' },
    }
    const forms: object[] = [
      [],
      {},
      { ...good, v: 2 },
      { ...good, exp: 'never' },
      { ...good, exp: null },
      { ...good, price: { ...good.price, amount: '-1' } },
      { ...good, price: { ...good.price, amount: '1e3' } },
      { ...good, price: null },
      { ...good, price: { ...good.price, rateAt: 'yesterday' } },
      { ...good, price: { ...good.price, rateSource: 7 } },
    ]
    for (const form of forms) {
      const text = Buffer.from(JSON.stringify(form)).toString('base64url')
      expectUnknown(refused(`${text}.${await sign(text)}`))
    }
    // A quote of the version before, without the source of its rate.
    const { rateAt: _at, rateSource: _source, ...earlier } = good.price
    const earlierText = Buffer.from(JSON.stringify({ ...good, price: earlier })).toString('base64url')
    const opened = openQuote(key, business, `${earlierText}.${await sign(earlierText)}`, now)
    expect(opened.price).toMatchObject({ rate: '1610', rateAt: null, rateSource: null })
    // Control: without the error it opens, so only the form was refused.
    const text = Buffer.from(JSON.stringify(good)).toString('base64url')
    expect(openQuote(key, business, `${text}.${await sign(text)}`, now).price.amount).toBe(1n)
  })
})
