/** What a mail is about, as it is stored until a worker writes and sends it. */
export type MailContent =
  /** To the address that an account had. */
  | { kind: 'email-changed'; fullName: string; newEmail: string }
  /** To somebody who was not here for a while. */
  | { kind: 'digest'; userId: number }
  /** To a new account. */
  | { kind: 'welcome'; fullName: string }
  /** To the address that is invited. */
  | { kind: 'invitation'; invitationId: number }
  /** To whoever has forgotten their password. */
  | { kind: 'password-reset' };
