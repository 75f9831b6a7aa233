import { describe, expect, test } from '@jest/globals'
import { createWatchTable } from '../../../../indexers/watchTable.ts'
import {
  answerId,
  answerSlot,
  type LightAnswer,
  type LightTransaction,
  lightAnswer,
  recordedLight,
} from '../../../../test/support/lightAnswers.ts'
import { bothReadings } from '../../../../test/support/lightReadings.ts'
import { hashOf, key, payer, timeOf } from '../../../../test/support/madeSolana.ts'
import { wholeTransaction } from '../../../../test/support/wholeAnswers.ts'
import { solanaAddress } from '../address.ts'
import { lightBlock } from './lightBlock.ts'
import { scanBlock } from './scanBlock.ts'

const [alice, bob, carol] = [key('alice'), key('bob'), key('carol')]

/** Alice pays Bob lamports and the fee; Carol has a token account. */
const paid = (meta: object = {}, accounts = [alice, bob]): LightTransaction => ({
  meta: {
    err: null,
    fee: 5000,
    postBalances: [85_000, 20_000],
    postTokenBalances: [{ accountIndex: 1, owner: carol }],
    preBalances: [100_000, 10_000],
    preTokenBalances: [],
    ...meta,
  },
  transaction: { accountKeys: accounts.map((pubkey) => ({ pubkey, signer: false })), signatures: ['s'] },
  version: 'legacy',
})

const textOf = (...transactions: LightTransaction[]) => JSON.stringify(lightAnswer(transactions))
const text = textOf(paid())
const touchedIn = (answer: string) => {
  const scanned = scanBlock([Buffer.from(answer)], answerId)
  return (
    scanned && lightBlock({ height: 1, id: '', parentId: '', time: new Date() }, scanned.touched, 'a').unread
  )
}

test('the recorded block reads as by JSON.parse, in chunks of any size', () => {
  const answer = JSON.stringify(lightAnswer(recordedLight()))
  const { scanned, byParsing } = bothReadings(answer, answerId)
  expect(scanned).toEqual(byParsing)
  expect(scanned).toMatchObject({
    header: { id: hashOf(answerSlot), time: new Date(timeOf(answerSlot) * 1000) },
    unread: { length: 284 },
  })
  const bytes = Buffer.from(answer)
  for (const size of [977, 65_536]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    )
    expect(scanBlock(chunks, answerId)).toEqual(scanBlock([bytes], answerId))
  }
})

describe('an answer is understood', () => {
  test.each<[string, string, string[]]>([
    ['with gains, losses and owners, each once', textOf(paid(), paid()), [alice, bob, carol]],
    ['without transactions', textOf(), []],
    [
      'without the account that paid the fee alone',
      textOf(paid({ preBalances: [90_000, 10_000] })),
      [bob, carol],
    ],
    [
      'whose fee does not belong to the second account',
      textOf(paid({ postBalances: [95_000, 5000] })),
      [bob, carol],
    ],
    [
      'with a failed transaction',
      textOf(paid({ err: { InstructionError: [0, 'Custom'] } }), paid()),
      [alice, bob, carol],
    ],
    ['with failed transactions only', textOf(paid({ err: 'AccountNotFound' }), paid({ err: false })), []],
    ['without `err`', text.replace('"err":null,', ''), [alice, bob, carol]],
    [
      'without token balances',
      textOf(paid({ preTokenBalances: null, postTokenBalances: undefined })),
      [alice, bob],
    ],
    [
      'with more lamports than 2^53, rounded',
      textOf(paid({ preBalances: [5000, 2 ** 53] })).replace('20000', '9007199254740993'),
      [alice, carol],
    ],
    ['with short addresses', textOf(paid({}, ['x', '1'.repeat(32)])), ['x', '1'.repeat(32), carol]],
    [
      'with any text where none is read',
      text.replace('"legacy"', '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00E9é漢"'),
      [alice, bob, carol],
    ],
    ['with white space around it', ` \n${text}\r\n\t`, [alice, bob, carol]],
  ])('%s', (_, answer, expected) => {
    expect(touchedIn(answer)).toEqual(expected)
    const { scanned, byParsing } = bothReadings(answer, answerId)
    expect(scanned).toEqual(byParsing)
  })
})

