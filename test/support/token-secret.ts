/** The secret that signs the tokens of an organization, by its name. */
export const tokenSecret = (name: string) => `what signs the tokens of ${name}`;
