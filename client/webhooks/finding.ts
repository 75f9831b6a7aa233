import type { Answer } from './send.ts'

/** `information` and `skipped` say nothing about the receiver; a `warning` is no mistake yet. */
export type Verdict = 'right' | 'wrong' | 'warning' | 'information' | 'skipped'

/** What a check found. */
export interface Finding {
  verdict: Verdict
  did: string
  came: string
  /** What the receiver gets wrong and how to mend it; null where there is nothing to do. */
  advice: string | null
}

export const right = (did: string, came: string): Finding => ({ verdict: 'right', did, came, advice: null })
export const wrong = (did: string, came: string, advice: string): Finding => ({ verdict: 'wrong', did, came, advice })
export const warning = (did: string, came: string, advice: string): Finding => ({ verdict: 'warning', did, came, advice })
export const skipped = (why: string): Finding => ({ verdict: 'skipped', did: why, came: '', advice: null })

export const isTaken = ({ status }: Answer): boolean => status !== null && status >= 200 && status < 300
export const isRedirect = ({ status }: Answer): boolean => status !== null && status >= 300 && status < 400
/** It ran into something that it did not expect. */
export const isCrash = ({ status }: Answer): boolean => status === null || status >= 500

export const told = ({ status, failure, ms }: Answer): string => `${failure ?? status} after ${ms} ms`

/** Of a message that must be taken. */
export function judgeTaken(did: string, answers: readonly Answer[], advice: string): Finding {
  const came = answers.map(told).join(', ')
  return answers.every(isTaken) ? right(did, came) : wrong(did, came, advice)
}

/** Of messages that must be refused. @param advice where one was taken */
export function judgeRefused(did: string, tried: readonly { what: string; answer: Answer }[], advice: string): Finding {
  const came = tried.map(({ what, answer }) => (tried.length > 1 ? `${what}: ${told(answer)}` : told(answer))).join('; ')
  const of = (is: (answer: Answer) => boolean) => tried.filter(({ answer }) => is(answer)).map(({ what }) => what)
  const named = (whats: string[]) => (tried.length > 1 ? ` (${whats.join(', ')})` : '')
  const taken = of(isTaken)
  if (taken.length > 0) return wrong(did, came, `It took what it must refuse${named(taken)}. ${advice}`)
  const crashed = of(isCrash)
  if (crashed.length > 0) {
    const how = 'Catch what the verification throws and answer 400 or 401; compare lengths before timingSafeEqual, and headers that may be missing.'
    return wrong(did, came, `It failed instead of refusing${named(crashed)}. ${how}`)
  }
  if (of(({ status }) => status === 410).length > 0)
    return wrong(did, came, 'It answered 410: Cowry takes that for an endpoint that is gone and sends nothing more. Answer 400 or 401.')
  if (of(isRedirect).length > 0) return wrong(did, came, 'It answered with a redirect. Answer 400 or 401.')
  if (of(({ status }) => status === 408 || status === 429).length > 0)
    return warning(did, came, 'It refused for another reason, such as a rate limit, so this tells nothing. Try again without the limit.')
  return right(did, came)
}
