import { ApiError } from '@parley/protocol';

/** Refuses what an administrator wrote, saying which part of it is wrong; `__all__` is how the parts fit. */
export const fieldError = (field: string, text: string) =>
  new ApiError('BAD_REQUEST', text, { errors: { [field]: [text] } });
