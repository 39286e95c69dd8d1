import { form } from '../http/parameters.ts';
import { type Described, usual } from './endpoint.ts';

/**
 * A step of an upload that can be resumed, by the protocol tus 1.0: bodies are bytes, and much is said in headers. What is
 * refused is said in JSON. Its path is the one below /api/v1.
 */
export interface TusEndpoint extends Described {
  kind: 'tus';
  auth: 'user';
  /** What arrives: a file for messages, or an archive that is imported. */
  of: 'upload' | 'archive';
}

/** Declares a step of an upload. */
export const tusEndpoint = (
  declared: Pick<TusEndpoint, 'method' | 'path' | 'summary' | 'errors'> &
    Partial<Pick<TusEndpoint, 'of' | 'since' | 'requires'>>,
): TusEndpoint => ({
  ...usual,
  kind: 'tus',
  auth: 'user',
  of: 'upload',
  since: 295,
  params: declared.path.endsWith('/:id') ? { id: form.text() } : {},
  ...declared,
});