describe('an answer is left to JSON.parse', () => {
  const many = (count: number) =>
    paid({ preBalances: Array(count).fill(1), postBalances: Array(count).fill(2) }, Array(count).fill(alice))

  test.each<[string, string]>([
    ['to another request', text.replace('"id":7', '"id":8')],
    ['whose id is text', text.replace('"id":7', '"id":"7"')],
    ['without id', text.replace(',"id":7', '')],
    ['with an error', text.replace('"id":7', '"id":7,"error":{"code":-32007}')],
    ['without a block', '{"jsonrpc":"2.0","result":null,"id":7}'],
    ['in a batch', `[${text}]`],
    ['with text after it', `${text}1`],
    ['with a zero byte after it', `${text}\0`],
    [
      'with an escape in a text that is read',
      text.replace(bob, `\\u00${bob.charCodeAt(0).toString(16)}${bob.slice(1)}`),
    ],
    ['with an escape in a name', text.replace('"fee"', '"f\\u0065e"')],
    ['with a byte outside ASCII in a text that is read', text.replace(bob, `é${bob.slice(1)}`)],
    ['with an escape that JSON does not have', text.replace('"legacy"', '"le\\xgacy"')],
    ['with an escape that is no number', text.replace('"legacy"', '"\\u12g4"')],
    ['with a control character in a text', text.replace('"legacy"', '"leg\tacy"')],
    ['with a fraction of lamports', text.replace('20000', '20000.0')],
    ['with an exponent', text.replace('20000', '2e4')],
    ['with negative lamports', text.replace('20000', '-20000')],
    ['with a leading zero', text.replace('20000', '020000')],
    ['with lamports of twenty digits', text.replace('20000', '9'.repeat(20))],
    ['with a fee above 2^53', text.replace('"fee":5000', '"fee":9007199254740992')],
    ['with a time above 2^53', text.replace(`${timeOf(answerSlot)}`, '9007199254740992')],
    ['with fewer balances than accounts', textOf(paid({ postBalances: [85_000] }))],
    ['with fewer balances before', textOf(paid({ preBalances: [85_000] }))],
    ['with fewer accounts than balances', textOf(paid({}, [alice]))],
    ['with an empty address', textOf(paid({}, [alice, '']))],
    ['with an address of 45 characters', textOf(paid({}, [alice, 'x'.repeat(45)]))],
    ['with a token balance without owner', textOf(paid({ postTokenBalances: [{ accountIndex: 1 }] }))],
    ['with an owner that is null', textOf(paid({ postTokenBalances: [{ owner: null }] }))],
    ['with accounts as texts', text.replace(/"accountKeys":\[.*?\]/, `"accountKeys":["${alice}","${bob}"]`)],
    ['without outcome', text.replace(/"meta":\{.*?\}\],"preBalances":.*?\},/, '')],
    ['with an outcome of null', textOf({ ...paid(), meta: null as never })],
    ['without fee', text.replace('"fee":5000,', '')],
    ['without transactions', text.replace(/,"transactions":.*\]\}/, '}')],
    ['with more accounts than an index can name', textOf(many(257))],
    [
      'with more token balances than that',
      textOf(paid({ postTokenBalances: Array(257).fill({ owner: carol }) })),
    ],
    ['with deep nesting', text.replace('"legacy"', `${'['.repeat(40)}${']'.repeat(40)}`)],
    ['with a number left out of a list', text.replace('[85000,', '[,')],
    ['with a fee left out', text.replace('"fee":5000', '"fee":')],
    ['with a comma too many', text.replace('10000]', '10000,]')],
  ])('%s', (_, answer) => {
    expect(answer).not.toBe(text)
    expect(touchedIn(answer)).toBeNull()
  })

  test.each<[string, object]>(
    ['id', 'result', 'blockhash', 'previousBlockhash', 'parentSlot', 'blockTime', 'transactions'].map(
      (name) => [name, {}],
    ),
  )('with `%s` twice', (name) => {
    const value = { ...(JSON.parse(text) as LightAnswer), ...(JSON.parse(text) as LightAnswer).result }[name]
    expect(touchedIn(text.replace(`"${name}":`, `"${name}":${JSON.stringify(value)},"${name}":`))).toBeNull()
  })

  const transaction = paid()
  const members = {
    ...transaction,
    ...transaction.meta,
    ...transaction.transaction,
    ...transaction.transaction.accountKeys[0],
    owner: carol,
  }
  test.each([
    'meta',
    'transaction',
    'err',
    'fee',
    'preBalances',
    'postBalances',
    'preTokenBalances',
    'postTokenBalances',
    'accountKeys',
    'pubkey',
    'owner',
  ])('with `%s` twice', (name) => {
    const value = (members as Record<string, unknown>)[name]
    const at = text.lastIndexOf(`"${name}":`)
    const twice = `${text.slice(0, at)}"${name}":${JSON.stringify(value)},${text.slice(at)}`
    expect(JSON.parse(twice)).toEqual(JSON.parse(text))
    expect(touchedIn(twice)).toBeNull()
  })

  test('that was cut at any place', () => {
    for (let length = 0; length < text.length; length++) expect(touchedIn(text.slice(0, length))).toBeNull()
  })

  test('with more addresses than the module holds', () => {
    const of = (count: number) => {
      const accounts = Array.from({ length: count }, (_, n) => `a${n}`)
      const each = Array.from({ length: Math.ceil(count / 256) }, (_, n) =>
        accounts.slice(n * 256, (n + 1) * 256),
      )
      return textOf(
        ...each.map((some) =>
          paid(
            { preBalances: some.map(() => 0), postBalances: some.map(() => 9), postTokenBalances: [] },
            some,
          ),
        ),
      )
    }
    expect(touchedIn(of(65_536))).toHaveLength(65_536)
    expect(touchedIn(of(65_537))).toBeNull()
  })
})

