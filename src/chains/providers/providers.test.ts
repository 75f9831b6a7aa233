import { describe, expect, test } from '@jest/globals'
import { waitFor } from '../../../test/support/waitFor.ts'
import { ProviderError } from '../chain.ts'
import { ThrottledError } from './budget.ts'
import {
  createLateAnswers,
  createProviders,
  type Endpoint,
  type Gate,
  type LateAnswers,
  type ProviderObserver,
  WrongChainError,
} from './providers.ts'

type Answer = unknown | (() => Promise<unknown>)

interface TestEndpoint extends Endpoint {
  call(method?: string): Promise<unknown>
}

interface Options {
  /** Identifies each endpoint before its first use; omitted: no identification. */
  identify?: (name: string) => Promise<void>
  /** Omitted: as in production. */
  grace?: () => Promise<void>
}

/** Endpoints with answers from the test, a clock that it controls, and a record of calls. */
function setUp(names: readonly string[], { identify, grace }: Options = {}) {
  const asked: string[] = []
  const identified: string[] = []
  const answers = new Map<string, Answer>(names.map((name) => [name, `${name}'s`]))
  const seen: [string, string, string][] = []
  const refused: string[] = []
  const closed: string[] = []
  const clock = { now: 1_000_000_000 }
  const open = (name: string) => (gate: Gate) => ({
    name,
    call: (method = 'eth_test') =>
      gate(method, async () => {
        asked.push(name)
        const answer = answers.get(name)
        if (answer instanceof Error) throw answer
        return typeof answer === 'function' ? answer() : answer
      }),
    close: async () => void closed.push(name),
  })
  const observe: ProviderObserver = {
    called: (provider, method, outcome) => void seen.push([provider, method, outcome]),
    refused: (provider) => void refused.push(provider),
  }
  const providers = createProviders<TestEndpoint>(names.map(open), {
    observe,
    now: () => clock.now,
    ...(grace && { grace }),
    ...(identify && {
      identify: async ({ name }: TestEndpoint) => {
        identified.push(name)
        await identify(name)
      },
    }),
  })
  const state = (name: string) => {
    const found = providers.states().find((each) => each.name === name)
    if (!found) throw new Error(`there is no ${name}`)
    return found
  }
  return {
    answers,
    clock,
    seen,
    refused,
    closed,
    providers,
    state,
    ask: (only?: (name: string) => boolean) => providers.ask((endpoint) => endpoint.call(), only),
    askAll: (late?: LateAnswers<unknown>) => providers.askAll((endpoint) => endpoint.call(), late),
    /** The endpoints called since the last check, in order. */
    asked: () => asked.splice(0),
    /** The endpoints identified since the last check, in order. */
    identified: () => identified.splice(0),
  }
}

const broken = (text = 'broken') => new ProviderError(text)
const failure = (asking: Promise<unknown>) =>
  asking.then(
    () => 'it did not fail',
    (error: unknown) => error,
  )
const times = async (count: number, what: () => Promise<unknown>) => {
  for (let i = 0; i < count; i++) await what()
}

/** A promise that the test settles. */
function later<T>() {
  let settle: { give(value: T): void; fail(error: Error): void } = { give: () => {}, fail: () => {} }
  const promise = new Promise<T>((resolve, reject) => {
    settle = { give: resolve, fail: reject }
  })
  return { promise, ...settle }
}

