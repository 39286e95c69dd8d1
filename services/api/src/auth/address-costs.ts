/**
 * What is taken from the budget of an address, for what is asked there without an account. Credentials that are refused
 * cost more than a read: they are looked up for nobody.
 */
export const addressCosts = { request: 1, refusal: 2 } as const;
