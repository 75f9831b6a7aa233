import { createContext, useContext } from 'react'

export const FormErrors = createContext<Record<string, string>>({})

/** The error of a field in the surrounding form. */
export function useFieldError(name: string): string | undefined {
  return useContext(FormErrors)[name]
}