describe('asking', () => {
  test('uses only the first while it answers', async () => {
    const { ask, asked } = setUp(['a', 'b'])
    expect(await ask()).toBe("a's")
    expect(await ask()).toBe("a's")
    expect(asked()).toEqual(['a', 'a'])
  })

  test('goes down the list until one answers', async () => {
    const { ask, asked, answers } = setUp(['a', 'b', 'c'])
    answers.set('a', broken()).set('b', broken())
    expect(await ask()).toBe("c's")
    expect(asked()).toEqual(['a', 'b', 'c'])
  })

  test('an error in accept counts as that endpoint’s failure, and the next one is called', async () => {
    const { providers, asked } = setUp(['a', 'b'])
    const got = await providers.ask(async (endpoint) => {
      const answer = await endpoint.call()
      if (answer === "a's") throw broken('invalid data')
      return answer
    })
    expect(got).toBe("b's")
    expect(asked()).toEqual(['a', 'b'])
  })

  test('fails with the reason of each if no endpoint answers', async () => {
    const { ask, answers } = setUp(['a', 'b'])
    answers.set('a', broken('a: no route')).set('b', broken('b: timeout'))
    const error = await failure(ask())
    expect(error).toBeInstanceOf(ProviderError)
    expect(error).toMatchObject({ message: 'a: no route; b: timeout' })
  })

  test('our own error is thrown at once, without failover', async () => {
    const { ask, asked, answers } = setUp(['a', 'b'])
    answers.set('a', new Error('a rule of the platform is broken'))
    expect(await failure(ask())).toMatchObject({ message: 'a rule of the platform is broken' })
    expect(asked()).toEqual(['a'])
  })

  test.each([TypeError, RangeError, SyntaxError])(
    'a %p is about the answer: the next endpoint is called',
    async (kind) => {
      const { ask, asked, answers } = setUp(['a', 'b'])
      answers.set('a', new kind('x is not a function'))
      await ask()
      expect(asked()).toEqual(['a', 'b'])
      answers.set('b', new kind('y is not iterable'))
      expect(await failure(ask())).toBeInstanceOf(ProviderError)
    },
  )

  test('null means "I do not have it": the others are called, and it is not a failure', async () => {
    const { ask, asked, answers, state } = setUp(['a', 'b', 'c'])
    answers.set('a', null).set('b', null)
    await times(10, ask)
    expect(asked()).toEqual(Array.from({ length: 10 }, () => ['a', 'b', 'c']).flat())
    expect(state('a')).toMatchObject({ open: false })
  })

  test('null is the result if one endpoint returned it and no endpoint has it, even if others failed', async () => {
    const { ask, answers } = setUp(['a', 'b'])
    answers.set('a', null).set('b', null)
    expect(await ask()).toBeNull()
    answers.set('a', broken())
    expect(await ask()).toBeNull()
    answers.set('b', broken())
    expect(await failure(ask())).toBeInstanceOf(ProviderError)
  })

  test('skips the endpoints that the caller excludes, even if only they answer', async () => {
    const { ask, asked, answers } = setUp(['a', 'b', 'c'])
    expect(await ask((name) => name !== 'a')).toBe("b's")
    answers.set('b', broken('b is broken')).set('c', broken('c is broken'))
    expect(await failure(ask((name) => name !== 'a'))).toMatchObject({ message: 'b is broken; c is broken' })
    expect(asked()).toEqual(['b', 'b', 'c'])
  })

  test('without an endpoint throws a ProviderError', async () => {
    const { ask, asked } = setUp(['a'])
    expect(await failure(ask(() => false))).toBeInstanceOf(ProviderError)
    expect(await failure(setUp([]).ask())).toBeInstanceOf(ProviderError)
    expect(asked()).toEqual([])
  })
})

