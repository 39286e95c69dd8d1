import type { signIn } from '@parley/actions';

/** Somebody whom a provider has identified. */
export interface Identified extends signIn.Identity {
  subject: signIn.Subject;
  /** Whether the provider has verified that the address is theirs. */
  isVerified: boolean;
}
