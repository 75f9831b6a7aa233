import { describe, expect, test } from '@jest/globals'
import { ProviderError } from '../chain.ts'
import { type JsonRpc, ThrottledError } from './jsonRpc.ts'
import { createProviders, type ProviderObserver } from './providers.ts'

type Answer = unknown | (() => Promise<unknown>)

/** Endpoints whose answers the test decides, a clock that it moves, and what was asked of whom. */
function setUp(...names: string[]) {
  const asked: string[] = []
  const answers = new Map<string, Answer>(names.map((name) => [name, `${name}'s`]))
  const seen: [string, string, string][] = []
  const refused: string[] = []
  const closed: string[] = []
  const clock = { now: 1_000_000 }
  const rpcs = names.map(
    (name): JsonRpc => ({
      name,
      async call() {
        asked.push(name)
        const answer = answers.get(name)
        if (answer instanceof Error) throw answer
        return typeof answer === 'function' ? answer() : answer
      },
      close: async () => void closed.push(name),
    }),
  )
  const observe: ProviderObserver = {
    called: (provider, method, outcome) => void seen.push([provider, method, outcome]),
    refused: (provider) => void refused.push(provider),
  }
  const providers = createProviders(rpcs, observe, () => clock.now)
  return {
    answers,
    clock,
    seen,
    refused,
    closed,
    providers,
    ask: () => providers.ask((rpc) => rpc.call('eth_test', [])),
    askAll: () => providers.askAll((rpc) => rpc.call('eth_test', [])),
    /** Who was asked since the last look, in order. */
    asked: () => asked.splice(0),
  }
}

const broken = (text = 'broken') => new ProviderError(text)
const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => 'it did not fail',
    (error: unknown) => error,
  )

describe('asking', () => {
  test('goes to the first, and to nobody else while it answers', async () => {
    const { ask, asked } = setUp('a', 'b')
    expect(await ask()).toBe("a's")
    expect(await ask()).toBe("a's")
    expect(asked()).toEqual(['a', 'a'])
  })

  test('goes down the list until one answers', async () => {
    const { ask, asked, answers } = setUp('a', 'b', 'c')
    answers.set('a', broken()).set('b', broken())
    expect(await ask()).toBe("c's")
    expect(asked()).toEqual(['a', 'b', 'c'])
  })

  test('what accept throws counts as that endpoint failing, so the next one is asked', async () => {
    const { providers, asked } = setUp('a', 'b')
    const got = await providers.ask(async (rpc) => {
      const answer = await rpc.call('eth_test', [])
      if (answer === "a's") throw broken('does not hold together')
      return answer
    })
    expect(got).toBe("b's")
    expect(asked()).toEqual(['a', 'b'])
  })

  test('fails with the reason of each when none answers', async () => {
    const { ask, answers } = setUp('a', 'b')
    answers.set('a', broken('a: no route')).set('b', broken('b: timeout'))
    const error = await failure(ask())
    expect(error).toBeInstanceOf(ProviderError)
    expect(error).toMatchObject({ message: 'a: no route; b: timeout' })
  })

  test('a mistake of ours is thrown at once, not failed over', async () => {
    const { ask, asked, answers } = setUp('a', 'b')
    answers.set('a', new TypeError('x is not a function'))
    expect(await failure(ask())).toBeInstanceOf(TypeError)
    expect(asked()).toEqual(['a'])
  })

  test('null means "I do not have it": the others are asked, and nobody is rested for it', async () => {
    const { ask, asked, answers } = setUp('a', 'b', 'c')
    answers.set('a', null).set('b', null)
    expect(await ask()).toBe("c's")
    expect(asked()).toEqual(['a', 'b', 'c'])
    expect(await ask()).toBe("c's")
    expect(asked()).toEqual(['a', 'b', 'c'])
  })

  test('null is the answer when somebody said so and nobody had it, even if others failed', async () => {
    const { ask, answers } = setUp('a', 'b')
    answers.set('a', null).set('b', null)
    expect(await ask()).toBeNull()
    answers.set('a', broken())
    expect(await ask()).toBeNull()
    answers.set('b', broken())
    expect(await failure(ask())).toBeInstanceOf(ProviderError)
  })
})