describe('the breaker', () => {
  test('opens after five failures in a row; then the endpoint is skipped for one second', async () => {
    const { ask, asked, answers, clock, state } = setUp(['a', 'b'])
    answers.set('a', broken())
    await times(5, ask)
    expect(asked()).toEqual(Array.from({ length: 5 }, () => ['a', 'b']).flat())
    expect(state('a')).toMatchObject({ open: true })
    clock.now += 999
    await ask()
    expect(asked()).toEqual(['b'])
    clock.now += 1
    expect(state('a')).toMatchObject({ open: false })
    await ask()
    expect(asked()).toEqual(['a', 'b'])
  })

  test('stays closed if a success interrupts the failures', async () => {
    const { ask, asked, answers } = setUp(['a', 'b'])
    for (let round = 0; round < 3; round++) {
      answers.set('a', broken())
      await times(4, ask)
      answers.set('a', "a's")
      await ask()
    }
    asked()
    await ask()
    expect(asked()).toEqual(['a'])
  })

  test('sends one trial request after its time, while other requests go elsewhere', async () => {
    const { ask, asked, answers, clock } = setUp(['a', 'b'])
    answers.set('a', broken())
    await times(5, ask)
    asked()
    clock.now += 1000
    const trial = later<string>()
    answers.set('a', () => trial.promise)
    const first = ask()
    await waitFor('the try', async () => asked().length === 1)
    await times(3, ask)
    expect(asked()).toEqual(['b', 'b', 'b'])
    trial.give('back')
    expect(await first).toBe('back')
    await ask()
    expect(asked()).toEqual(['a'])
  })

  test('rests twice as long after each failed trial, at most 30 seconds, and closes after a success', async () => {
    const { ask, asked, answers, clock } = setUp(['a', 'b'])
    answers.set('a', broken())
    await times(5, ask)
    asked()
    for (const rest of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      clock.now += rest - 1
      await ask()
      expect(asked()).toEqual(['b'])
      clock.now += 1
      await ask()
      expect(asked()).toEqual(['a', 'b'])
    }
    clock.now += 30_000
    answers.set('a', "a's")
    expect(await ask()).toBe("a's")
    answers.set('a', broken())
    asked()
    await times(4, ask)
    expect(asked()).toEqual(Array.from({ length: 4 }, () => ['a', 'b']).flat())
  })

  test('if all are open, all are called, the one with the shortest rest first', async () => {
    const { ask, asked, answers, clock, providers } = setUp(['a', 'b'])
    answers.set('a', broken())
    await times(5, ask)
    clock.now += 500
    answers.set('b', broken())
    await times(5, () => failure(ask()))
    asked()
    answers.set('a', 'still there')
    expect(await ask()).toBe('still there')
    expect(asked()).toEqual(['a'])
    answers.set('b', 'there too')
    await times(5, () =>
      providers.ask((endpoint) => endpoint.call().then(() => Promise.reject(broken()))).catch(() => {}),
    )
    answers.set('a', broken())
    asked()
    expect(await ask()).toBe('there too')
    expect(asked().at(-1)).toBe('b')
  })

  // Such a trial is neither a success nor a failure, and must end: otherwise the endpoint would only be
  // called when all others rest.
  test('does not stay half open after a throttled trial', async () => {
    const { ask, asked, answers, clock } = setUp(['a', 'b'])
    answers.set('a', broken())
    await times(5, ask)
    clock.now += 1000
    answers.set('a', new ThrottledError('slow down', 1000))
    await ask()
    clock.now += 3_600_000
    answers.set('a', "a's")
    asked()
    expect(await ask()).toBe("a's")
    expect(asked()).toEqual(['a'])
  })
})

describe('the order', () => {
  /** Each endpoint answers after so many milliseconds of the test's clock when all are called. */
  async function measure(
    { answers, askAll, clock }: ReturnType<typeof setUp>,
    ms: Record<string, number>,
    rounds = 20,
  ): Promise<void> {
    for (let i = 0; i < rounds; i++) {
      const began = clock.now
      const [...names] = Object.entries(ms).sort(([, x], [, y]) => x - y)
      const waiting = new Map(names.map(([name]) => [name, later<string>()]))
      for (const [name] of names) answers.set(name, () => waiting.get(name)?.promise)
      const all = askAll()
      await new Promise(setImmediate)
      for (const [name, took] of names) {
        clock.now = began + took
        waiting.get(name)?.give(`${name}'s`)
        await new Promise(setImmediate)
      }
      await all
    }
    for (const name of Object.keys(ms)) answers.set(name, `${name}'s`)
  }

  test('prefers the faster endpoint, by the calls that all get', async () => {
    const set = setUp(['a', 'b', 'c'])
    await measure(set, { a: 300, b: 80, c: 20 })
    set.asked()
    expect(await set.ask()).toBe("c's")
    set.answers.set('c', broken())
    expect(await set.ask()).toBe("b's")
    expect(set.asked()).toEqual(['c', 'c', 'b'])
  })

  test('stays as configured between two with similar scores', async () => {
    const set = setUp(['a', 'b'])
    await measure(set, { a: 60, b: 40 })
    set.asked()
    await set.ask()
    expect(set.asked()).toEqual(['a'])
  })

  test('ignores the duration of single calls, which would penalize endpoints that are called more', async () => {
    const { ask, asked, answers, clock } = setUp(['a', 'b'])
    answers.set('a', async () => {
      clock.now += 5000
      return 'slow'
    })
    await times(3, ask)
    expect(asked()).toEqual(['a', 'a', 'a'])
  })

  test('puts one that sometimes fails behind one that is a little slower, for a while', async () => {
    const set = setUp(['a', 'b'])
    await measure(set, { a: 40, b: 100 })
    set.asked()
    await set.ask()
    expect(set.asked()).toEqual(['a'])
    set.answers.set('a', broken())
    await times(2, set.ask)
    set.answers.set('a', "a's")
    set.asked()
    await set.ask()
    expect(set.asked()).toEqual(['b'])
    set.clock.now += 10 * 60_000
    await set.ask()
    expect(set.asked()).toEqual(['a'])
  })
})

