/** The text of a chosen file, which is in UTF-8. @throws Error with a message for the person who chose it */
export async function readText(file: Pick<Blob, 'arrayBuffer'>): Promise<string> {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error('The file could not be read. Choose it again.')
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('Save it as CSV UTF-8, and choose it again: some letters cannot be read.')
  }
}
