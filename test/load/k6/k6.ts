/** The program that runs mix.js. */
export const k6 = { module: 'go.k6.io/k6', version: 'v1.8.1' };