describe('a throttled endpoint', () => {
  test('is skipped during the pause that it requested, while another one can answer', async () => {
    const { ask, asked, answers, clock, state } = setUp(['a', 'b'])
    answers.set('a', new ThrottledError('slow down', 7000))
    await ask()
    expect(asked()).toEqual(['a', 'b'])
    answers.set('a', "a's")
    clock.now += 6999
    await ask()
    expect(asked()).toEqual(['b'])
    expect(state('a')).toMatchObject({ open: false })
  })

  test('is not down: the breaker stays closed, however often it is throttled', async () => {
    const { ask, answers, clock, state } = setUp(['a', 'b'])
    answers.set('a', new ThrottledError('slow down', 1))
    for (let i = 0; i < 20; i++) {
      await ask()
      clock.now += 10_000
    }
    expect(state('a')).toMatchObject({ open: false })
  })

  test('that would delay a request for longer than five seconds is not sent it, with an error that names this', async () => {
    const { ask, asked, answers, seen } = setUp(['a'])
    answers.set('a', new ThrottledError('slow down', 60_000))
    await failure(ask())
    expect(asked()).toEqual(['a'])
    expect(await failure(ask())).toBeInstanceOf(ProviderError)
    expect(asked()).toEqual([])
    expect(seen).toEqual([
      ['a', 'eth_test', 'throttled'],
      ['a', 'eth_test', 'throttled'],
    ])
  })

  test('delays the next request instead of failing, if it is the only one', async () => {
    const { ask, asked, answers, clock } = setUp(['a'])
    answers.set('a', new ThrottledError('slow down', 5))
    await failure(ask())
    answers.set('a', "a's")
    // Its rate is five a second now: the next one may go 200 ms after the pause.
    clock.now += 150
    asked()
    const started = performance.now()
    expect(await ask()).toBe("a's")
    expect(performance.now() - started).toBeGreaterThanOrEqual(15)
    expect(asked()).toEqual(['a'])
  })

  // A waiting request got its time before the provider throttled; without a check it would go out during the
  // pause.
  test('is sent nothing during its pause, not even requests that were waiting', async () => {
    const { providers, asked, answers, clock, state } = setUp(['a'])
    const call = () => providers.ask((endpoint) => endpoint.call())
    answers.set('a', new ThrottledError('slow down', 1))
    await failure(call())
    asked()
    clock.now += 100
    const complaint = later<string>()
    answers.set('a', () => complaint.promise)
    const [first, second] = [failure(call()), failure(call())]
    await waitFor('the first of them', async () => asked().length > 0)
    complaint.fail(new ThrottledError('slow down', 60_000))
    await first
    expect(state('a').rate).toBeLessThan(10)
    answers.set('a', "a's")
    await second
    expect(asked()).toEqual([])
  })

  test('is counted separately from a broken one', async () => {
    const { ask, answers, seen } = setUp(['a', 'b', 'c'])
    answers.set('a', new ThrottledError('slow down', 1)).set('b', broken())
    await ask()
    expect(seen).toEqual([
      ['a', 'eth_test', 'throttled'],
      ['b', 'eth_test', 'error'],
      ['c', 'eth_test', 'ok'],
    ])
  })
})

