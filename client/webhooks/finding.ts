import type { Answer } from './send.ts'

/** `information` and `skipped` mean nothing about the receiver; a `warning` is not an error yet. */
export type Verdict = 'right' | 'wrong' | 'warning' | 'information' | 'skipped'

/** The result of a check. */
export interface Finding {
  verdict: Verdict
  did: string
  came: string
  /** The receiver's fault and how to fix it; null if there is nothing to do. */
  advice: string | null
}

export const right = (did: string, came: string): Finding => ({ verdict: 'right', did, came, advice: null })
export const wrong = (did: string, came: string, advice: string): Finding => ({
  verdict: 'wrong',
  did,
  came,
  advice,
})
export const warning = (did: string, came: string, advice: string): Finding => ({
  verdict: 'warning',
  did,
  came,
  advice,
})
export const skipped = (why: string): Finding => ({ verdict: 'skipped', did: why, came: '', advice: null })

export const isTaken = ({ status }: Answer): boolean => status !== null && status >= 200 && status < 300
export const isRedirect = ({ status }: Answer): boolean => status !== null && status >= 300 && status < 400
/** The receiver failed instead of answering. */
export const isCrash = ({ status }: Answer): boolean => status === null || status >= 500

export const describeAnswer = ({ status, failure, ms }: Answer): string =>
  `${failure ?? status} after ${ms} ms`

/** For a message that must be accepted. */
export function expectAccepted(did: string, answers: readonly Answer[], advice: string): Finding {
  const came = answers.map(describeAnswer).join(', ')
  return answers.every(isTaken) ? right(did, came) : wrong(did, came, advice)
}

/** For messages that must be refused. @param advice if one was accepted */
export function expectRefused(
  did: string,
  tried: readonly { what: string; answer: Answer }[],
  advice: string,
): Finding {
  const came = tried
    .map(({ what, answer }) =>
      tried.length > 1 ? `${what}: ${describeAnswer(answer)}` : describeAnswer(answer),
    )
    .join('; ')
  const of = (is: (answer: Answer) => boolean) =>
    tried.filter(({ answer }) => is(answer)).map(({ what }) => what)
  const named = (whats: string[]) => (tried.length > 1 ? ` (${whats.join(', ')})` : '')
  const taken = of(isTaken)
  if (taken.length > 0) return wrong(did, came, `It accepted what it must refuse${named(taken)}. ${advice}`)
  const crashed = of(isCrash)
  if (crashed.length > 0) {
    const how =
      'Catch errors of the verification and answer 400 or 401; compare lengths before timingSafeEqual, and check for missing headers.'
    return wrong(did, came, `It failed instead of refusing${named(crashed)}. ${how}`)
  }
  if (of(({ status }) => status === 410).length > 0)
    return wrong(
      did,
      came,
      'It answered 410: Cowry takes that for a removed endpoint and sends nothing more. Answer 400 or 401.',
    )
  if (of(isRedirect).length > 0) return wrong(did, came, 'It answered with a redirect. Answer 400 or 401.')
  if (of(({ status }) => status === 408 || status === 429).length > 0)
    return warning(
      did,
      came,
      'It refused for another reason, such as a rate limit, so this proves nothing. Try again without the limit.',
    )
  return right(did, came)
}
