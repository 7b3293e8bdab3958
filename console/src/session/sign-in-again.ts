import { signal } from '@preact/signals'
import { ApiError } from '@taskwright/client'

/** Set while the page asks the user to sign in again. Call it with whether they did. */
export const signInAgainRequest = signal<((done: boolean) => void) | undefined>(undefined)

let asking: Promise<boolean> | undefined

/** Runs a write. If the sign-in is too old for it, asks the user to sign in again, then runs it once more. */
export async function withRecentSignIn<T>(first: () => PromiseLike<T>, again: () => PromiseLike<T>): Promise<T> {
  try {
    return await first()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'sign_in_again' || !(await askToSignInAgain())) throw error
    return await again()
  }
}

/** @returns whether the user signed in again */
function askToSignInAgain(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    signInAgainRequest.value = (done) => {
      signInAgainRequest.value = undefined
      asking = undefined
      resolve(done)
    }
  })
  return asking
}