test('an invalid answer is counted as refused; a failed call or an empty answer is not', async () => {
  const { providers, answers, refused } = setUp(['a', 'b', 'c', 'd'])
  answers.set('a', broken()).set('b', new ThrottledError('slow down', 1)).set('c', null)
  const asking = providers.ask(async (endpoint) => {
    const answer = await endpoint.call()
    if (answer !== null) throw broken('invalid data')
    return answer
  })
  expect(await asking).toBeNull()
  expect(refused).toEqual(['d'])
})

describe('identification of an endpoint', () => {
  const foreign = (...names: string[]): Options => ({
    identify: async (name) => {
      if (names.includes(name)) throw new WrongChainError(`${name} is of another chain`)
    },
  })

  test('happens before its first use, not for unused endpoints, and then not again for five minutes', async () => {
    const { ask, identified, clock } = setUp(['a', 'b'], foreign())
    await times(3, ask)
    expect(identified()).toEqual(['a'])
    clock.now += 299_999
    await ask()
    expect(identified()).toEqual([])
    clock.now += 1
    await ask()
    expect(identified()).toEqual(['a'])
  })

  test('is one call for concurrent callers', async () => {
    const gate = later<void>()
    const { ask, identified } = setUp(['a'], { identify: () => gate.promise })
    const all = Promise.all([ask(), ask(), ask()])
    await new Promise(setImmediate)
    gate.give()
    expect(await all).toEqual(["a's", "a's", "a's"])
    expect(identified()).toEqual(['a'])
  })

  test('decides on its use: an endpoint of another chain is skipped, and is counted as refused', async () => {
    const { ask, asked, refused, state } = setUp(['a', 'b'], foreign('a'))
    expect(await ask()).toBe("b's")
    expect(asked()).toEqual(['b'])
    expect(refused).toEqual(['a'])
    expect(state('a')).toMatchObject({ wrongChain: true })
    expect(state('b')).toMatchObject({ wrongChain: false })
  })

  test('is repeated half a minute after it failed, and not before', async () => {
    const wrong = ['a']
    const { ask, asked, identified, clock } = setUp(['a', 'b'], {
      identify: async (name) => {
        if (wrong.includes(name)) throw new WrongChainError(`${name} is of another chain`)
      },
    })
    await ask()
    identified()
    wrong.length = 0
    clock.now += 29_999
    expect(await ask()).toBe("b's")
    expect(identified()).toEqual([])
    clock.now += 1
    asked()
    expect(await ask()).toBe("a's")
    expect(identified()).toEqual(['a'])
  })

  test('is repeated after an outage: another node may have the address', async () => {
    const wrong: string[] = []
    const { ask, asked, identified, answers, clock } = setUp(['a', 'b'], {
      identify: async (name) => {
        if (wrong.includes(name)) throw new WrongChainError(`${name} is of another chain`)
      },
    })
    answers.set('a', broken())
    await times(5, ask)
    identified()
    asked()
    answers.set('a', 'from another chain')
    wrong.push('a')
    clock.now += 20_001
    expect(await ask()).toBe("b's")
    expect(identified()).toEqual(['a'])
    expect(asked()).toEqual(['b'])
  })

  test('is not repeated after a short rest', async () => {
    const { ask, identified, answers, clock } = setUp(['a', 'b'], foreign())
    answers.set('a', broken())
    await times(5, ask)
    identified()
    answers.set('a', "a's")
    clock.now += 1000
    expect(await ask()).toBe("a's")
    expect(identified()).toEqual([])
  })

  test('is an ordinary failure if it gets no answer', async () => {
    const { ask, state } = setUp(['a', 'b'], {
      identify: async (name) => {
        if (name === 'a') throw broken('no route')
      },
    })
    await times(5, ask)
    expect(state('a')).toMatchObject({ open: true, wrongChain: false })
  })

  test('fails every call if all are of another chain', async () => {
    const { ask, asked } = setUp(['a', 'b'], foreign('a', 'b'))
    for (let i = 0; i < 3; i++) expect(await failure(ask())).toBeInstanceOf(ProviderError)
    expect(asked()).toEqual([])
  })
})

