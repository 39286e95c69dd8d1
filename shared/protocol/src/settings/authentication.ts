import { z } from 'zod';

/** The ways to sign in that an organization may switch off, as the API names them. */
export const authenticationMethods = ['Email', 'LDAP', 'OpenID Connect', 'JWT'] as const;
export type AuthenticationMethod = (typeof authenticationMethods)[number];

/** Each way to sign in: whether it works here, and whether the server is set up for it. */
export const AuthenticationMethodsState = z.record(
  z.string(),
  z.strictObject({
    enabled: z.boolean(),
    available: z.boolean(),
    unavailable_reason: z.string().optional(),
  }),
);
export type AuthenticationMethodsState = z.infer<typeof AuthenticationMethodsState>;
