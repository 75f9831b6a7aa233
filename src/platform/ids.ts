import { v7 } from 'uuid'

/** A UUIDv7: sorts by time, so that a primary key made of it inserts at the end of its index. */
export const newId = (): string => v7()

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
export const isUuid = (text: string): boolean => uuidForm.test(text)
