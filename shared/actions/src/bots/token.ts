import { randomBytes } from 'node:crypto';

/** What a bot's own server knows its calls by. */
export const newToken = () => randomBytes(16).toString('hex');
