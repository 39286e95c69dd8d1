import { randomBytes } from 'node:crypto';

/** Creates a token by which the server of an outgoing-webhook bot recognizes its calls. */
export const newToken = () => randomBytes(16).toString('hex');
