import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { DashboardAnswerOf } from '../../../../client/index.ts'
import { PlainProblem } from '../../ui/plainError.ts'

type Request = DashboardAnswerOf<'beginPasskeyConfirmation'>
type Creation = DashboardAnswerOf<'beginPasskey'>

/** Whether this browser supports passkeys here: they need HTTPS or localhost. */
export const hasPasskeys = (): boolean => browserSupportsWebAuthn()

/** Calls an authenticator. @returns its answer, as the API takes it */
export async function requestPasskey(options: Request) {
  const { id, response } = await orPlainly(startAuthentication({ optionsJSON: options }))
  const { clientDataJSON, authenticatorData, signature } = response
  return { id, clientDataJSON, authenticatorData, signature }
}

/** Creates a passkey. @returns it, as the API takes it */
export async function makePasskey(options: Creation) {
  const { id, response } = await orPlainly(startRegistration({ optionsJSON: options }))
  const { clientDataJSON, attestationObject, transports } = response
  return { id, clientDataJSON, attestationObject, transports: (transports ?? []).filter(isTransport) }
}

const known = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
const isTransport = (text: string): text is (typeof known)[number] =>
  (known as readonly string[]).includes(text)

async function orPlainly<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'InvalidStateError')
      throw new PlainProblem('This device already has a passkey of your account.')
    if (name === 'SecurityError')
      throw new PlainProblem('Passkeys work only at the address that this platform was set up with.')
    throw new PlainProblem('No passkey was given. Try again, or use a code.')
  }
}
