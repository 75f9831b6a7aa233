import { createContext, useContext } from 'react'

export const FormErrors = createContext<Record<string, string>>({})

/** What is wrong with the field of that name in the form around it. */
export function useFieldError(name: string): string | undefined {
  return useContext(FormErrors)[name]
}
