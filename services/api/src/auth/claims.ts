import { z } from 'zod';

/** Returns a schema of a text that somebody else has signed: short, and such as Postgres can look for. */
export const claimText = (lengthMax: number) =>
  z
    .string()
    .min(1)
    .max(lengthMax)
    .regex(/^[^\0\p{Cs}]+$/u);