describe('a block with whole transactions', () => {
  const whole = (loaded: number, more: object = {}) =>
    JSON.stringify({
      ...lightAnswer([]),
      result: { ...lightAnswer([]).result, ...more, transactions: [wholeTransaction(paid(), loaded)] },
    })
  const wholeText = whole(1)
  const touched = (answer: string) => {
    const scanned = scanBlock([Buffer.from(answer)], answerId, true)
    return (
      scanned &&
      lightBlock({ height: 1, id: '', parentId: '', time: new Date() }, scanned.touched, 'a').unread
    )
  }

  test.each([0, 1, 2])('has its accounts, %s of them from lookup tables', (loaded) => {
    expect(touched(whole(loaded))).toEqual([alice, bob, carol])
    const { scanned, byParsing } = bothReadings(whole(loaded), answerId, 'full')
    expect(scanned).toEqual(byParsing)
  })

  test('has those of tables that only read after those that write', () => {
    const order = wholeText.replace(
      /"loadedAddresses":\{.*?\}/,
      `"loadedAddresses":{"readonly":["${bob}"],"writable":[]}`,
    )
    expect(touched(order)).toEqual([alice, bob, carol])
    const three = paid({ preBalances: [100_000, 10_000, 7], postBalances: [95_000, 10_000, 8] }, [
      alice,
      bob,
      payer,
    ])
    const answer = JSON.stringify({
      ...lightAnswer([]),
      result: { ...lightAnswer([]).result, transactions: [wholeTransaction(three, 2)] },
    })
    expect(touched(answer)).toEqual([payer, carol])
    expect(
      touched(answer.replace(/"readonly":(\[.*?\]),"writable":(\[.*?\])/, '"readonly":$2,"writable":$1')),
    ).toEqual([bob, carol])
  })

  test('without lookup tables has those of its message', () => {
    expect(touched(whole(0).replace(/"loadedAddresses":\{.*?\},/, ''))).toEqual([alice, bob, carol])
    expect(touched(whole(0).replace(/"loadedAddresses":\{.*?\}/, '"loadedAddresses":null'))).toEqual([
      alice,
      bob,
      carol,
    ])
  })

  test.each<[string, string]>([
    [
      'with transactions as bytes',
      wholeText.replace(/"transaction":\{.*?"signatures":\["s"\]\}/, '"transaction":["AQ==","base64"]'),
    ],
    [
      'with accounts as objects',
      wholeText.replace(/"accountKeys":\[.*?\]/, `"accountKeys":[{"pubkey":"${alice}"}]`),
    ],
    ['without message', wholeText.replace('"message"', '"massage"')],
    ['with `message` twice', wholeText.replace('"message":', '"message":{"accountKeys":[]},"message":')],
    ['with `accountKeys` twice', wholeText.replace('"accountKeys":', '"accountKeys":[],"accountKeys":')],
    [
      'with `loadedAddresses` twice',
      wholeText.replace('"loadedAddresses":', '"loadedAddresses":null,"loadedAddresses":'),
    ],
    ['with `writable` twice', wholeText.replace('"writable":', '"writable":[],"writable":')],
    ['with `readonly` twice', wholeText.replace('"readonly":', '"readonly":[],"readonly":')],
    ['with half of the lookup tables', wholeText.replace(/"readonly":\[\],/, '')],
    ['with an account too few', whole(0).replace(`,"${bob}"`, '')],
    ['with an account too many', wholeText.replace('"writable":[', `"writable":["${payer}",`)],
    [
      'with more accounts than an index can name',
      wholeText
        .replace('"writable":[', `"writable":[${`"${payer}",`.repeat(255)}`)
        .replace(/"(pre|post)Balances":\[(.*?)\]/g, `"$1Balances":[$2${',1'.repeat(255)}]`),
    ],
  ])('%s is left to JSON.parse', (_, answer) => {
    expect(answer).not.toBe(wholeText)
    expect(() => JSON.parse(answer)).not.toThrow()
    expect(touched(answer)).toBeNull()
  })
})

test('a light block is watched if one of its addresses is', () => {
  const block = (...transactions: LightTransaction[]) => {
    const scanned = scanBlock([Buffer.from(textOf(...transactions))], answerId)
    if (!scanned) throw new Error('not understood')
    return lightBlock({ height: 1, id: 'a', parentId: 'b', time: new Date(0) }, scanned.touched, 'a')
  }
  const watching = (address: string) => {
    const table = createWatchTable(44)
    table.add(solanaAddress.bytes(address))
    return table
  }
  for (const address of [alice, bob, carol])
    expect(block(paid()).packed?.touches(watching(address))).toBe(true)
  expect(block(paid()).packed?.touches(watching(payer))).toBe(false)
  expect(block(paid({}, [alice, 'x'])).packed?.touches(watching('x'))).toBe(true)
  expect(block().packed?.touches(watching(alice))).toBe(false)
  expect(block(paid()).packed?.matching(watching(alice))).toEqual([])
})