describe('verifying', () => {
  test('identifies every endpoint now, even if it was identified a moment ago', async () => {
    const { ask, providers, identified } = setUp(['a', 'b'], { identify: async () => {} })
    await ask()
    identified()
    await providers.verify()
    expect(identified().sort()).toEqual(['a', 'b'])
  })

  test('succeeds if one is of the chain, and otherwise fails with every reason', async () => {
    const wrong = ['a']
    const { providers, state } = setUp(['a', 'b'], {
      identify: async (name) => {
        if (wrong.includes(name)) throw new WrongChainError(`${name} is of another chain`)
      },
    })
    await providers.verify()
    expect(state('a').wrongChain).toBe(true)
    wrong.push('b')
    const error = await failure(providers.verify())
    expect(error).toBeInstanceOf(ProviderError)
    expect(String(error)).toContain('b is of another chain')
  })

  test('detects an endpoint that changed to another chain before the next block is read from it', async () => {
    const wrong: string[] = []
    const { ask, providers } = setUp(['a', 'b'], {
      identify: async (name) => {
        if (wrong.includes(name)) throw new WrongChainError(`${name} is of another chain`)
      },
    })
    expect(await ask()).toBe("a's")
    wrong.push('a')
    await providers.verify()
    expect(await ask()).toBe("b's")
  })
})