describe('a failed endpoint', () => {
  test('rests half a second, then a second, two, four … 30 at most; and is asked last meanwhile', async () => {
    const { ask, asked, answers, clock } = setUp('a', 'b')
    answers.set('a', broken())
    for (const rest of [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      await ask()
      expect(asked()).toEqual(['a', 'b'])
      clock.now += rest - 1
      await ask()
      expect(asked()).toEqual(['b'])
      clock.now += 1
    }
  })

  test('is forgiven by one good answer', async () => {
    const { ask, asked, answers, clock } = setUp('a', 'b')
    answers.set('a', broken())
    for (const rest of [500, 1000, 2000]) {
      await ask()
      clock.now += rest
    }
    answers.set('a', "a's")
    await ask()
    asked()
    answers.set('a', broken())
    await ask()
    clock.now += 500
    await ask()
    expect(asked()).toEqual(['a', 'b', 'a', 'b'])
  })

  test('is asked all the same when everybody rests, the one that rests shortest first', async () => {
    const { ask, asked, answers, clock } = setUp('a', 'b')
    answers.set('a', broken()).set('b', broken())
    await failure(ask())
    clock.now += 500
    answers.set('b', "b's")
    // a fails a second time and rests a second; b is fine, then fails once and rests half a second.
    await ask()
    answers.set('b', broken())
    await failure(ask())
    expect(asked()).toEqual(['a', 'b', 'a', 'b', 'b', 'a'])
    clock.now += 100
    answers.set('a', "a's").set('b', "b's")
    expect(await ask()).toBe("b's")
  })
})

describe('an endpoint that answers though it rests', () => {
  test('rests no longer', async () => {
    const { ask, asked, answers, clock } = setUp('a', 'b')
    answers.set('a', new ThrottledError('slow down', 60_000)).set('b', broken())
    await failure(ask())
    answers.set('a', "a's")
    // b rests shorter, so it is asked first, and fails.
    expect(await ask()).toBe("a's")
    expect(asked()).toEqual(['a', 'b', 'b', 'a'])
    clock.now += 1000
    expect(await ask()).toBe("a's")
    expect(asked()).toEqual(['a'])
  })
})

describe('a throttled endpoint', () => {
  test('rests as long as it asked for, neither longer nor shorter, however often it throttles', async () => {
    const { ask, asked, answers, clock } = setUp('a', 'b')
    answers.set('a', new ThrottledError('slow down', 7000))
    for (let i = 0; i < 3; i++) {
      await ask()
      expect(asked()).toEqual(['a', 'b'])
      clock.now += 6999
      await ask()
      expect(asked()).toEqual(['b'])
      clock.now += 1
    }
  })

  test('is told apart from a broken one where calls are counted', async () => {
    const { ask, answers, seen } = setUp('a', 'b', 'c')
    answers.set('a', new ThrottledError('slow down', 1)).set('b', broken())
    await ask()
    expect(seen).toEqual([
      ['a', 'eth_test', 'throttled'],
      ['b', 'eth_test', 'error'],
      ['c', 'eth_test', 'ok'],
    ])
  })
})

test('an answer that did not hold together is told as refused; a call that failed, and one that had nothing, are not', async () => {
  const { providers, answers, refused } = setUp('a', 'b', 'c', 'd')
  answers.set('a', broken()).set('b', new ThrottledError('slow down', 1)).set('c', null)
  await providers.ask(async (rpc) => {
    const answer = await rpc.call('eth_test', [])
    if (answer !== null) throw broken('does not hold together')
    return answer
  })
  expect(refused).toEqual(['d'])
})

describe('asking all', () => {
  /** A promise that the test settles. */
  function later<T>() {
    let settle: { give(value: T): void; fail(error: Error): void } = { give: () => {}, fail: () => {} }
    const promise = new Promise<T>((resolve, reject) => {
      settle = { give: resolve, fail: reject }
    })
    return { promise, ...settle }
  }

  test('gives every answer', async () => {
    const { askAll, asked } = setUp('a', 'b', 'c')
    expect((await askAll()).sort()).toEqual(["a's", "b's", "c's"])
    expect(asked().sort()).toEqual(['a', 'b', 'c'])
  })

  test('does not wait for one that never answers', async () => {
    const { askAll, answers } = setUp('a', 'b', 'c')
    answers.set('b', () => new Promise(() => {}))
    expect((await askAll()).sort()).toEqual(["a's", "c's"])
  })

  test('waits a little for those that are not much slower than the first', async () => {
    const { askAll, answers } = setUp('a', 'b')
    const b = later<string>()
    answers.set('b', () => b.promise)
    const all = askAll()
    await new Promise(setImmediate)
    b.give('late')
    expect((await all).sort()).toEqual(["a's", 'late'])
  })

  test('waits for the first answer as long as it takes, past all failures', async () => {
    const { askAll, answers } = setUp('a', 'b')
    const b = later<string>()
    answers.set('a', broken()).set('b', () => b.promise)
    const all = askAll()
    await new Promise(setImmediate)
    b.give('at last')
    expect(await all).toEqual(['at last'])
  })

  test('waits for that answer only, not for a third that never comes', async () => {
    const { askAll, answers } = setUp('a', 'b', 'c')
    // Slower than what the others are given after the first answer.
    answers.set('a', broken()).set('b', () => new Promise((resolve) => setTimeout(resolve, 300, 'slow')))
    answers.set('c', () => new Promise(() => {}))
    expect(await askAll()).toEqual(['slow'])
  })

  test('fails with all reasons when all fail', async () => {
    const { askAll, answers } = setUp('a', 'b')
    answers.set('a', broken('no route')).set('b', broken('timeout'))
    const error = await failure(askAll())
    expect(error).toBeInstanceOf(ProviderError)
    expect(error).toMatchObject({ message: 'no route; timeout' })
  })

  test('throws a mistake of ours as such, but only when nobody answered', async () => {
    const { askAll, answers } = setUp('a', 'b')
    answers.set('a', new TypeError('x is not a function')).set('b', broken())
    expect(await failure(askAll())).toBeInstanceOf(TypeError)
  })

  test('leaves out those that rest, unless all do', async () => {
    const { askAll, asked, answers, clock } = setUp('a', 'b')
    answers.set('b', new ThrottledError('slow down', 5000))
    await askAll()
    asked()
    expect(await askAll()).toEqual(["a's"])
    expect(asked()).toEqual(['a'])
    answers.set('a', new ThrottledError('slow down', 5000))
    await failure(askAll())
    asked()
    await failure(askAll())
    expect(asked().sort()).toEqual(['a', 'b'])
    clock.now += 5000
    answers.set('a', 'back').set('b', 'back too')
    expect((await askAll()).sort()).toEqual(['back', 'back too'])
  })

  test('a slow one that fails after the answer was given harms nobody', async () => {
    const { askAll, answers } = setUp('a', 'b')
    const b = later<string>()
    answers.set('b', () => b.promise)
    const all = await askAll()
    b.fail(broken())
    await new Promise(setImmediate)
    expect(all).toEqual(["a's"])
  })
})

test('closing closes every endpoint', async () => {
  const { providers, closed } = setUp('a', 'b')
  await providers.close()
  expect(closed.sort()).toEqual(['a', 'b'])
})
