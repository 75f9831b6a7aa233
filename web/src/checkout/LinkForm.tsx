import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { chainNames } from './chainNames.ts'
import { moneyOf } from './format.ts'
import type { Spoken } from './language.ts'
import { type AmountMistake, amountIn, mistakeOf, type OpenAmount, withinBoth } from './namedAmount.ts'
import type { LinkChoice, PayableLink } from './types.ts'
import { type Chosen, choose } from './usePayableLink.ts'

interface Props {
  token: string
  link: PayableLink
  spoken: Spoken
  /** The link has turned out to take no payment any more. */
  onOver: () => void
}

/** Named by its text, which changes with the language. */
interface Problem {
  at: 'amount' | 'form'
  name: AmountMistake | Extract<Chosen, 'linkBusy' | 'tooManyTries' | 'linkFailed'>
}

/** The amount where it is open, the token and the network. */
export function LinkForm({ token, link, spoken, onOver }: Props) {
  const { text, language } = spoken
  const { choices } = link
  const tokens = [...new Set(choices.map((each) => each.token))]
  const [paidIn, setPaidIn] = useState(tokens[0])
  const networks = choices.filter((each) => each.token === paidIn).map(({ chain }) => chain)
  const [wanted, setWanted] = useState<LinkChoice['chain'] | undefined>()
  const chain = networks.includes(wanted as LinkChoice['chain']) ? wanted : networks[0]
  const choice = choices.find((each) => each.token === paidIn && each.chain === chain)
  const openAmount = link.openAmount && withinBoth(link.openAmount, choice)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<Problem>()
  const [isSending, setIsSending] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const named = useId()
  useEffect(() => {
    if (problem?.at === 'amount') field.current?.focus()
  }, [problem])

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isSending || chain === undefined || paidIn === undefined) return
    const amount = openAmount === null ? null : amountIn(typed, language)
    const mistake = openAmount && mistakeOf(amount, openAmount)
    if (openAmount && mistake) {
      setProblem({ at: 'amount', name: mistake })
      return
    }
    setProblem(undefined)
    setIsSending(true)
    const chosen = await choose(token, { chain, token: paidIn, ...(amount !== null && { amount }) })
    setIsSending(false)
    if (chosen === 'over') onOver()
    else if (isAboutAmount(chosen)) setProblem({ at: 'amount', name: chosen })
    else if (typeof chosen === 'string') setProblem({ at: 'form', name: chosen })
    else window.location.assign(`${new URL(chosen.checkoutUrl).pathname}?lang=${language}`)
  }

  return (
    <form className="pay" noValidate onSubmit={(event) => void submit(event)}>
      {openAmount && (
        <div className="named-amount">
          <label htmlFor={named}>
            {text('amountIn', { unit: openAmount.localCurrency ?? paidIn ?? '' })}
          </label>
          <input
            ref={field}
            id={named}
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            dir="ltr"
            maxLength={40}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            aria-invalid={problem?.at === 'amount'}
            aria-describedby={`${named}-more`}
          />
          <p id={`${named}-more`} className={problem?.at === 'amount' ? 'wrong' : 'quiet'}>
            {problem?.at === 'amount'
              ? text(problem.name, boundsFor(problem.name, openAmount, choice, language))
              : hintOf(openAmount, choice, spoken)}
          </p>
        </div>
      )}
      {tokens.length > 1 && (
        <fieldset className="options">
          <legend>{text('chooseToken')}</legend>
          <div className="side-by-side">
            {tokens.map((each) => (
              <label key={each} className="option">
                <input
                  type="radio"
                  name="token"
                  value={each}
                  checked={each === paidIn}
                  onChange={() => setPaidIn(each)}
                />
                <span>{each}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <fieldset className="options">
        <legend>{text('chooseNetwork')}</legend>
        <p className="quiet">{text('chooseNetworkMore')}</p>
        {networks.map((each) => (
          <label key={each} className="option">
            <input
              type="radio"
              name="chain"
              value={each}
              checked={each === chain}
              onChange={() => setWanted(each)}
            />
            <span>{chainNames[each]}</span>
          </label>
        ))}
      </fieldset>
      <div role="alert">{problem?.at === 'form' && <p className="notice warn">{text(problem.name)}</p>}</div>
      <button type="submit" className="button primary" aria-disabled={isSending}>
        {isSending ? text('loading') : text('goOn')}
      </button>
    </form>
  )
}

function boundsOf(
  { localCurrency, decimals, min, max }: OpenAmount,
  token: string,
  language: Spoken['language'],
): Record<string, string> {
  const shown = (amount: string | null) => {
    if (amount === null) return ''
    return localCurrency === null ? `${amount} ${token}` : moneyOf(amount, localCurrency, language)
  }
  return { min: shown(min), max: shown(max), count: String(decimals) }
}

const isAboutAmount = (chosen: Chosen): chosen is Exclude<AmountMistake, 'amountDecimals'> =>
  chosen === 'amountForm' || chosen === 'amountTooSmall' || chosen === 'amountTooLarge'

/** The bounds of a choice, which are in its token. */
const inToken = (open: OpenAmount, choice: LinkChoice | undefined): OpenAmount => ({
  ...open,
  localCurrency: null,
  min: choice?.min ?? null,
  max: choice?.max ?? null,
})

/** An amount in a currency may be outside the link's bounds, or outside those of the choice. */
function boundsFor(
  mistake: Problem['name'],
  open: OpenAmount,
  choice: LinkChoice | undefined,
  language: Spoken['language'],
): Record<string, string> {
  const bounds = boundsOf(open, choice?.token ?? '', language)
  const name = mistake === 'amountTooSmall' ? 'min' : 'max'
  if (bounds[name] !== '') return bounds
  return { ...bounds, ...boundsOf(inToken(open, choice), choice?.token ?? '', language) }
}

function hintOf(open: OpenAmount, choice: LinkChoice | undefined, spoken: Spoken): string {
  const hints = [inWords(open, choice, spoken)]
  if (open.localCurrency !== null) hints.push(inWords(inToken(open, choice), choice, spoken))
  return hints.filter(Boolean).join(' · ')
}

function inWords(open: OpenAmount, choice: LinkChoice | undefined, { text, language }: Spoken): string {
  const bounds = boundsOf(open, choice?.token ?? '', language)
  if (open.min !== null && open.max !== null) return text('amountBetween', bounds)
  if (open.min !== null) return text('amountFrom', bounds)
  return open.max === null ? '' : text('amountUpTo', bounds)
}
