import { burn } from './cctpBurn.ts'
import {
  anchor,
  type CctpEffect,
  type CctpInstruction,
  type CctpView,
  errors,
  Refused,
  require,
  requireAccounts,
  requireAttested,
  twoTexts,
} from './cctpChecks.ts'
import { receive } from './cctpMint.ts'
import { closing, failing } from './cctpProgram.ts'
import { discriminators, localDomain, magics, messageTransmitter, pdas, tokenMessenger } from './cctpState.ts'

/** First bytes of instructions (the IDL's `discriminator`). */
const burnDiscriminators = { plain: 'd73c3d2e723780b0', hooked: '6ff53e83cc6cdf9b' }
const receiveDiscriminator = '26907fe11fe1ee19'
const reclaimDiscriminator = '5ec6b49f83ec0fae'
/** The effect of an instruction, or its refusal. Null: it is of another program. */
export function effectOf(view: CctpView, instruction: CctpInstruction): CctpEffect | null {
  const isMessenger = instruction.program.equals(tokenMessenger)
  if (!isMessenger && !instruction.program.equals(messageTransmitter)) return null
  try {
    const kind = instruction.data.subarray(0, 8).toString('hex')
    if (isMessenger && kind === burnDiscriminators.plain) return burn(view, instruction, false)
    if (isMessenger && kind === burnDiscriminators.hooked) return burn(view, instruction, true)
    if (!isMessenger && kind === receiveDiscriminator) return receive(view, instruction)
    if (!isMessenger && kind === reclaimDiscriminator) return reclaim(view, instruction)
    throw new Refused(anchor.fallback)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const [state, magic] = isMessenger
      ? [pdas.messengerState.address, magics.messenger]
      : [pdas.transmitterState.address, magics.transmitter]
    return { scripts: [{ address: state, script: failing(magic, error.code) }], writes: [] }
  }
}

/** `reclaim_event_account`. */
const windowSeconds = 5n * 24n * 3600n

function reclaim(view: CctpView, instruction: CctpInstruction): CctpEffect {
  const [attestation, message] = twoTexts(instruction.data)
  requireAccounts(instruction, [
    [null, 'sw'],
    [pdas.transmitterState.address, 'w'],
    [null, 'w'],
  ])
  const [payee, , event] = instruction.accounts.map(({ address }) => address)
  const stored = event && view.data(event)
  if (!stored || !payee || stored.subarray(0, 8).toString('hex') !== discriminators.messageSent)
    throw new Refused(anchor.notInitialized)
  require(stored.subarray(8, 40).equals(payee.toBuffer()), anchor.raw)
  require(view.time >= stored.readBigInt64LE(40) + windowSeconds, errors.window)
  const sent = stored.subarray(52, 52 + stored.readUInt32LE(48))
  require(message.length >= 148, errors.malformed)
  const source = (text: Buffer) => Buffer.concat([text.subarray(0, 12), text.subarray(44, 144)])
  require(message.length === sent.length && source(message).equals(source(sent)), errors.destinationMessage)
  requireAttested(view, message, attestation)
  require(sent.readUInt32BE(4) === localDomain, errors.sourceDomain)
  return {
    scripts: [{ address: pdas.transmitterState.address, script: closing(magics.transmitter, 2, 0) }],
    writes: [],
  }
}
