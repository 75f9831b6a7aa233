import { demoEmail } from '../../scripts/dev/seed.ts'
import { type ApiAnswer, demoPassword, type Stack } from './stack.ts'

/** A client of the dashboard's API that keeps cookies and sends the headers of the dashboard's pages. */
export interface Browser {
  cookies: Map<string, string>
  ask<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiAnswer<T>>
}

/** @param heard gets every answer whole: its status, headers and body */
export function openBrowser(
  { processes }: Pick<Stack, 'processes'>,
  heard: (answer: string) => void = () => {},
): Browser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async ask<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const response = await fetch(`http://127.0.0.1:${processes.get('api')?.port()}/dashboard/api${path}`, {
        method,
        headers: {
          'x-cowry-dashboard': '1',
          ...(cookies.size > 0
            ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
            : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      for (const set of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      const text = await response.text()
      heard(`${response.status} ${JSON.stringify([...response.headers])} ${text}`)
      return { status: response.status, body: (text ? JSON.parse(text) : {}) as T, headers: response.headers }
    },
  }
}

/** Signs in; by default the owner of the stack's business, who is also an operator of the platform. */
export async function signedIn(
  stack: Pick<Stack, 'processes'>,
  who: { email: string; password: string } = { email: demoEmail, password: demoPassword },
  heard?: (answer: string) => void,
): Promise<Browser> {
  const browser = openBrowser(stack, heard)
  const { status } = await browser.ask('POST', '/sign-in', who)
  if (status !== 200) throw new Error(`${who.email} cannot sign in: ${status}`)
  return browser
}

/** A signed-in person who joined a business by an invitation. */
export interface Person {
  browser: Browser
  id: string
  email: string
  password: string
}

export async function invited(
  stack: Pick<Stack, 'processes'>,
  owner: Browser,
  businessId: string,
  role: 'owner' | 'developer' | 'viewer' | 'cashier',
  email: string,
  heard?: (answer: string) => void,
): Promise<Person> {
  const password = `correct-${email.split('@')[0]}-horse-9`
  const { body } = await owner.ask<{ token: string }>('POST', `/businesses/${businessId}/invitations`, {
    email,
    role,
    delivery: 'link',
  })
  const browser = openBrowser(stack, heard)
  const joined = await browser.ask<{ account: { id: string } }>('POST', '/invitations/accept', {
    token: body.token,
    name: email,
    password,
  })
  if (joined.status !== 200)
    throw new Error(`${email} cannot join: ${joined.status} ${JSON.stringify(joined.body)}`)
  return { browser, id: joined.body.account.id, email, password }
}
