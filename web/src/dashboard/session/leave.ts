/** Goes to the sign-in page by loading it anew, so that nothing of the session stays in memory. */
export function leaveForSignIn(): void {
  location.assign('/dashboard/sign-in')
}