describe('asking all', () => {
  test('returns every answer', async () => {
    const { askAll, asked } = setUp(['a', 'b', 'c'])
    expect((await askAll()).sort()).toEqual(["a's", "b's", "c's"])
    expect(asked().sort()).toEqual(['a', 'b', 'c'])
  })

  test('does not wait for one that never answers', async () => {
    const { askAll, answers } = setUp(['a', 'b', 'c'])
    answers.set('b', () => new Promise(() => {}))
    expect((await askAll()).sort()).toEqual(["a's", "c's"])
  })

  test('waits a little for those that are not much slower than the first', async () => {
    const { askAll, answers } = setUp(['a', 'b'])
    const b = later<string>()
    answers.set('b', () => b.promise)
    const all = askAll()
    await new Promise(setImmediate)
    b.give('late')
    expect((await all).sort()).toEqual(["a's", 'late'])
  })

  test('returns the answer of a slower endpoint in the next call, once, also if the faster ones gave other answers', async () => {
    const { askAll, answers } = setUp(['a', 'b'])
    const late = createLateAnswers<unknown>()
    let b = later<string>()
    answers.set('b', () => b.promise)
    expect(await askAll(late)).toEqual(["a's"])
    b.give('too late')
    await new Promise(setImmediate)
    b = later()
    expect(await askAll(late)).toEqual(["a's", 'too late'])
    expect(await askAll(late)).toEqual(["a's"])
    b.give('again')
    await new Promise(setImmediate)
    answers.set('a', broken()).set('b', broken())
    expect(await failure(askAll(late))).toBeInstanceOf(ProviderError)
    answers.set('a', "a's")
    expect(await askAll(late)).toEqual(["a's", 'again'])
  })

  test('uses each endpoint’s answer once per call, and never an older answer after a newer one', async () => {
    const { askAll, answers } = setUp(['a', 'b'])
    const late = createLateAnswers<unknown>()
    const slow = later<string>()
    answers.set('b', () => slow.promise)
    expect(await askAll(late)).toEqual(["a's"])
    answers.set('b', 'new')
    const next = askAll(late)
    slow.give('old')
    expect((await next).sort()).toEqual(["a's", 'new'])
    answers.set('b', broken())
    expect(await askAll(late)).toEqual(["a's"])
  })

  test('uses the newer of two late answers of one endpoint', async () => {
    const { askAll, answers } = setUp(['a', 'b'])
    const late = createLateAnswers<unknown>()
    const [a, first, second] = [later<string>(), later<string>(), later<string>()]
    answers.set('a', () => a.promise).set('b', () => first.promise)
    const earlier = askAll(late)
    await new Promise(setImmediate)
    answers.set('a', "a's").set('b', () => second.promise)
    expect(await askAll(late)).toEqual(["a's"])
    second.give('newer')
    await new Promise(setImmediate)
    first.give('older')
    a.give('at last')
    expect((await earlier).sort()).toEqual(['at last', 'newer'])
  })

  test('ignores a late answer of an endpoint that is of another chain by now', async () => {
    const wrong: string[] = []
    const { askAll, answers, clock } = setUp(['a', 'b'], {
      identify: async (name) => {
        if (wrong.includes(name)) throw new WrongChainError(`${name} is of another chain`)
      },
    })
    const late = createLateAnswers<unknown>()
    const b = later<string>()
    answers.set('b', () => b.promise)
    expect(await askAll(late)).toEqual(["a's"])
    b.give('of another')
    await new Promise(setImmediate)
    wrong.push('b')
    clock.now += 300_000
    expect(await askAll(late)).toEqual(["a's"])
  })

  test('waits for the first answer as long as it takes, regardless of failures', async () => {
    const { askAll, answers } = setUp(['a', 'b'])
    const b = later<string>()
    answers.set('a', broken()).set('b', () => b.promise)
    const all = askAll()
    await new Promise(setImmediate)
    b.give('at last')
    expect(await all).toEqual(['at last'])
  })

  test('waits for that answer only, not for a third that never comes', async () => {
    // Any answer is slower than a grace period that is over at once.
    const { askAll, answers } = setUp(['a', 'b', 'c'], { grace: async () => {} })
    const b = later<string>()
    answers.set('a', broken()).set('b', () => b.promise)
    answers.set('c', () => new Promise(() => {}))
    const all = askAll()
    await new Promise(setImmediate)
    b.give('slow')
    expect(await all).toEqual(['slow'])
  })

  test('fails with all reasons when all fail', async () => {
    const { askAll, answers } = setUp(['a', 'b'])
    answers.set('a', broken('no route')).set('b', broken('timeout'))
    const error = await failure(askAll())
    expect(error).toBeInstanceOf(ProviderError)
    expect(error).toMatchObject({ message: 'no route; timeout' })
  })

  test('throws our own error unchanged, but only if no endpoint answered', async () => {
    const { askAll, answers } = setUp(['a', 'b'])
    answers.set('a', new Error('a rule of the platform is broken')).set('b', broken())
    expect(await failure(askAll())).toMatchObject({ message: 'a rule of the platform is broken' })
    answers.set('b', "b's")
    expect(await askAll()).toEqual(["b's"])
  })

  test('skips those whose breaker is open, unless all are', async () => {
    const { askAll, asked, answers, clock } = setUp(['a', 'b'])
    answers.set('b', broken())
    await times(5, askAll)
    asked()
    expect(await askAll()).toEqual(["a's"])
    expect(asked()).toEqual(['a'])
    clock.now += 500
    answers.set('a', broken()).set('b', 'back')
    await times(5, () => failure(askAll()))
    asked()
    expect(await askAll()).toEqual(['back'])
    expect(asked()).toEqual(['b', 'a'])
  })

  test('a slow one that fails after the result was returned has no effect', async () => {
    const { askAll, answers } = setUp(['a', 'b'])
    const b = later<string>()
    answers.set('b', () => b.promise)
    const all = await askAll()
    b.fail(broken())
    await new Promise(setImmediate)
    expect(all).toEqual(["a's"])
  })
})

test('states show null for an unmeasured score, and Infinity for an unlimited rate', () => {
  const { providers } = setUp(['a', 'b'])
  expect(providers.names).toEqual(['a', 'b'])
  expect(providers.states()).toEqual([
    { name: 'a', open: false, wrongChain: false, score: null, rate: Number.POSITIVE_INFINITY },
    { name: 'b', open: false, wrongChain: false, score: null, rate: Number.POSITIVE_INFINITY },
  ])
})

test('closing closes every endpoint', async () => {
  const { providers, closed } = setUp(['a', 'b'])
  await providers.close()
  expect(closed.sort()).toEqual(['a', 'b'])
})
