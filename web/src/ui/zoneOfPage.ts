import { createContext, useContext } from 'react'
import { readersZone } from './zone.ts'

/** The zone by whose clocks the pages within show times and take them. */
export const ZoneContext = createContext<string | undefined>(undefined)

/** The zone of this page: that of its business, or the reader's. */
export const useZone = (): string => useContext(ZoneContext) ?? readersZone()
