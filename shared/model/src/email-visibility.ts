/** Values of `email_address_visibility`: the users to whom someone shows their real email address. */
export const emailVisibilities = {
  everyone: 1,
  members: 2,
  administrators: 3,
  nobody: 4,
  moderators: 5,
} as const;
