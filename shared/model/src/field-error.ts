import { ApiError } from '@parley/protocol';

/**
 * Returns an error about one field of a form that an administrator filled in. `__all__` is for how the fields fit
 * together.
 */
export const fieldError = (field: string, text: string) =>
  new ApiError('BAD_REQUEST', text, { errors: { [field]: [text] } });
