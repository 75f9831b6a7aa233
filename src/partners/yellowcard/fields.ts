import { z } from 'zod'
import { amount } from '../exactJson.ts'

/** Fields of the partner's answers. An id goes into paths, rows and logs. */
export const id = z.string().regex(/^[\w-]{1,200}$/)
/** A term of the partner, kept as it is. */
export const keyword = z.string().min(1).max(100)
export const currency = z.string().regex(/^[A-Z]{3}$/)
export const time = z.iso.datetime().transform((text) => new Date(text))

export const orNull = <Form extends z.ZodType>(form: Form) =>
  form.nullish().transform((value) => value ?? null)
export const amountOrNull = orNull(amount)
